"""Descriptions are plain text, Markdown or HTML; all of them become plain text.

Paragraphs stay apart by a blank line, list items begin with "- " or their number, and a link is its
words followed by its address. Text that is plain already stays as it is.
"""

from programme.exchange.text.html import is_html, is_made_of_html, plain_from_html
from programme.exchange.text.markdown import plain_from_markdown
from programme.models.cleaning import clean_prose


def plain_text(text: str) -> str:
    """Return a description of any kind as plain text, cleaned."""
    text = clean_prose(text)
    if is_html(text):
        # HTML here and there in a text may have Markdown beside it.
        markdown = not is_made_of_html(text)
        text = plain_from_html(text)
        return clean_prose(plain_from_markdown(text) if markdown else text)
    return clean_prose(plain_from_markdown(text))
