"""Converts descriptions in plain text, Markdown or HTML to plain text.

Paragraphs are separated by a blank line, list items begin with "- " or their number, and links are words
followed by an address. Plain text stays as it is.
"""

from programme.exchange.text.html import has_html_lines, html_to_text, is_html
from programme.exchange.text.markdown import markdown_to_text
from programme.models.cleaning import clean_prose


def to_plain_text(text: str) -> str:
    text = clean_prose(text)
    if is_html(text):
        # A text with some HTML may have Markdown, too.
        markdown = not has_html_lines(text)
        text = html_to_text(text)
        return clean_prose(markdown_to_text(text) if markdown else text)
    return clean_prose(markdown_to_text(text))
