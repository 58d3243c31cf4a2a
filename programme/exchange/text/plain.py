"""Descriptions are plain text, Markdown or HTML; all of them become plain text.

Paragraphs stay apart by a blank line, list items begin with "- " or their number, and a link is its
words followed by its address. Text that is plain already stays as it is.
"""

from programme.exchange.text.html import has_html_lines, html_to_text, is_html
from programme.exchange.text.markdown import markdown_to_text
from programme.models.cleaning import clean_prose


def to_plain_text(text: str) -> str:
    """Return a description of any kind as plain text, cleaned."""
    text = clean_prose(text)
    if is_html(text):
        # HTML here and there in a text may have Markdown beside it.
        markdown = not has_html_lines(text)
        text = html_to_text(text)
        return clean_prose(markdown_to_text(text) if markdown else text)
    return clean_prose(markdown_to_text(text))
