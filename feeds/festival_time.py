"""Conversions between instants, wall-clock times and festival days."""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

ONE_DAY = timedelta(days=1)
# Twice as many as the benchmark's 20,000 events have.
SPANS = 1 << 13


class LocalSpan(msgspec.Struct, frozen=True, gc=False):
    """Two instants in local time, in whole seconds, and the festival day of the first."""

    start: datetime
    end: datetime
    day: date

    @property
    def is_long(self) -> bool:
        """Whether the end is 24 hours by the wall clock after the start, or later."""
        # Python subtracts datetimes of one zone as the wall clock shows them.
        return self.end - self.start >= ONE_DAY


class Length(NamedTuple):
    """Days of the calendar, and a length of time beyond them; both may be negative."""

    days: int = 0
    time: timedelta = timedelta()

    @property
    def usual(self) -> timedelta:
        """The length where the clock does not change."""
        return self.days * ONE_DAY + self.time


class SkippedTimeError(ValueError):
    """The wall clock, which jumps forward, does not show `clock` on `date`."""

    def __init__(self, day: date, clock: time) -> None:
        super().__init__(f"{day} {clock:%H:%M}")
        self.date, self.clock = day, clock


class FestivalTime(msgspec.Struct, frozen=True):
    """The festival's time zone, and the hour (0 to 23) at which its days begin."""

    zone_name: str = "Europe/Stockholm"
    first_hour: int = 0

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.zone_name)

    def local(self, instant: datetime) -> datetime:
        return instant.astimezone(self.zone)

    def timestamp(self, instant: datetime) -> str:
        """Return an instant as the interface writes it: in local time, with six fractional digits."""
        return self.local(instant).isoformat(timespec="microseconds")

    def day_of(self, instant: datetime) -> date:
        return _day_of_local(self.local(instant), self.first_hour)

    def is_on(self, occasion: Any, days: Collection[date]) -> bool:
        """Return whether an occasion is held on any of the days, if only in part."""
        first, last = self.day_of(occasion.start), self.day_of(occasion.end - timedelta.resolution)
        held = range(1, (last - first).days + 1)
        return first in days or any(first + number * ONE_DAY in days for number in held)

    def span(self, start: datetime, end: datetime) -> LocalSpan:
        return _span(self, start, end)

    def day_begins(self, day: date) -> datetime:
        """Return the first instant, in UTC, of a festival day."""
        return self.instant(day, time(self.first_hour))

    def instant_of_day(self, day: date, clock: time) -> datetime:
        """Return the instant, in UTC, at which the wall clock shows `clock` on a festival day."""
        return self.instant(self.calendar_date(day, clock), clock)

    def instant(self, day: date, clock: time) -> datetime:
        """Return the instant, in UTC, at which the wall clock shows `clock` on a calendar date.

        If the clock shows the time twice, it is the first instant. An instant before the year 1 or after 9999
        in UTC is replaced by the nearest.
        """
        local = datetime.combine(day, clock.replace(fold=0), self.zone)
        try:
            return local.astimezone(UTC)
        except OverflowError:
            return local.replace(tzinfo=UTC)

    def require(self, day: date, clock: time) -> None:
        """Raise `SkippedTimeError` if the wall clock, which may jump forward, never shows `clock` then."""
        if not self.exists(day, clock):
            raise SkippedTimeError(day, clock)

    def exists(self, day: date, clock: time) -> bool:
        local = self.local(self.instant(day, clock))
        return local.replace(tzinfo=None) == datetime.combine(day, clock)

    def is_long(self, start: datetime, end: datetime) -> bool:
        """Return whether two instants are 24 hours or more apart by the wall clock."""
        return self.span(start, end).is_long

    def calendar_date(self, day: date, clock: time) -> date:
        """Return the date on which a clock time of a festival day falls."""
        return day + ONE_DAY if clock.hour < self.first_hour else day

    def add(self, instant: datetime, length: Length) -> datetime:
        """Return an instant moved by days of the calendar, then by time: 20:00 a day later is 20:00.

        A clock time that occurs twice remains the first or the second. Raise `SkippedTimeError` if the wall
        clock skips the time on that day, and `OverflowError` for dates beyond the calendar.
        """
        moved = self._add_days(instant, length.days) + length.time
        if length.days and not length.time:
            local = self.local(instant)
            self.require(local.date() + length.days * ONE_DAY, local.time())
        return moved

    def distance(self, start: datetime, end: datetime) -> Length:
        """Return the festival days between two instants, and the remaining time."""
        days = (self.day_of(end) - self.day_of(start)).days
        return Length(days, end - self._add_days(start, days))

    def _add_days(self, instant: datetime, days: int) -> datetime:
        local = self.local(instant)
        return (local + days * ONE_DAY).replace(fold=local.fold).astimezone(UTC) if days else instant

    def end_after(self, start: datetime, clock: time, end_date: date | None = None) -> datetime:
        """Return the instant, in UTC, at which the wall clock shows `clock`, after the start if it can.

        Without a date it is on the start's date or the next.
        """
        local = self.local(start)
        end = follow(start, datetime.combine(end_date or local.date(), clock.replace(fold=0), self.zone))
        if end_date or clock > local.time() or end.fold:
            return end.astimezone(UTC)
        return self.instant(local.date() + ONE_DAY, clock)

    def occasion_span(
        self, day: date, start: time, end: time, end_date: date | None = None
    ) -> tuple[datetime, datetime]:
        """Return the start and the end that an editor enters as festival day, clock times and end date."""
        begins = self.instant_of_day(day, start)
        return begins, self.end_after(begins, end, end_date)


def follow(start: datetime, end: datetime) -> datetime:
    """Return an end in local time; if the clock shows it twice, the first that is after the start."""
    later = end.replace(fold=1)
    return later if end.timestamp() <= start.timestamp() < later.timestamp() else end


@lru_cache(SPANS)
def _span(festival: FestivalTime, start: datetime, end: datetime) -> LocalSpan:
    zone = festival.zone
    local_start = start.astimezone(zone).replace(microsecond=0)
    local_end = end.astimezone(zone).replace(microsecond=0)
    return LocalSpan(local_start, local_end, _day_of_local(local_start, festival.first_hour))


def _day_of_local(local: datetime, first_hour: int) -> date:
    return local.date() - ONE_DAY if local.hour < first_hour else local.date()


def build_day_id(day: date) -> int:
    """Return the ID of a festival day: its date as a number (20260729)."""
    return day.year * 10_000 + day.month * 100 + day.day
