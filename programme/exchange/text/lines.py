"""Decodes files, cuts texts to the length of a field, and finds cancellations in titles."""

import re
from collections.abc import Sequence
from typing import NamedTuple


def decode_text(content: bytes) -> str:
    """Return a file's text: UTF-8 with or without a byte order mark, UTF-16 with one, else Windows-1252."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


# As in "123 45 Town"; and the street, which is before it.
_TOWN = re.compile(r"(?:[A-Z]{1,2}[- ])?(?:\d{3} ?\d{2}|\d{4}) [^\W\d_]")
_STREET = re.compile(r"\D+ \d+.{0,9}")


def split_address(text: str) -> tuple[str, str]:
    """Return a place and its address: `Hall, Gatan 1, 123 45 Town, Sweden`; '' where none is found."""
    parts = text.split(", ")
    town = next((n for n, part in enumerate(parts) if n and _TOWN.match(part)), 0)
    first = town - bool(_STREET.fullmatch(parts[town - 1]))
    # A street alone is no place with an address.
    if first < 1 or not parts[2:]:
        return text, ""
    return ", ".join(parts[:first]), ", ".join(parts[first:])


_CUT = "…"


def truncate(text: str, length: int) -> str:
    """Return a text of at most `length` characters, cut at the end of a word."""
    if len(text) <= length:
        return text
    whole = text[: length - 1]
    # A word that takes more than half of the room is cut.
    words = whole if text[length - 1] == " " else whole.rpartition(" ")[0]
    return (words if len(words) * 2 >= length else whole).rstrip(" ,;:-–") + _CUT


def truncate_names(names: Sequence[str], length: int) -> str:
    """Return names joined by commas, as many as fit into `length` characters."""
    joined = ", ".join(names)
    if len(joined) <= length:
        return joined
    for count in range(min(len(names) - 1, length), 0, -1):
        if len(joined := ", ".join([*names[:count], _CUT])) <= length:
            return joined
    return truncate(names[0], length)


def _one_or_more(words: str) -> str:
    return rf"(?:{words})(?:\s*/\s*(?:{words}))*"


_WORDS = _one_or_more("cancell?ed|inställt|inställda?|abgesagt|entfällt")
_CAPITALS = _one_or_more("CANCELL?ED|INSTÄLLT|INSTÄLLDA?|ABGESAGT|ENTFÄLLT")
_BRACKETED = rf"(?:\[\s*{_WORDS}!?\s*\]|\(\s*{_WORDS}!?\s*\)|\*+{_WORDS}!?\*+)"
# A hyphen counts as a dash only beside a blank: "Cancelled-culture" is one word.
_DASH = r"(?:\s*[-–—]+\s+|\s+[-–—]+\s*)"
_MARKS = [
    re.compile(rf"^{_BRACKETED}[\s:!|–—-]*(?P<title>.*)$", re.IGNORECASE),
    re.compile(rf"^(?P<title>.*?)[\s:|–—-]*{_BRACKETED}$", re.IGNORECASE),
    re.compile(rf"^{_WORDS}(?:\s*[:!|]+\s*|{_DASH})(?P<title>.+)$", re.IGNORECASE),
    re.compile(rf"^(?P<title>.+?){_DASH}{_WORDS}!?$", re.IGNORECASE),
]
# Without brackets or a dash only capitals make a mark, and only before or after a title that is not
# in capitals itself: "INSTÄLLT Konsert", but not "CANCELLED CULTURE" or "Konserten är inställd".
_BARE_MARKS = [
    re.compile(rf"^{_CAPITALS}\s+(?P<title>.+)$"),
    re.compile(rf"^(?P<title>.+?)[\s:|]+{_CAPITALS}!?$"),
]
_MARK_ALONE = re.compile(rf"(?i:{_BRACKETED})|{_CAPITALS}!?")


# Not worth searching for cancellation marks any further.
_LONGEST_TITLE = 1000


class Title(NamedTuple):
    """A title without its cancellation marks, and whether it had one."""

    text: str
    cancelled: bool


def read_title(text: str) -> Title:
    """Return the title of a cleaned line; a mark alone stays as it is."""
    text, cancelled = text[:_LONGEST_TITLE], False
    while rest := _remove_mark(text):
        text, cancelled = rest, True
    return Title(text, cancelled or bool(_MARK_ALONE.fullmatch(text)))


def _remove_mark(text: str) -> str:
    """Return a title without one of its marks, '' if it has none."""
    for mark in _MARKS:
        if (match := mark.match(text)) and match["title"].strip():
            return match["title"].strip()
    for mark in _BARE_MARKS:
        if (match := mark.match(text)) and not match["title"].isupper():
            return match["title"].strip()
    return ""
