"""Reads clock times and durations as people write them, and writes clock times.

What is not understood is not guessed: who asked says so, with the text's own words.
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

# Characters of a text in which days and times are looked for.
LOOKED_AT = 200
DASH = r"\s*[-–—−]\s*"
TO = rf"(?:{DASH}|\s+(?:till?|to|until|bis|à|t\.?\s?o\.?\s?m\b\.?)\s+)"
AND = r"\s*,\s+|\s*[;&\n]\s*|\s+(?:och|and|und|og|ja|samt|\+)\s+"
_FROM = r"(?:(?:klo?|klockan|från|fr\.?\s?o\.?\s?m|ca|cirka|c:a|ab|um|von|de|from|at|around)\b\.?\s*)*"
_MINUTES = r"(?:(?:\s?[:.]\s?|h)(\d{2})(:\d{2}(?:\.\d{1,6})?)?|h)?"
# A word may follow: `10-12 Amatörteater`, `18-20 A capella`.
_NO_WORD = r"(?![a-zÀ-ÿ])"
_HALF = rf"(?:\s*([apef](?=\.?m{_NO_WORD})|(?<=\d)[ap](?!\.?[a-zÀ-ÿ]))\.?(?:m{_NO_WORD}\.?)?)?"
_POINT = rf"{_FROM}(\d{{1,2}}){_MINUTES}{_HALF}(?:\s*(?:uhr|h|tiden))?"
_CLOCK = re.compile(rf"{_POINT}\s*(z|[+-]\d{{2}}:?\d{{2}})?", re.ASCII)
_SPAN = re.compile(rf"{_POINT}{TO}{_POINT}", re.ASCII)
# Ends of which nobody knows the time.
OPEN_ENDS = ("sent", "late", "open end", "slut", "ende", "loppuu")
_ONWARDS = re.compile(
    # A point behind what can be no date ends it: "20.00."
    rf"(?<=\d)(?:{DASH}(?:{'|'.join(OPEN_ENDS)})?|\s+(?:och framåt|and on|onwards)"
    r"|(?<=[.:](?:00|1[3-9]|[2-5]\d))\.)$",
    re.IGNORECASE,
)
_FOUR_DIGITS = re.compile(r"(?<![\d+])([01]\d|2[0-4])([0-5]\d)(?!\d)", re.ASCII)
_WORDS = {
    **dict.fromkeys(("hela dagen", "heldag", "hela dygnet", "all day", "ganztägig"), "00:00–24:00"),
    **dict.fromkeys(("midnatt", "midnight", "mitternacht"), "24:00"),
    **dict.fromkeys(("tolv", "noon", "mittag"), "12:00"),
}
# A slash divides times, too, but never the two numbers of a date.
_BETWEEN = re.compile(rf"{AND}|(?<=[:.]\d\d)\s*[/,]\s*|\s+/\s+", re.IGNORECASE)
_PREFIX = re.compile(rf"^{_FROM}")
_MIDNIGHT, _NOON = "24:00", 12


class Clock(time):
    """A clock time; `offset` is stated for an hour that the clock shows twice.

    24:00 is the midnight at which the stated date ends: `ends_day`.
    """

    offset: timedelta | None = None
    ends_day: bool = False


@lru_cache(maxsize=8192)
def list_times(text: str) -> tuple[str, ...]:
    """Return the times that a text consists of, each as `18:30` or `18:30–20:00`; none of any other text.

    `18-20`, `kl. 18.30–20`, `från 18.30`, `18h30`, `6p-9p`, `11:30, 15:30 och 19:15` (three), `hela dagen`.
    """
    if len(text) > LOOKED_AT:
        return ()
    line = _ONWARDS.sub("", text.strip())
    found = [_read_times(part) for part in _BETWEEN.split(line) if part]
    return tuple(found) if all(found) else ()


def _read_times(part: str) -> str:
    part = _FOUR_DIGITS.sub(r"\1:\2", part.strip().lower())
    if word := _WORDS.get(_PREFIX.sub("", part)):
        return word
    if match := _SPAN.fullmatch(part):
        start, end = _read_span(match.groups())
        return f"{start}–{end}" if start and end else ""
    match = _CLOCK.fullmatch(part)
    return _read_clock(*match.groups()) if match else ""


def _read_span(groups: tuple[str, ...]) -> tuple[str, str]:
    """Return both times; the half of the day that only the end states holds for the start if it can."""
    hour, minutes, seconds, half, *end = groups
    if half is None and end[3]:
        is_later = int(hour) % _NOON >= int(end[0]) % _NOON
        half = "ap"[(end[3] in "pe") != is_later]
    return _read_clock(hour, minutes, seconds, half), _read_clock(*end)


def _read_clock(hour: str, minutes: str | None, seconds: str | None, half: str | None, zone: str = "") -> str:
    hours = int(hour)
    if half and hours <= _NOON:
        hours = hours % _NOON + (_NOON if half in "pe" else 0)
    seconds = "" if seconds in (None, ":00") else seconds
    text = f"{hours:02}:{minutes or '00'}{seconds}{(zone or '').upper()}"
    return text if text == _MIDNIGHT or _parse(text) else ""


def _parse(text: str) -> Clock | None:
    try:
        return Clock.fromisoformat(text)
    except ValueError:
        return None


_FRACTION = re.compile(r"0?[.,](?:\d{3,}|5|75)")
_NUMBER = re.compile(r"(?<![\d.,:])(\d{1,2})[.,](\d{1,2})(?![\d.,:])")


def list_cell_times(text: str) -> tuple[str, ...]:
    """Return the times in a cell of times: there, numbers such as 18.3 and 0.75 stand for some, too."""
    text = text.strip()
    if len(text) > LOOKED_AT:
        return ()
    if _FRACTION.fullmatch(text):
        minutes, seconds = divmod(round(float(text.replace(",", ".")) * 86400), 60)
        return list_times(f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}")
    return list_times(text) or list_times(_NUMBER.sub(lambda match: f"{match[1]}:{match[2]:0<2}", text))


def parse_clock(text: str) -> Clock | None:
    """Return the only time in a cell; None for a span, several times, or any other text."""
    times = list_cell_times(text)
    if len(times) != 1:
        return None
    if times[0] == _MIDNIGHT:
        midnight = Clock()
        midnight.ends_day = True
        return midnight
    if clock := _parse(times[0]):
        offset = clock.utcoffset()
        clock = clock.replace(tzinfo=None)
        clock.offset = offset
    return clock


_TIME_INSIDE = re.compile(
    rf"(?<![\d.:/-])(?:{_POINT}{TO}\d{{1,2}}{_MINUTES}{_HALF}|\d{{1,2}}[:.]\d{{2}}|kl\.?\s*\d{{1,2}})(?![\d.:/-])",
    re.ASCII | re.IGNORECASE,
)


def suggest_time(text: str) -> str:
    """Return how the first time in a text that was not understood can be written, '' if it has none."""
    text = text[:LOOKED_AT]
    for match in _TIME_INSIDE.finditer(text):
        for found in list_times(match[0]):
            length, clock = parse_duration(text[match.end() :].strip(" ,;()")), parse_clock(found)
            if not (length and clock):
                return found
            return f"{found}–{datetime.combine(date.min, clock) + length:%H:%M}"
    return ""


def format_clock(instant: datetime, local: datetime, usual: datetime) -> str:
    """Return a clock time that is read as the same instant; `usual` is the instant of the plain time."""
    clock = local.time()
    text = clock.isoformat("microseconds" if clock.microsecond else "seconds" if clock.second else "minutes")
    return text if usual == instant else f"{text}{local.isoformat()[-6:]}"


def to_instant(day: date, clock: Clock, usual: datetime) -> datetime:
    """Return the instant of a clock time: `usual`, unless it has an offset."""
    if clock.offset is None:
        return usual
    return (datetime.combine(day, clock, UTC) - clock.offset).astimezone(UTC)


_HOURS_MINUTES = re.compile(r"(\d{1,3}):(\d{2})(?::\d{2})?")
_WITH_UNITS = re.compile(
    r"(?:(\d{1,3}(?:[.,]\d{1,2})?)\s*(?:h|hrs?|t|tim|timmar|timme|hours?)\.?)?\s*(?:och|and)?\s*"
    r"(?:(\d{1,4})\s*(?:m|min|minuter|minutes|['′]|$)\.?)?",
    re.IGNORECASE,
)
_AROUND_DURATION = re.compile(
    r"^(?:ca|cirka|c:a|omkring|about|approx)\b\.?\s*|[\s,(]*\b(?:inkl|incl|exkl|excl|plus|med|with)\b.*$",
    re.IGNORECASE,
)


def parse_duration(text: str) -> timedelta | None:
    """Return the duration of `1:30`, `90`, `ca 90 min` or `1,5 h inkl. paus`; None for any other text."""
    text = _AROUND_DURATION.sub("", text[:LOOKED_AT].strip())
    match = _HOURS_MINUTES.fullmatch(text) or _WITH_UNITS.fullmatch(text)
    if match is None or not any(match.groups()):
        return None
    hours = float((match[1] or "0").replace(",", "."))
    return timedelta(hours=hours, minutes=int(match[2] or 0))
