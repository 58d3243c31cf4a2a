"""Finds the times of a calendar's component: one, or those of its rule on the festival's days."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from icalendar import Calendar, Event, vDDDLists, vDDDTypes, vDuration, vRecur
from recurring_ical_events import of

from feeds.festival_time import ONE_DAY, FestivalTime, Length, follow
from programme.exchange.readers.entries import LAST_MINUTE
from programme.exchange.readers.ical.lines import Component
from programme.exchange.readers.ical.rules import RuleError, parse_rule
from programme.exchange.readers.ical.zones import DateOrTime, Zones, parse_time

_MOST_TIMES = 2000
_TOO_OFTEN = gettext_lazy("it recurs more than %(count)d times")
# How far a series is followed while it is not known which days the festival has.
_FAR = timedelta(days=3660)
_FAR_YEAR = re.compile("^(2[2-9]|[3-9].)..")
_NUMBER = "X-NUMBER"


class ComponentTime(NamedTuple):
    """One time of a component, which is the exception where one replaces that time of the series.

    `identity` is the original start, which identifies it after it was moved. `end` is None if the file states
    none.
    """

    component: Component
    identity: datetime
    start: datetime
    end: datetime | None


@dataclass(frozen=True)
class CalendarWindow:
    """The zones of a calendar, and the festival's days, none where none are known."""

    zones: Zones
    time: FestivalTime
    days: frozenset[date]

    def holds(self, instant: datetime) -> bool:
        return not self.days or self.time.day_of(instant) in self.days

    def to_instant(self, stated: DateOrTime) -> datetime:
        """Return the instant of a time, or the first of a festival day."""
        return stated.astimezone(UTC) if isinstance(stated, datetime) else self.time.day_begins(stated)

    def to_end(self, stated: DateOrTime) -> datetime:
        """Return the instant at which something ends; before a date, in the last minute of the day before."""
        is_time = isinstance(stated, datetime)
        return self.to_instant(stated) if is_time else self.time.instant(stated - ONE_DAY, LAST_MINUTE)

    def find_time(self, component: Component, name: str) -> DateOrTime | None:
        """Return the date or time of a component's property; None without a readable one."""
        stated = component.find(name)
        return self.zones.parse(stated) if stated else None

    def find_clock(self, component: Component) -> tzinfo:
        """Return the zone of a component's clock times: the calendar's, unless it states another than UTC."""
        start = self.find_time(component, "DTSTART")
        stated = start.tzinfo if isinstance(start, datetime) else None
        return self.zones.floating if stated in (None, UTC) else stated


def is_recurring(component: Component) -> bool:
    return component.find("RRULE") is not None or component.find("RDATE") is not None


def find_end(component: Component, start: DateOrTime, window: CalendarWindow) -> DateOrTime | None:
    end = window.find_time(component, "DTEND")
    duration = None if component.find("DTEND") else _parse_duration(component.text("DURATION"))
    if isinstance(start, datetime):
        if duration is not None:
            moved = (start + duration.days * ONE_DAY).replace(fold=start.fold)
            return moved.astimezone(UTC) + duration.time
        return window.to_instant(follow(start, end) if isinstance(end, datetime) else end) if end else None
    if duration is not None:
        end = start - (-duration.usual // ONE_DAY) * ONE_DAY
    return max(end, start + ONE_DAY) if end and not isinstance(end, datetime) else start + ONE_DAY


def _parse_duration(text: str) -> Length | None:
    """Return a duration, a negative one as none at all: only what it states in days or weeks is of days."""
    stated = text.strip().upper()
    dates = stated.partition("T")[0]
    try:
        duration: timedelta = vDuration.from_ical(stated)  # type: ignore[no-untyped-call]
        days: int = vDuration.from_ical(dates).days if dates[-1:] in {"D", "W"} else 0  # type: ignore[no-untyped-call]
    except (ValueError, OverflowError):
        return None
    if abs(duration) >= _FAR:
        return None
    return Length(days, duration - days * ONE_DAY) if duration > timedelta() else Length()


def build_single_time(component: Component, start: DateOrTime, window: CalendarWindow) -> ComponentTime:
    begin = window.to_instant(start)
    original = window.find_time(component, "RECURRENCE-ID")
    identity = window.to_instant(_like(original, start)) if original else begin
    end = find_end(component, start, window)
    return ComponentTime(component, identity, begin, window.to_end(end) if end else None)


def find_recurring_times(
    component: Component, exceptions: Sequence[Component], window: CalendarWindow
) -> tuple[list[ComponentTime], bool]:
    """Return the times of a series on the festival's days, and whether it has others.

    Raises `RuleError` for a rule that is not followed.
    """
    start = window.find_time(component, "DTSTART")
    if start is None:
        return [], False
    dates = (_date_of(start) - _FAR, _date_of(start) + _FAR)
    if window.days:
        # Zones are up to a day apart, and a festival day begins late.
        dates = (min(window.days) - 2 * ONE_DAY, max(window.days) + 3 * ONE_DAY)
    series = Calendar()
    sources = [component, *exceptions]
    for number, source in enumerate(sources):
        series.add_component(_build_event(source, number, start, window))
    found = [
        _time_of(each, series.subcomponents[int(each[_NUMBER])], sources[int(each[_NUMBER])], window)
        for each in of(series).between(*dates)
    ]
    if len(found) > _MOST_TIMES:
        raise RuleError(_TOO_OFTEN % {"count": _MOST_TIMES})
    taken = sorted((each for each in found if window.holds(each.start)), key=lambda each: each.identity)
    return taken, len(taken) < len(found) or not window.holds(window.to_instant(start))


def _like(stated: DateOrTime, start: DateOrTime) -> DateOrTime:
    """Return a date or a time, whichever the start of its series is."""
    if not isinstance(start, datetime):
        return _date_of(stated)
    return stated if isinstance(stated, datetime) else datetime.combine(stated, start.timetz())


def _build_event(source: Component, number: int, series_start: DateOrTime, window: CalendarWindow) -> Any:
    original = window.find_time(source, "RECURRENCE-ID") if number else None
    start = window.find_time(source, "DTSTART") or original or series_start
    event = Event({"UID": "series", _NUMBER: number, "DTSTART": vDDDTypes(start)})
    if original:
        if "RANGE" in source.find_all("RECURRENCE-ID")[0].parameters:
            raise RuleError(_("it moves all times from one on, which is not read here"))
        event["RECURRENCE-ID"] = vDDDTypes(_like(original, series_start))
        return event
    for name in ("RDATE", "EXDATE"):
        event[name] = vDDDLists(_listed(source, name, series_start, window))
    event["RRULE"] = [
        vRecur.from_ical(_complete_rule(each.value, series_start, window))
        for each in source.find_all("RRULE")
    ]
    return event


def _listed(source: Component, name: str, start: DateOrTime, window: CalendarWindow) -> list[DateOrTime]:
    texts = [(each, text) for each in source.find_all(name) for text in each.value.split(",")]
    if len(texts) > _MOST_TIMES:
        raise RuleError(_TOO_OFTEN % {"count": _MOST_TIMES})
    # Of a period, its start.
    found = (window.zones.parse(stated, text.partition("/")[0]) for stated, text in texts)
    return [_like(each, start) for each in found if each]


def _complete_rule(text: str, start: DateOrTime, window: CalendarWindow) -> str:
    """Return a rule that ends as its file means it."""
    rule = parse_rule(text)
    if not window.days and not {"COUNT", "UNTIL"} & rule.keys():
        raise RuleError(_("it recurs without an end, and it is not known which days the festival has"))
    if "UNTIL" in rule:
        # The start is a time of its series even where the rule ends before it.
        until: Any = max(_until(rule["UNTIL"], start, window), start)
        rule["UNTIL"] = f"{until:%Y%m%d}"
        if isinstance(until, datetime):
            rule["UNTIL"] = f"{until.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    return ";".join(f"{name}={value}" for name, value in rule.items())


def _date_of(stated: DateOrTime) -> date:
    return stated.date() if isinstance(stated, datetime) else stated


def _until(text: str, start: DateOrTime, window: CalendarWindow) -> Any:
    """Return the last date or time that a rule allows; a date is meant with its whole day."""
    zone = start.tzinfo if isinstance(start, datetime) else window.zones.floating
    until = parse_time(_FAR_YEAR.sub("2199", text), zone or UTC)
    if until is None:
        raise RuleError(_("the end of its rule cannot be read: %(until)s") % {"until": text[:40]})
    if not isinstance(start, datetime):
        # Exchange states midnight as an instant.
        return until.astimezone(zone).date() if isinstance(until, datetime) else until
    return until if isinstance(until, datetime) else datetime.combine(until, time(23, 59, 59), zone)


def _time_of(found: Any, event: Any, source: Component, window: CalendarWindow) -> ComponentTime:
    start, first = found["DTSTART"].dt, event["DTSTART"].dt
    original = event["RECURRENCE-ID"].dt if "RECURRENCE-ID" in event else start
    end = find_end(source, start, window)
    if end and source.find("DTEND"):
        stated: Any = find_end(source, first, window)
        if isinstance(stated, datetime):
            stated = stated.astimezone(first.tzinfo)
        # Each ends when the clock shows what it shows at the end of the first.
        end = start + (stated - first)
    end = window.to_end(end) if end else None
    return ComponentTime(source, window.to_instant(original), window.to_instant(start), end)
