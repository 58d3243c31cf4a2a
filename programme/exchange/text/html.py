"""Converts HTML, or text with some HTML, to plain text.

Not inscriptis: it joins the lines of texts with some HTML, drops unknown tags such as `<yawn>`, keeps struck
text, numbers all lists from 1, and needs lxml and requests.
"""

import re
from html.parser import HTMLParser

_EXTERNAL = ("http://", "https://", "mailto:")


def is_external(address: str) -> bool:
    """Return whether an address leads outside of the page that it was written for."""
    return address.lower().startswith(_EXTERNAL)


def append_address(words: str, address: str) -> str:
    """Return the words of a link and its address, or the address alone if the words repeat it."""
    address = address.removeprefix("mailto:")
    if not words.strip() or _without_scheme(words.strip()) == _without_scheme(address):
        return address
    return f"{words} ({address})"


def _without_scheme(address: str) -> str:
    return address.split("://", 1)[-1].rstrip("/")


_INLINE = (
    "a abbr acronym b bdi bdo big center cite code del dfn em font i img ins kbd mark q s samp small span"
    " strike strong sub sup time tt u var"
)
_BLOCKS = (
    "address article aside blockquote body div dl figcaption figure footer form h1 h2 h3 h4 h5 h6 head header"
    " hr html main nav ol p pre section table ul"
)
_LINES = "br caption dd dt li tbody td th thead tr"
_KNOWN = "|".join(f"{_INLINE} {_BLOCKS} {_LINES} script style title".split())
_TAG = rf"/?(?:{_KNOWN})(?:\s[^<>]*|/)?>"
_UNKNOWN = re.compile(rf"<(?!{_TAG})", re.IGNORECASE)
# A single tag may be what a text is about; one that closes, or needs no closing, is markup.
_MARKUP = re.compile(
    rf"</(?:{_KNOWN})\s*>|<(?:br|hr|p|li|img)(?:\s[^<>]*|/)?>|<[a-z]+\s+[a-z]+=[^<>]*>|<!--", re.IGNORECASE
)
# Struck text is no longer valid. What does not end is text; the group has all that follows, and no other one
# that may not end is looked for in it.
_NOT_TEXT = [
    re.compile(rf"{begin}(?:.*?{end}|(.*))", re.IGNORECASE | re.DOTALL)
    for begin, end in (
        ("<!--", "-->"),
        *((rf"<{tag}\b[^<>]*>", rf"</{tag}\s*>") for tag in ("script", "style", "s", "strike", "del")),
    )
]
_MADE_OF_HTML = re.compile(r"<(?:p|br)\b", re.IGNORECASE)
_BLANKS = re.compile(r"\s+(?P<dash>(?=- ))?")
# Private characters mark blanks to keep, in code and after marks, and the beginnings of lines and paragraphs,
# until all blanks are tidied at the end.
_KEPT_BLANK, _NEW_LINE, _NEW_PARAGRAPH = _PRIVATE = "\ue000\ue001\ue002"
_BREAKS = re.compile(rf"(?<![ \n])[ \n]*[{_NEW_LINE}{_NEW_PARAGRAPH}][ \n{_NEW_LINE}{_NEW_PARAGRAPH}]*")


def is_html(text: str) -> bool:
    return bool(_MARKUP.search(text))


def has_html_lines(text: str) -> bool:
    """Return whether HTML makes the lines of a text, so that its own line ends mean nothing."""
    return bool(_MADE_OF_HTML.search(text))


def html_to_text(text: str) -> str:
    """Return a text (its line ends are line feeds) without HTML's markup."""
    reader = _TextCollector(keep_lines=not has_html_lines(text))
    text = text.translate(dict.fromkeys(map(ord, _PRIVATE)))
    for pattern in _NOT_TEXT:
        text = pattern.sub(lambda found: found[0] if found[1] is not None else "", text)
    reader.feed(_UNKNOWN.sub("&lt;", text))
    reader.close()
    return reader.text()


class _TextCollector(HTMLParser):
    def __init__(self, *, keep_lines: bool) -> None:
        super().__init__()
        self.keep_lines = keep_lines
        self.written: list[str] = []
        # For each open list the number of its next item, 0 without numbers.
        self.lists: list[int] = []
        # For the open link its address, and where its words begin.
        self.links: list[tuple[str, int]] = []
        self.in_code = 0
        # The text of an item begins on the line of its mark.
        self.item_begins = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "a":
            # No link is in another one.
            self._end_link()
            self.links.append((attributes.get("href", "").strip(), len(self.written)))
        elif tag == "img":
            self.handle_data(attributes.get("alt", ""))
        elif tag in {"ul", "ol"}:
            self._break(_NEW_LINE if self.lists else _NEW_PARAGRAPH)
            start = attributes.get("start", "")
            first = int(start) if re.fullmatch("[0-9]{1,5}", start) else 1
            self.lists.append(first if tag == "ol" else 0)
        elif tag == "li":
            self._begin_item()
        else:
            self.in_code += tag == "pre"
            self._break(_find_break(tag))

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._end_link()
        elif tag in {"ul", "ol"} and self.lists:
            self.lists.pop()
            self._break(_NEW_LINE if self.lists else _NEW_PARAGRAPH)
        elif tag == "pre":
            self.in_code = max(0, self.in_code - 1)
            self._break(_NEW_PARAGRAPH)
        elif tag != "br":
            self._break(_find_break(tag))

    def handle_data(self, data: str) -> None:
        if self.item_begins and not data.strip():
            return
        if self.in_code:
            data = data.strip("\n").replace(" ", _KEPT_BLANK)
        elif self.keep_lines:
            data = re.sub(r"[ \t]+", " ", data)
        else:
            data = _BLANKS.sub(_replace_blanks, data)
        self.written.append(data.lstrip(f" \n{_KEPT_BLANK}") if self.item_begins else data)
        self.item_begins = False

    def text(self) -> str:
        text = re.sub(r" {2,}", " ", "".join(self.written))
        text = _BREAKS.sub(lambda breaks: "\n\n" if _NEW_PARAGRAPH in breaks[0] else "\n", text)
        text = re.sub(r"\n{3,}", "\n\n", re.sub(r" *\n *", "\n", text))
        return text.replace(_KEPT_BLANK, " ").strip()

    def _break(self, kind: str) -> None:
        if kind and not self.item_begins:
            self.written.append(kind)

    def _begin_item(self) -> None:
        mark = "-"
        if self.lists and self.lists[-1]:
            mark = f"{self.lists[-1]}."
            self.lists[-1] += 1
        self.item_begins = False
        self._break(_NEW_LINE)
        self.written.append(f"{mark}{_KEPT_BLANK}")
        self.item_begins = True

    def _end_link(self) -> None:
        if not self.links:
            return
        address, begin = self.links.pop()
        words = "".join(self.written[begin:])
        if is_external(address):
            self.written[begin:] = [append_address(words, address)]


def _find_break(tag: str) -> str:
    if tag == "br":
        return "\n"
    return _NEW_PARAGRAPH if tag in _BLOCKS.split() else _NEW_LINE if tag in _LINES.split() else ""


def _replace_blanks(blanks: re.Match[str]) -> str:
    # In forms, people mean empty lines as such even in HTML, and dashes as a list.
    lines = blanks[0].count("\n")
    return "\n\n" if lines > 1 else "\n" if lines and blanks["dash"] is not None else " "
