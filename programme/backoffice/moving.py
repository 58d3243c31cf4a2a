"""Moving occasions in time, as people mean it: days by the calendar, minutes by the clock on the wall."""

import datetime as dt

from feeds.festival_time import FestivalTime


class SkippedTimeError(ValueError):
    """The wall clock never shows the time that an occasion would be moved to: `date`, `clock`."""

    def __init__(self, moved: dt.datetime) -> None:
        super().__init__(f"{moved:%Y-%m-%d %H:%M}")
        self.date, self.clock = moved.date(), moved.time()


def shift(
    start: dt.datetime, end: dt.datetime, by: dt.timedelta, festival: FestivalTime
) -> tuple[dt.datetime, dt.datetime]:
    """Return start and end, aware instants, moved by days and minutes of the wall clock.

    So that 20:00 stays 20:00 when a day is added over a change of the clock. Raises `SkippedTimeError` for
    what would fall into the hour that is jumped over, `OverflowError` for what no calendar has.
    """
    return _moved(start, by, festival), _moved(end, by, festival)


def _moved(instant: dt.datetime, by: dt.timedelta, festival: FestivalTime) -> dt.datetime:
    if not by:
        return instant
    wall = festival.local(instant).replace(tzinfo=None, fold=0) + by
    if not festival.exists(wall.date(), wall.time()):
        raise SkippedTimeError(wall)
    return festival.instant(wall.date(), wall.time())
