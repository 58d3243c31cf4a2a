"""Converts descriptions in plain text, Markdown or HTML to plain text, and splits them into intro and rest.

Paragraphs are separated by a blank line, list items begin with "- " or their number, and links are words
followed by an address. Plain text stays as it is, but for the spaces at the beginning of its lines.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

from programme.exchange.text.html import append_address, has_html_lines, html_to_text, is_external, is_html
from programme.models.cleaning import clean_prose

_FENCED = re.compile(r"^ {0,3}```[^\n`]*\n(.*?)^ {0,3}```[ \t]*$\n?", re.MULTILINE | re.DOTALL)
_FENCE_END = re.compile(r"^ {0,3}```[ \t]*$\n?", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+([^\n]*)$", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)[*+][ \t]+(?=[^\s*])", re.MULTILINE)
_BLANK_LINES = re.compile(r"(\n[ \t]*\n)")
_CODE = re.compile(r"`([^`\n]+)`(?![\w`])")
_IN_ADDRESS = re.compile(r"\w://\S*\Z")
# What may precede and follow emphasised words, besides blanks; and what they never begin with.
_BEFORE = set("([{<\"'“„‘«»-–—/|*_")
_AFTER = set(")]}>\"'“”’«».,;:!?…-–—/|*_")
_NEVER_FIRST = _AFTER - set("\"'“”«»") | set("\\=+~%&")


def markdown_to_text(text: str) -> str:
    """Return a text, whose line ends are line feeds, without Markdown's marks."""
    # Behind the last end of one, none that begins is a code fence.
    end = max((each.end() for each in _FENCE_END.finditer(text)), default=0)
    # Odd parts were in code fences, and stay as they are.
    parts = _FENCED.split(text[:end])
    parts[-1] += text[end:]
    return "".join(part if index % 2 else _convert(part) for index, part in enumerate(parts))


def _convert(text: str) -> str:
    text = _HEADING.sub(lambda heading: heading[1].rstrip(" \t").rstrip("#").rstrip(" \t"), text)
    # A single such line may be a footnote.
    if len(_BULLET.findall(text)) > 1:
        text = _BULLET.sub(r"\1- ", text)
    return "".join(
        _join_words(_PARSER.parseInline(part)[0].children or []) if set(part) & set("*_`[<&\\") else part
        for part in _BLANK_LINES.split(text)
    )


def _join_words(tokens: list[Token]) -> str:
    """Return the words of a paragraph's tokens; those of a link are followed by its address."""
    parts = [""]
    addresses: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            parts.append("")
            addresses.append(str(token.attrs["href"]))
        elif token.type == "link_close":
            words = parts.pop()
            parts[-1] += _format_link(words, addresses.pop())
        elif token.type == "image":
            parts[-1] += _format_link(token.content, str(token.attrs["src"]))
        else:
            parts[-1] += token.content if token.type in {"text", "text_special"} else ""
    return parts[0]


def _format_link(words: str, address: str) -> str:
    # "[sic](1)" need not be a link.
    return append_address(words, address) if is_external(address) else f"[{words}]({address})"


def _emphasis(state: StateInline, silent: bool) -> bool:
    """Let asterisks and underscores open or close emphasis only around whole words."""
    marker = state.src[state.pos]
    if silent or marker not in "*_":
        return False
    end = state.pos
    while end < state.posMax and state.src[end] == marker:
        end += 1
    length = end - state.pos
    before, after = state.src[max(0, state.pos - 1) : state.pos], state.src[end : end + 1]
    opens = not before.strip() or before in _BEFORE
    opens = opens and bool(after.strip()) and after not in _NEVER_FIRST
    closes = bool(before.strip()) and (not after.strip() or after in _AFTER)
    opens = opens and not _IN_ADDRESS.search(state.src, max(0, state.pos - 1000), state.pos)
    if marker == "_" and length > 1:
        opens = closes = False
    for _ in range(length):
        state.push("text", "", 0).content = marker
        delimiter = Delimiter(ord(marker), length, len(state.tokens) - 1, -1, opens, closes and not opens)
        state.delimiters.append(delimiter)
    state.pos = end
    return True


def _escape(state: StateInline, silent: bool) -> bool:
    """Remove the backslash before a mark beside a word, but not from the shrug emoticon."""
    before, mark, after = (state.src[at : at + 1] for at in (state.pos - 1, state.pos + 1, state.pos + 2))
    beside_word = (before.isalnum() or not before.strip() or state.pos == 0) and after.strip()
    if state.src[state.pos] != "\\" or mark not in set("*_[]#`") or not beside_word:
        return False
    if not silent:
        state.pending += mark
    state.pos += 2
    return True


def _code(state: StateInline, silent: bool) -> bool:
    """Remove the backticks around code, but not quotes such as `these'."""
    match = _CODE.match(state.src, state.pos)
    if match is None or state.src[max(0, state.pos - 1) : state.pos].isalnum():
        return False
    if not silent:
        state.pending += match[1]
    state.pos = match.end()
    return True


class _Parser(MarkdownIt):
    """Keeps addresses as written."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802 - the library's name
        return link


_PARSER = _Parser("zero")
_PARSER.inline.ruler.at("emphasis", _emphasis)
_PARSER.inline.ruler.at("escape", _escape)
_PARSER.inline.ruler.at("backticks", _code)
_PARSER.enable(["emphasis", "escape", "backticks", "link", "image", "autolink", "entity"])


def to_plain_text(text: str) -> str:
    text = clean_prose(text)
    # A text with some HTML may have Markdown, too.
    markdown = not (is_html(text) and has_html_lines(text))
    text = html_to_text(text) if is_html(text) else text
    return remove_indentation(clean_prose(markdown_to_text(text) if markdown else text))


def remove_indentation(text: str) -> str:
    """Return a cleaned text without the spaces that follow its line breaks."""
    return re.sub(r"(?<=\n)[^\S\n]+", "", text)


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
