"""When a component of a calendar takes place: once, or on those festival days that its rule names."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

from django.utils.translation import gettext as _

from feeds.festival_time import ONE_DAY, FestivalTime
from programme.exchange.readers.ical.lines import Component, Property
from programme.exchange.readers.ical.rules import Effort, Rule, RuleError, read_rule, recurrences
from programme.exchange.readers.ical.times import Duration, Moment, Zones, instant, read_duration, read_wall
from programme.exchange.readers.times import has_other_year

_MOST_TIMES = 2000
_RECURS = ("RRULE", "RDATE")


class Times(NamedTuple):
    """One time of a component: the instant that tells it from the others, and when it begins and ends.

    `end` is None where the file does not tell.
    """

    identity: datetime
    start: datetime
    end: datetime | None


@dataclass(frozen=True)
class CalendarWindow:
    """What times are read against: a calendar's zones, and the festival's days, none where none are known."""

    zones: Zones
    time: FestivalTime
    days: frozenset[date]
    effort: Effort

    def holds(self, begins: datetime) -> bool:
        return not self.days or self.time.day_of(begins) in self.days

    def instant(self, moment: Moment) -> datetime:
        """Return the instant of a moment; of a date, the first of its festival day."""
        if moment.zone is None:
            return self.time.day_begins(moment.wall.date())
        return instant(moment.wall, moment.zone)


def recurs(component: Component) -> bool:
    return any(component.first(name) for name in _RECURS)


def start_of(component: Component, frame: CalendarWindow) -> Moment | None:
    """Return when a component begins, None where that cannot be read."""
    stated = component.first("DTSTART")
    # Near the ends of the calendar nothing can be reckoned.
    if stated is None or has_other_year(stated.value):
        return None
    return frame.zones.moment(stated, stated.value)


def identity_of(component: Component, start: Moment, frame: CalendarWindow) -> datetime | None:
    """Return which time of what begins at `start` a component is an exception from; None where it is none."""
    stated = component.first("RECURRENCE-ID")
    if stated is None or has_other_year(stated.value):
        return None
    moment = frame.zones.moment(stated, stated.value)
    return _identity(moment, start, frame) if moment else None


def _identity(moment: Moment, start: Moment, frame: CalendarWindow) -> datetime:
    """Return the instant of a moment, which may be a date where `start` is a time, and vice versa."""
    if start.zone is None:
        return frame.time.day_begins(moment.wall.date())
    if moment.zone is None:
        return instant(datetime.combine(moment.wall, start.wall.time()), start.zone)
    return instant(moment.wall, moment.zone)


def length_of(component: Component, start: Moment, frame: CalendarWindow) -> Duration | None:
    """Return how long a component lasts, None where the file does not tell."""
    if stated := component.first("DTEND"):
        end = frame.zones.moment(stated, stated.value)
        if end is None:
            return None
        if start.is_date and end.is_date:
            return Duration(end.wall - start.wall, timedelta())
        return Duration(timedelta(), frame.instant(end) - frame.instant(start))
    if stated := component.first("DURATION"):
        length = read_duration(stated.value)
        if length and start.is_date:
            # Whole days, however they are written: PT86400S is one.
            return Duration(length.days + timedelta(days=-(-length.exact // ONE_DAY)), timedelta())
        return length
    return Duration(ONE_DAY, timedelta()) if start.is_date else None


def time_at(start: Moment, length: Duration | None, frame: CalendarWindow) -> Times:
    """Return a time that begins at a moment and lasts as long as is stated."""
    begins = frame.instant(start)
    if start.zone is None:
        days = max(ONE_DAY, length.days if length else ONE_DAY)
        return Times(begins, begins, frame.time.day_begins((start.wall + days).date()))
    if length is None:
        return Times(begins, begins, None)
    return Times(begins, begins, instant(start.wall + length.days, start.zone) + length.exact)


def times_of(component: Component, frame: CalendarWindow) -> tuple[list[Times], int]:
    """Return the times of a component that recurs, in order, and how many are on none of the festival's days.

    Raises `RuleError` for a rule that cannot be followed.
    """
    start = start_of(component, frame)
    if start is None:
        return [], 0
    length = length_of(component, start, frame)
    excluded = {_identity(each, start, frame) for each, _length in _listed(component, "EXDATE", frame)}
    found = {each.identity: each for each in _all_times(component, start, length, frame)}
    taken = [found[each] for each in sorted(found) if each not in excluded and frame.holds(found[each].start)]
    outside = sum(not frame.holds(each.start) for identity, each in found.items() if identity not in excluded)
    return taken, outside


def _all_times(
    component: Component, start: Moment, length: Duration | None, frame: CalendarWindow
) -> Iterator[Times]:
    yield time_at(start, length, frame)
    for moment, own_length in _listed(component, "RDATE", frame):
        if moment.is_date and start.zone:
            moment = Moment(datetime.combine(moment.wall, start.wall.time()), start.zone)  # noqa: PLW2901
        yield time_at(moment, own_length or length, frame)
    for stated in component.all("RRULE"):
        if stated.value.strip():
            for number, wall in enumerate(_walls(stated, start, frame)):
                if number == _MOST_TIMES:
                    raise RuleError(_("it recurs more than %(count)d times") % {"count": _MOST_TIMES})
                yield time_at(Moment(wall, start.zone), length, frame)


def _walls(stated: Property, start: Moment, frame: CalendarWindow) -> Iterator[datetime]:
    rule = read_rule(stated.value)
    if not frame.days and rule.endless:
        raise RuleError(_("it recurs without an end, and it is not known which days the festival has"))
    first, last = start.wall, datetime.max  # noqa: DTZ901 - the wall clock
    if frame.days:
        # Two days more on either side: zones are up to a day apart, and a festival day begins late.
        first = datetime.combine(min(frame.days), start.wall.time()) - 2 * ONE_DAY
        last = datetime.combine(max(frame.days), start.wall.time()) + 3 * ONE_DAY
    within = _until(rule)
    if within:
        last = min(last, within[0] + ONE_DAY)
    for wall in recurrences(rule, start.wall, max(first, start.wall), last, frame.effort):
        if within is None or _not_after(wall, within, start.zone or frame.zones.floating):
            yield wall


def _until(rule: Rule) -> tuple[datetime, bool, bool] | None:
    if not rule.until:
        return None
    until = read_wall(rule.until)
    if until is None:
        raise RuleError(_("the end of its rule cannot be read: %(until)s") % {"until": rule.until[:40]})
    return until


def _not_after(wall: datetime, until: tuple[datetime, bool, bool], zone: tzinfo) -> bool:
    """Return whether a time is not after the end of its rule: a date, a wall-clock time, or one in UTC."""
    end, has_time, utc = until
    if not has_time:
        return wall.date() <= end.date()
    return instant(wall, zone) <= end.replace(tzinfo=UTC) if utc else wall <= end


def _listed(
    component: Component, name: str, frame: CalendarWindow
) -> Iterator[tuple[Moment, Duration | None]]:
    """Yield the moments that a property lists, with their lengths where they are periods."""
    for stated in component.all(name):
        for text in stated.value.split(","):
            begin, _slash, end = text.partition("/")
            moment = frame.zones.moment(stated, begin)
            if moment is None:
                continue
            ends = frame.zones.moment(stated, end) if end else None
            exact = frame.instant(ends) - frame.instant(moment) if ends else None
            yield moment, read_duration(end) if exact is None else Duration(timedelta(), exact)
