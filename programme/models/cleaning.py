"""Text is cleaned where it enters, so that no writer of any format can fail on it later."""

import re
from unicodedata import normalize

# Line ends of every kind: CRLF, CR, VT, FF, NEL, and Unicode's line and paragraph separators.
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# What XML 1.0 (section 2.2) cannot hold or what nobody means to write: control characters but tab
# and line feed, lone surrogates, noncharacters; and the byte order mark. What embeds, overrides and isolates
# directions of writing goes, too: left open, it turns round whatever comes after it on a page. The marks
# (U+200E, U+200F) and joiners (U+200C, U+200D) that Arabic, Hebrew, Persian and emoji need stay.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\u202a-\u202e\u2066-\u2069"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
_BLANKS = re.compile(r"[\t\n]+")
# Invisible at the ends of a text, but not counted as white space by str.strip().
_OUTER = "\u200b\u2060"
# Blanks and joiners, marks and fillers that show nothing by themselves: a text of them alone is empty.
_VISIBLE = re.compile(
    "[^\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def clean_prose(text: str) -> str:
    """Return a text of several lines in NFC, without control characters and outer blanks.

    A text in which nothing can be seen is empty.
    """
    # What Python calls printable holds none of either, and nearly every text is. A text is cleaned several
    # times on its way into the database, and an import would spend most of its time on it.
    if not text.replace("\n", "").isprintable():
        text = _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))
    return _stripped(normalize("NFC", text))


def clean_line(text: str) -> str:
    """Return a text as one line, cleaned like `clean_prose`."""
    return _stripped(_BLANKS.sub(" ", clean_prose(text)))


def _stripped(text: str) -> str:
    before = None
    while text != before:
        before, text = text, text.strip().strip(_OUTER)
    return text if _VISIBLE.search(text) else ""
