"""Parses dates, weekdays, times and durations as people write them in spreadsheets."""

import re
from datetime import UTC, date, datetime, time, timedelta

from programme.exchange.text.when import find_month, find_weekday

# A weekday and an article, as in "lördagen den 12".
_BEFORE_DATE = r"(?:[a-zåäö]{3,14}\.?,?\s+)?(?:den\s+)?"
_WEEKDAY = re.compile(_BEFORE_DATE + r"(?=\d)")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DIGITS = re.compile(r"(\d{4}|\d{2})(\d{2})(\d{2})")
_DAY_FIRST = re.compile(r"(\d{1,2})\s*[/.]\s*(\d{1,2})(?:\s*[/.\s-]\s*(\d{4}|\d{2}))")
_NAMED = re.compile(r"(\d{1,2})(?::?[ea]|st|nd|rd|th|\.)?\s*([a-zåäö]+)\.?,?\s+(\d{4})", re.IGNORECASE)
_WITHOUT_YEAR = re.compile(
    _BEFORE_DATE
    + r"(\d{1,2})(?:\s*/\s*(\d{1,2})|(?::?[ea]|\.)?\s+([a-zåäö]{3,}))\.?(?=$|,?\s)"
    # Not before a year that a time follows.
    + r"(?!,?\s*\d{4}(?:,|\s+(?:kl|\d)))",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:kl(?:ockan)?\.?\s*)?(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2}(?:\.\d{1,6})?))?)?\s*"
    r"(am|pm|h)?\s*(Z|[+-]\d{2}:?\d{2})?",
    re.IGNORECASE,
)
_FOUR_DIGITS = re.compile(r"(\d{2})(\d{2})")
_FRACTION = re.compile(r"0?[.,](?:\d{3,}|5|75)")
# A spreadsheet program makes the number 18.3 of 18.30.
_NUMBER = re.compile(r"(\d{1,2})[.,](\d{1,2})")
_RANGE = re.compile(r"(.*\d.*?)(?:\s*[–—−]\s*|\s+-\s+|(?<=\d)-(?=\d{1,2}[:.]\d{2})|\s+till\s+)(.*\d.*)")
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
_NOON = 12


class Clock(time):
    """A clock time; `offset` is stated for an hour that the clock shows twice.

    24:00 is the midnight at which the stated date ends: `ends_day`.
    """

    offset: timedelta | None = None
    ends_day: bool = False


def parse_date(text: str) -> date | None:
    """Return the date of `2026-09-12`, `12/9 2026`, `12 sep 2026`, `20260912`; None for any other text."""
    text = text.strip().lower()
    if before := _WEEKDAY.match(text):
        text = text[before.end() :]
    try:
        if match := _ISO.fullmatch(text):
            return date(*map(int, match.groups()))
        if match := _DIGITS.fullmatch(text):
            return date(_year(match[1]), int(match[2]), int(match[3]))
        if match := _DAY_FIRST.fullmatch(text):
            return date(_year(match[3]), int(match[2]), int(match[1]))
        if (match := _NAMED.fullmatch(text)) and (month := find_month(match[2])):
            return date(int(match[3]), month, int(match[1]))
    except ValueError:
        return None
    return None


def find_date_without_year(text: str) -> tuple[int, int, str] | None:
    """Return month, day and the rest of a text that begins with a date without a year: `21/11 19:00`."""
    match = _WITHOUT_YEAR.match(text)
    if match is None or parse_date(text) or parse_date_and_time(text):
        return None
    month = int(match[2]) if match[2] else find_month(match[3].lower())
    return (month, int(match[1]), text[match.end() :]) if month else None


def _year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)  # noqa: PLR2004 - a whole year


def parse_clock(text: str) -> Clock | None:
    """Return the time of `19:00`, `19.00`, `kl 19`, `1900`, `18.3` or a day's fraction; else None."""
    text = text.strip()
    try:
        if match := _FOUR_DIGITS.fullmatch(text):
            text = f"{match[1]}:{match[2]}"
        if _FRACTION.fullmatch(text):
            seconds = round(float(text.replace(",", ".")) * 86400)
            return Clock(seconds // 3600, seconds // 60 % 60, seconds % 60)
        if match := _NUMBER.fullmatch(text):
            text = f"{match[1]}:{match[2]:0<2}"
        match = _CLOCK.fullmatch(text)
        return _clock(match) if match else None
    except ValueError:
        return None


def _clock(match: re.Match[str]) -> Clock:
    hour = int(match[1])
    half = (match[4] or "").lower()
    if half in ("am", "pm"):
        hour = hour % _NOON + (_NOON if half == "pm" else 0)
    seconds, _point, fraction = (match[3] or "0").partition(".")
    ends_day = hour == 24 and int(match[2] or 0) == 0  # noqa: PLR2004 - hours of a day
    clock = Clock(0 if ends_day else hour, int(match[2] or 0), int(seconds), int(fraction.ljust(6, "0")))
    clock.ends_day = ends_day
    if match[5]:
        offset = datetime.fromisoformat(f"2000-01-01T00:00:00{match[5].upper()}").utcoffset()
        clock.offset = offset
    return clock


def parse_date_and_time(text: str) -> tuple[date, Clock] | None:
    """Return the date and time of a text with both; None for any other text."""
    text = text.strip().replace("T", " ") if _ISO.match(text.strip()) else text.strip()
    for split in (match.start() for match in re.finditer(r"\s+", text)):
        day, clock = parse_date(text[:split].rstrip(",")), parse_clock(text[split:])
        if day and clock:
            return day, clock
    return None


def split_range(text: str) -> tuple[str, str]:
    """Return the two parts of `19.00–20.30`; the second is '' if the text is no range."""
    match = _RANGE.fullmatch(text.strip())
    if match and (parse_clock(match[2]) or parse_date_and_time(match[2])):
        return match[1], match[2]
    return text, ""


def parse_duration(text: str) -> timedelta | None:
    """Return the duration of `1:30`, `90`, `ca 90 min` or `1,5 h inkl. paus`; None for any other text."""
    text = _AROUND_DURATION.sub("", text.strip())
    if match := _HOURS_MINUTES.fullmatch(text):
        return timedelta(hours=int(match[1]), minutes=int(match[2]))
    if re.fullmatch(r"\d{1,4}", text):
        return timedelta(minutes=int(text))
    match = _WITH_UNITS.fullmatch(text)
    if match is None or not any(match.groups()):
        return None
    hours = float((match[1] or "0").replace(",", "."))
    return timedelta(hours=hours, minutes=int(match[2] or 0))


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


_WORD = re.compile(r"\(?\b([a-zåäö]{2,10})\b\.?\)?,?", re.IGNORECASE)


def parse_weekday(text: str) -> int | None:
    """Return the number of `lör`, `Lördagen`, `Lö` or `Saturdays`, Monday's is 0; None for any other text."""
    weekday, rest = split_weekday(text)
    return None if rest else weekday


def split_weekday(text: str) -> tuple[int | None, str]:
    """Return the first weekday that a text names, and the text without its weekdays."""
    found: list[int] = []

    def cut(match: re.Match[str]) -> str:
        # Later in a text, words of two letters are none: "10 to 12".
        weekday = find_weekday(match[1], may_be_short=match.start() == 0)
        if weekday is None:
            return match[0]
        found.append(weekday)
        return " "

    rest = _WORD.sub(cut, text.strip())
    return (found[0], " ".join(rest.split())) if found else (None, text)
