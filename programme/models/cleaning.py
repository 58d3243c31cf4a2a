"""Cleaning of entered text, so that no format can fail on it."""

import re

from feeds.names import normalize

# Line ends of every kind: CRLF, CR, VT, FF, NEL, and Unicode's line and paragraph separators.
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# Characters that XML 1.0 (section 2.2) excludes or that are never intended: control characters except tab and
# line feed, lone surrogates, noncharacters, the byte order mark, and embeddings, overrides and isolates of
# the writing direction, which reverse the rest of a page if unclosed. The marks (U+200E, U+200F) and joiners
# (U+200C, U+200D) that Arabic, Hebrew, Persian and emoji need remain.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\u202a-\u202e\u2066-\u2069"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
_BLANKS = re.compile(r"[\t\n]+")
# `biljetter.exempel.se/jazz?dag=1`; no e-mail address, and no file such as bild.jpg.
_HOST_AND_PATH = re.compile(
    r"(?:[\w-]+\.)+(?!(?:jpe?g|png|gif|webp|svg|pdf|docx?|xlsx?|html?|php)\b)[^\W\d_]{2,}\.?(?::\d+)?(?:[/?#]\S*)?",
    re.IGNORECASE,
)
# Invisible characters at the ends of a text: white space, and zero widths, which str.strip() leaves.
_AROUND = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\u200b\u2060"
# Any character but white space, joiners, marks and fillers; a text without one is empty.
_VISIBLE = re.compile(
    "[^\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def clean_prose(text: str) -> str:
    """Return a text of any number of lines in NFC, without control characters and surrounding white space.

    A text without visible characters becomes empty.
    """
    # A fast path for most texts, which are cleaned several times before they are stored: imports would spend
    # most of their time on it.
    if text.isascii() and text.isprintable():
        return text.strip(" ")
    if not text.replace("\n", "").isprintable():
        text = _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))
    return _strip(normalize("NFC", text))


def clean_line(text: str) -> str:
    """Return a text on one line, cleaned like `clean_prose`."""
    # As in `clean_prose`; the only white space of such a text is spaces.
    if text.isascii() and text.isprintable():
        return text.strip(" ")
    prose = clean_prose(text)
    return _strip(_BLANKS.sub(" ", prose)) if _BLANKS.search(prose) else prose


def complete_address(text: str) -> str:
    """Return a text on one line, with https:// if it is a host, perhaps with a path."""
    line = clean_line(text)
    return f"https://{line}" if _HOST_AND_PATH.fullmatch(line) else line


def _strip(text: str) -> str:
    text = text.strip(_AROUND)
    return text if _VISIBLE.search(text) else ""
