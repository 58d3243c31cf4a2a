"""Reads iCalendar files line by line, and follows their rules by dateutil."""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from tests.real_data.schedules import HALF_AN_HOUR
from tests.real_data.showings import Counts, Showing, split_mark

DAY = timedelta(days=1)
# The names of zones that are no names of the zone database, as these files have them.
ZONES = {
    "W. Europe Standard Time": "Europe/Berlin",
    "Pacific Standard Time": "America/Los_Angeles",
    "(GMT+10:00) Canberra, Melbourne, Sydney": "Australia/Sydney",
    "(UTC-05:00) Eastern Time (US & Canada)": "America/New_York",
}
_PROPERTY = re.compile(r'([A-Z0-9-]+)((?:;[A-Z-]+=(?:"[^"]*"|[^;:]*))*):?(.*)', re.DOTALL)
_PARAMETER = re.compile(r';([A-Z-]+)=(?:"([^"]*)"|([^;:]*))')
_ESCAPED = re.compile(r"\\(.)")


class Value(NamedTuple):
    text: str
    parameters: dict[str, str]


Component = dict[str, Value]
Days = tuple[date, date] | None


def read_calendar(path: Path, zone: ZoneInfo, days: Days = None) -> Iterator[Showing]:
    """Yield the showings; what recurs on these days alone, if any are given."""
    components, floating = _read_components(path.read_text(encoding="utf-8"), zone)
    titles: dict[str, set[str]] = defaultdict(set)
    for number, component in enumerate(components):
        titles[_identity(component, number)].add(_text(component, "SUMMARY"))
    moved = {_occurrence(each, _moment(each, "RECURRENCE-ID", floating)) for each in components}
    recurring = {_text(each, "UID") for each in components if "RRULE" in each}
    for number, component in enumerate(components):
        identity = _identity(component, number)
        is_moved = "RECURRENCE-ID" in component and _text(component, "UID") in recurring
        for start in _starts(component, floating, days):
            if is_moved and not _within(_instant(start, zone), days, zone):
                continue
            if "RRULE" in component and _occurrence(component, start) in moved:
                continue
            yield _build(component, start, floating, zone, (identity, _text(component, "SUMMARY")))


def _read_components(text: str, zone: ZoneInfo) -> tuple[list[Component], ZoneInfo]:
    components: list[Component] = []
    inside: list[str] = []
    for name, value in _read_properties(text):
        if name == "BEGIN":
            inside.append(value.text)
            if value.text == "VEVENT":
                components.append({})
        elif name == "END":
            inside.pop()
        elif inside[-1:] == ["VEVENT"]:
            components[-1].setdefault(name, value)
        elif name == "X-WR-TIMEZONE":
            zone = ZoneInfo(value.text)
    return components, zone


def _read_properties(text: str) -> Iterator[tuple[str, Value]]:
    unfolded = re.sub(r"\r?\n[ \t]", "", text)
    for line in filter(None, unfolded.splitlines()):
        if match := _PROPERTY.fullmatch(line):
            parameters = {name: quoted or plain for name, quoted, plain in _PARAMETER.findall(match[2])}
            yield match[1], Value(match[3], parameters)


def _text(component: Component, name: str) -> str:
    value = component[name].text if name in component else ""
    return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value).strip()


def _identity(component: Component, number: int) -> str:
    return _text(component, "UID") or _text(component, "SUMMARY") or str(number)


def _moment(component: Component, name: str, floating: ZoneInfo) -> date | datetime | None:
    """Return a day, or a time with its zone."""
    if name not in component:
        return None
    text, parameters = component[name]
    stated = parameters.get("TZID", "")
    if not text:
        # ms_timezones.ics has the value inside the quotation marks of the zone.
        stated, _colon, text = stated.rpartition(":")
    zone = ZoneInfo(ZONES.get(stated, stated)) if stated else floating
    if not text[:8].isdigit():
        return None
    if len(text) == len("20260728"):
        return datetime.strptime(text, "%Y%m%d").date()  # noqa: DTZ007 - a day
    moment = datetime.strptime(text.removesuffix("Z"), "%Y%m%dT%H%M%S")  # noqa: DTZ007 - a zone follows
    return moment.replace(tzinfo=UTC if text.endswith("Z") else zone)


def _starts(component: Component, floating: ZoneInfo, days: Days) -> Iterator[date | datetime]:
    start = _moment(component, "DTSTART", floating)
    if "RRULE" not in component or start is None:
        # One of these begins “Next Year”.
        yield from [start] if start else []
        return
    zone = start.tzinfo if isinstance(start, datetime) else floating
    clock = start.time() if isinstance(start, datetime) else time()
    first = datetime.combine(start, clock)
    rule = rrulestr(_in_wall_time(component["RRULE"].text, zone), dtstart=first)
    begin, end = days or (start, start + 10 * 366 * DAY)
    left_out = set(component["EXDATE"].text.split(",")) if "EXDATE" in component else set()
    last = datetime.combine(end, time()) + 2 * DAY
    # A start is a time of its series, even where its rule leaves it out.
    for each in sorted({first, *rule.between(datetime.combine(begin, time()) - DAY, last, inc=True)}):
        if f"{each:%Y%m%dT%H%M%S}" not in left_out:
            found = each.replace(tzinfo=zone) if isinstance(start, datetime) else each.date()
            if _within(_instant(found, floating), days, floating):
                yield found


def _in_wall_time(rule: str, zone: ZoneInfo) -> str:
    """Return a rule that ends at a clock time of its zone, because its start has no zone for dateutil."""

    def convert(match: re.Match[str]) -> str:
        until = datetime.strptime(match[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).astimezone(zone)
        return f"UNTIL={until:%Y%m%dT%H%M%S}"

    return re.sub(r"UNTIL=(\d{8}T\d{6}Z)", convert, rule)


def _within(instant: datetime, days: Days, zone: ZoneInfo) -> bool:
    return days is None or days[0] <= instant.astimezone(zone).date() <= days[1]


def _instant(moment: date | datetime, zone: ZoneInfo) -> datetime:
    return moment if isinstance(moment, datetime) else datetime.combine(moment, time(), zone)


def _occurrence(component: Component, moment: date | datetime | None) -> tuple[str, str]:
    """Return what identifies a time of a series; none here has two on a day."""
    return _text(component, "UID"), f"{moment:%Y-%m-%d}" if moment else ""


def _build(
    component: Component, start: date | datetime, floating: ZoneInfo, zone: ZoneInfo, event: tuple[str, str]
) -> Showing:
    first, last = (_moment(component, name, floating) for name in ("DTSTART", "DTEND"))
    begin = _instant(start, zone)
    if last is not None:
        end = begin + (_instant(last, zone) - _instant(first, zone))
    else:
        end = begin + (DAY if not isinstance(start, datetime) else HALF_AN_HOUR)
    if end <= begin:
        end = begin + HALF_AN_HOUR
    if not isinstance(start, datetime):
        # In words, midnight would be the next day.
        end -= timedelta(minutes=1)
    place = _text(component, "LOCATION").partition("\n")[0]
    title, is_marked = split_mark(_text(component, "SUMMARY"))
    cancelled = is_marked or _text(component, "STATUS") == "CANCELLED"
    return Showing(title, begin.astimezone(UTC), end.astimezone(UTC), place, "", cancelled, event)


def count_components(path: Path) -> Counts:
    """Return the different identities, the components and the different places, as they are written."""
    components, _zone = _read_components(path.read_text(encoding="utf-8"), ZoneInfo("UTC"))
    identities = {_identity(component, number) for number, component in enumerate(components)}
    places = {_text(each, "LOCATION") for each in components}
    return Counts(len(identities), len(components), len(places), None)
