"""Moving occasions in time: by days of the calendar and minutes of the wall clock."""

import datetime as dt

from feeds.festival_time import FestivalTime


class SkippedTimeError(ValueError):
    """An occasion would be moved to a time that the wall clock skips: `date`, `clock`."""

    def __init__(self, moved: dt.datetime) -> None:
        super().__init__(f"{moved:%Y-%m-%d %H:%M}")
        self.date, self.clock = moved.date(), moved.time()


def shift(
    start: dt.datetime, end: dt.datetime, by: dt.timedelta, festival: FestivalTime
) -> tuple[dt.datetime, dt.datetime]:
    """Return start and end, aware instants, moved by days and minutes of the wall clock.

    20:00 stays 20:00 if a day is added over a change of the clock. Raises `SkippedTimeError` for times in
    the hour that is skipped, and `OverflowError` for dates beyond the calendar.
    """
    return _shift_instant(start, by, festival), _shift_instant(end, by, festival)


def _shift_instant(instant: dt.datetime, by: dt.timedelta, festival: FestivalTime) -> dt.datetime:
    if not by:
        return instant
    wall = festival.local(instant).replace(tzinfo=None, fold=0) + by
    if not festival.exists(wall.date(), wall.time()):
        raise SkippedTimeError(wall)
    return festival.instant(wall.date(), wall.time())
