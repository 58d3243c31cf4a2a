"""Content lines of iCalendar (RFC 5545, sections 3.1 and 3.3.11): escaped, and folded at 75 octets.

The icalendar library writes the same (a test compares them) fifty times as slowly: it folds one character
at a time, and the first .ics after a start waits for each line of the programme.
"""

from datetime import UTC, datetime

# Octets in a line before it is folded, and in what follows the blank of a folded one.
LONGEST = 74
# The octets of UTF-8 that do not begin a character.
FIRST_FOLLOWING, LAST_FOLLOWING = 0x80, 0xBF
# In this order: what the later ones put in must not be escaped again.
_ESCAPES = (("\\", r"\\"), (";", r"\;"), (",", r"\,"), ("\r\n", r"\n"), ("\n", r"\n"), ("\r", r"\n"))


def escape_text(text: str) -> str:
    """Return a text as a value of type TEXT."""
    for plain, escape in _ESCAPES:
        text = text.replace(plain, escape)
    return text


def format_instant(moment: datetime) -> str:
    """Return a moment as a DATE-TIME in UTC, in whole seconds: `20260729T120000Z`."""
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def fold_line(line: str) -> bytes:
    """Return a content line in UTF-8 with its CRLF, never folded inside a character or an escape."""
    octets = line.encode()
    if len(octets) <= LONGEST:
        return octets + b"\r\n"
    parts = []
    begin = 0
    while len(octets) - begin > LONGEST:
        part = _first(octets[begin : begin + LONGEST + 1])
        parts.append(part)
        begin += len(part)
    return b"\r\n ".join((*parts, octets[begin:])) + b"\r\n"


def _first(octets: bytes) -> bytes:
    end = LONGEST
    while FIRST_FOLLOWING <= octets[end] <= LAST_FOLLOWING:
        end -= 1
    part = octets[:end]
    backslashes = end - len(part.rstrip(b"\\"))
    # An odd number of backslashes begins an escape, and some calendars unescape before they unfold.
    return part[:-1] if backslashes % 2 else part
