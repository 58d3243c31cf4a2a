"""Converts descriptions in plain text, Markdown or HTML to plain text, and splits them into intro and rest.

Paragraphs are separated by a blank line, list items begin with "- " or their number, and links are words
followed by an address. Plain text stays as it is, but for the spaces at the beginning of its lines.
"""

import re

from programme.exchange.text.html import has_html_lines, html_to_text, is_html
from programme.exchange.text.markdown import markdown_to_text
from programme.models.cleaning import clean_prose

_INDENTATION = re.compile(r"(?<=\n)[^\S\n]+")


def to_plain_text(text: str) -> str:
    text = clean_prose(text)
    # A text with some HTML may have Markdown, too.
    markdown = not (is_html(text) and has_html_lines(text))
    text = html_to_text(text) if is_html(text) else text
    return remove_indentation(clean_prose(markdown_to_text(text) if markdown else text))


def remove_indentation(text: str) -> str:
    """Return a cleaned text without the spaces that follow its line breaks."""
    return _INDENTATION.sub("", text)


def split_description(subtitle: str, abstract: str, description: str) -> tuple[str, str]:
    """Return intro and description of plain texts, without saying anything twice.

    The intro is the subtitle, else the first paragraph of the rest.
    """
    if abstract in description:
        abstract = ""
    if description in abstract:
        description = ""
    body = "\n\n".join(text for text in (abstract, description) if text)
    if subtitle:
        return subtitle, "" if body == subtitle else body
    intro, _break, rest = body.partition("\n\n")
    return intro.strip(), rest.strip()
