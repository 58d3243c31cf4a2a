"""Recurrence rules of iCalendar (RFC 5545, section 3.3.10), followed for a bounded number of days.

No library does: each looks for the next time until the year 9999, and a rule that no day fulfils
(`FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30`) keeps it busy for hours.
"""

import re
from calendar import isleap, monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, date, datetime, time, timedelta
from itertools import product

from django.utils.translation import gettext as _

_WEEKDAYS = {name: number for number, name in enumerate(("MO", "TU", "WE", "TH", "FR", "SA", "SU"))}
_STEPS = {"SECONDLY": "seconds", "MINUTELY": "minutes", "HOURLY": "hours", "DAILY": "days", "WEEKLY": "weeks"}
_WITHIN_DAYS = {"SECONDLY", "MINUTELY", "HOURLY"}
_NUMBERS = {
    "BYMONTH": 12,
    "BYMONTHDAY": 31,
    "BYYEARDAY": 366,
    "BYHOUR": 23,
    "BYMINUTE": 59,
    "BYSECOND": 60,
    "BYSETPOS": 366,
}
_WEEKDAY = re.compile(r"([+-]?[0-9]{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_KNOWN = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", *_NUMBERS}
_LARGEST = 10_000_000


class RuleError(ValueError):
    """A rule cannot be read or followed; the message says why."""


class Effort:
    """How many days or times may be looked at, for all rules of a file together."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise RuleError(_("its rule, with those before it, would take too long to follow"))


@dataclass(frozen=True)
class Rule:
    """A rule; the numbers of each of its BY parts, empty where it has none."""

    frequency: str
    interval: int
    count: int | None
    # As it stands there: a date, a floating time, or a time in UTC.
    until: str
    week_start: int
    weekdays: frozenset[tuple[int, int]]
    by: dict[str, frozenset[int]]

    @property
    def endless(self) -> bool:
        return self.count is None and not self.until


def read_rule(text: str) -> Rule:
    """Return the rule of a text."""
    parts = {
        name.strip().upper(): value.strip().upper()
        for part in text.split(";")
        if part.strip()
        for name, _equals, value in [part.partition("=")]
    }
    unknown = sorted(name for name in parts if name not in _KNOWN and not name.startswith("X-"))
    if unknown:
        raise RuleError(_("its rule has a part that is not read here: %(part)s") % {"part": unknown[0][:40]})
    frequency = parts.get("FREQ", "")
    if frequency not in {*_STEPS, "MONTHLY", "YEARLY"}:
        raise RuleError(_("its rule does not say how often it recurs"))
    return Rule(
        frequency=frequency,
        interval=_natural(parts.get("INTERVAL") or "1"),
        count=_natural(parts["COUNT"]) if parts.get("COUNT") else None,
        until=parts.get("UNTIL", ""),
        week_start=_WEEKDAYS.get(parts.get("WKST", "MO"), 0),
        weekdays=frozenset(_weekdays(parts.get("BYDAY", ""))),
        by={name: frozenset(_numbers(parts.get(name, ""), largest)) for name, largest in _NUMBERS.items()},
    )


def _natural(text: str) -> int:
    if not re.fullmatch("[0-9]{1,8}", text) or not 0 < int(text) <= _LARGEST:
        raise RuleError(_("its rule has a number that cannot be: %(number)s") % {"number": text[:40]})
    return int(text)


def _numbers(text: str, largest: int) -> Iterator[int]:
    for number in filter(None, text.split(",")):
        if not re.fullmatch("[+-]?[0-9]{1,3}", number) or abs(int(number)) > largest:
            raise RuleError(_("its rule has a number that cannot be: %(number)s") % {"number": number[:40]})
        yield int(number)


def _weekdays(text: str) -> Iterator[tuple[int, int]]:
    """Yield each weekday (Monday is 0) with which one of the month or year it is, 0 for each."""
    for day in filter(None, text.split(",")):
        if not (match := _WEEKDAY.fullmatch(day)):
            raise RuleError(_("its rule has a weekday that cannot be: %(day)s") % {"day": day[:40]})
        yield int(match[1] or 0), _WEEKDAYS[match[2]]


def recurrences(
    rule: Rule, start: datetime, first: datetime, last: datetime, effort: Effort
) -> Iterator[datetime]:
    """Yield the times of a rule from `first` to `last`, both included, in order.

    All times are by the wall clock of the zone of `start`, and without it. A start that the rule does
    not fit is not among them.
    """
    found = 0
    for times in _periods(_completed(rule, start), start, first, last, effort):
        for moment in times:
            if moment < start:
                continue
            found += 1
            if moment > last or (rule.count is not None and found > rule.count):
                return
            if moment >= first:
                yield moment


def _completed(rule: Rule, start: datetime) -> Rule:
    """Return a rule with what its start adds to it."""
    by = dict(rule.by)
    stated = bool(rule.weekdays or by["BYMONTHDAY"] or by["BYYEARDAY"])
    weekdays = rule.weekdays
    if rule.frequency == "YEARLY" and not stated:
        by["BYMONTH"] = by["BYMONTH"] or frozenset({start.month})
    if rule.frequency in {"YEARLY", "MONTHLY"} and not stated:
        by["BYMONTHDAY"] = frozenset({start.day})
    if rule.frequency == "WEEKLY" and not stated:
        weekdays = frozenset({(0, start.weekday())})
    clock = {"BYHOUR": start.hour, "BYMINUTE": start.minute, "BYSECOND": start.second}
    if rule.frequency not in _WITHIN_DAYS:
        by |= {name: by[name] or frozenset({number}) for name, number in clock.items()}
    return Rule(rule.frequency, rule.interval, rule.count, rule.until, rule.week_start, weekdays, by)


def _periods(
    rule: Rule, start: datetime, first: datetime, last: datetime, effort: Effort
) -> Iterator[list[datetime]]:
    """Yield the times of each period, in order: of each year, month, week, day, or of each moment."""
    # Only a rule that is counted has to be followed from its very start.
    number = 0 if rule.count is not None else _periods_before(rule, start, first)
    while True:
        try:
            begin, days = _period(rule, start, number)
        except (OverflowError, ValueError):
            return
        if begin > last:
            return
        number += 1
        effort.spend(days)
        yield _times(rule, begin, days)


def _periods_before(rule: Rule, start: datetime, first: datetime) -> int:
    """Return how many periods are surely over before `first`."""
    if rule.frequency == "YEARLY":
        length = timedelta(days=366)
    elif rule.frequency == "MONTHLY":
        length = timedelta(days=31)
    else:
        length = timedelta(**{_STEPS[rule.frequency]: 1})
    return max(0, (first - start) // (length * rule.interval) - 1)


def _period(rule: Rule, start: datetime, number: int) -> tuple[datetime, int]:
    """Return when a period begins, and how many days it has, 0 for a moment."""
    steps = number * rule.interval
    midnight = datetime.combine(start.date(), time())
    if rule.frequency in _WITHIN_DAYS:
        return start + timedelta(**{_STEPS[rule.frequency]: steps}), 1
    if rule.frequency == "DAILY":
        return midnight + timedelta(days=steps), 1
    if rule.frequency == "WEEKLY":
        back = (start.weekday() - rule.week_start) % 7
        return midnight + timedelta(weeks=steps, days=-back), 7
    months = start.year * 12 + (start.month - 1 + steps if rule.frequency == "MONTHLY" else steps * 12)
    year, month = divmod(months, 12)
    if year > MAXYEAR:
        raise OverflowError
    if rule.frequency == "MONTHLY":
        return datetime(year, month + 1, 1), monthrange(year, month + 1)[1]  # noqa: DTZ001 - the wall clock
    return datetime(year, 1, 1), 366 if isleap(year) else 365  # noqa: DTZ001 - the wall clock


def _times(rule: Rule, begin: datetime, days: int) -> list[datetime]:
    if rule.frequency in _WITHIN_DAYS:
        clock = {"BYHOUR": begin.hour, "BYMINUTE": begin.minute, "BYSECOND": begin.second}
        fits = all(not rule.by[name] or number in rule.by[name] for name, number in clock.items())
        times = [begin] if fits and _is_day(rule, begin.date()) else []
    else:
        dates = (begin.date() + timedelta(days=day) for day in range(days) if _within(begin, day))
        times = [
            datetime.combine(each, time(hour, minute, min(second, 59)))
            for each in dates
            if _is_day(rule, each)
            for hour, minute, second in product(*_clock(rule))
        ]
    return _at_positions(times, rule.by["BYSETPOS"])


def _within(begin: datetime, days: int) -> bool:
    return begin.toordinal() + days <= date.max.toordinal()


def _clock(rule: Rule) -> Iterable[list[int]]:
    return (sorted(rule.by[name]) for name in ("BYHOUR", "BYMINUTE", "BYSECOND"))


def _at_positions(times: list[datetime], positions: frozenset[int]) -> list[datetime]:
    if not positions:
        return times
    places = {position - 1 if position > 0 else len(times) + position for position in positions}
    return [moment for place, moment in enumerate(times) if place in places]


def _is_day(rule: Rule, day: date) -> bool:
    """Return whether a rule's parts allow a day."""
    by = rule.by
    if by["BYMONTH"] and day.month not in by["BYMONTH"]:
        return False
    in_month = monthrange(day.year, day.month)[1]
    if by["BYMONTHDAY"] and not {day.day, day.day - in_month - 1} & by["BYMONTHDAY"]:
        return False
    in_year, of_year = 366 if isleap(day.year) else 365, day.timetuple().tm_yday
    if by["BYYEARDAY"] and not {of_year, of_year - in_year - 1} & by["BYYEARDAY"]:
        return False
    if not rule.weekdays:
        return True
    # Which one of its kind a weekday is counts in the month, or in the year where no month is stated.
    monthly = rule.frequency == "MONTHLY" or (rule.frequency == "YEARLY" and by["BYMONTH"])
    place, length = (day.day, in_month) if monthly else (of_year, in_year)
    ordinals = {0, (place - 1) // 7 + 1, -((length - place) // 7 + 1)}
    return any(kind == day.weekday() and ordinal in ordinals for ordinal, kind in rule.weekdays)
