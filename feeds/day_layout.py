"""The layout of a day: columns beside each other, minutes downwards, parallel occasions in lanes."""

import datetime as dt
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from feeds.festival_time import ONE_DAY, FestivalTime

HOUR = 60
DAY = 24 * HOUR
MINUTE = dt.timedelta(minutes=1)
# Longer occasions are shown apart from the hours, not among them.
MAX_DURATION = 12 * HOUR
# The least height of a block in minutes, so that its title can be read.
MIN_HEIGHT = 15
# The most tabs that fit; of more days, the number on either side of the shown day that are tabs.
MAX_TABS, TABS_AROUND = 21, 7
# The hours that a day without occasions shows.
FIRST, LAST = 10 * HOUR, 18 * HOUR


class HasSpan(Protocol):
    """An occasion to lay out: of the models, or of a snapshot."""

    @property
    def id(self) -> int: ...
    @property
    def start(self) -> dt.datetime: ...
    @property
    def end(self) -> dt.datetime: ...


class MinuteSpan(NamedTuple):
    """The start and end of an occasion, in minutes of the day."""

    begins: int
    ends: int


class Lane(NamedTuple):
    """The number of a lane, from 0, and how many lanes there are beside each other."""

    number: int
    total: int


class Block(NamedTuple):
    occasion: Any
    span: MinuteSpan
    lane: Lane


def count_minutes(instant: dt.datetime, day: dt.date, festival: FestivalTime) -> int:
    """Return the minute of a festival day at an instant.

    Minutes are numbered from the clock time at which the day begins, without a gap or a repetition in the
    nights in which the clock changes.
    """
    return festival.first_hour * HOUR + (instant - festival.day_begins(day)) // MINUTE


def find_instant(minute: int, day: dt.date, festival: FestivalTime) -> dt.datetime:
    """Return the instant, in UTC, at which a minute of a festival day begins."""
    return festival.day_begins(day) + (minute - festival.first_hour * HOUR) * MINUTE


def find_day(day: dt.date, festival: FestivalTime) -> MinuteSpan:
    """Return the first minute of a festival day, and the first after it: 23 to 25 hours later."""
    ends = count_minutes(festival.day_begins(day + ONE_DAY), day, festival)
    return MinuteSpan(festival.first_hour * HOUR, ends)


def list_hours(shown: MinuteSpan, day: dt.date, festival: FestivalTime) -> list[tuple[int, str]]:
    """Return the minute and the clock time of each hour in a span."""
    hours = range(shown.begins, shown.ends + 1, HOUR)
    return [(each, f"{festival.local(find_instant(each, day, festival)):%H:%M}") for each in hours]


def find_span(occasion: HasSpan, day: dt.date, festival: FestivalTime) -> MinuteSpan:
    """Return the span of an occasion, of at least a minute."""
    start, end = (count_minutes(instant, day, festival) for instant in (occasion.start, occasion.end))
    return MinuteSpan(start, max(end, start + 1))


def is_long(span: MinuteSpan, longest: int = MAX_DURATION) -> bool:
    """Return whether an occasion is shown apart from the hours."""
    return span.ends - span.begins > longest


def clip_to_day(span: MinuteSpan, first_hour: int) -> MinuteSpan:
    """Return the part of a span that is drawn: it begins with the day at the earliest."""
    begins = max(span.begins, first_hour * HOUR)
    return MinuteSpan(begins, max(span.ends, begins + 1))


def find_visible_hours(spans: list[MinuteSpan], day: MinuteSpan, around: int = HOUR) -> MinuteSpan:
    """Return the span of the hours to show: the hours of the spans, and `around` minutes at each end."""
    begins, ends = day
    first = min((span.begins for span in spans), default=FIRST) // HOUR * HOUR
    last = -(-max((span.ends for span in spans), default=LAST) // HOUR) * HOUR
    return MinuteSpan(max(begins, first - around), max(last, min(last + around, ends)))


def lay_out_blocks(column: Iterable[tuple[HasSpan, MinuteSpan]]) -> Iterator[Block]:
    """Yield the blocks of a column; blocks that overlap, directly or in a chain, stand in lanes."""
    runs: list[tuple[list[int], list[tuple[HasSpan, MinuteSpan, int]]]] = []
    for occasion, span in sorted(column, key=lambda each: (each[1].begins, -each[1].ends, each[0].id)):
        if not runs or span.begins >= max(runs[-1][0]):
            runs.append(([], []))
        free_from, placed = runs[-1]
        lane = next((n for n, free in enumerate(free_from) if free <= span.begins), len(free_from))
        free_from[lane : lane + 1] = [max(span.ends, span.begins + MIN_HEIGHT)]
        placed.append((occasion, span, lane))
    for free_from, placed in runs:
        yield from (Block(each, span, Lane(lane, len(free_from))) for each, span, lane in placed)


def compute_width(blocks: Iterable[Block], lane_width: float, most: float) -> float:
    """Return the width of a column from the number of its lanes; a column with one lane has 1."""
    return min(max(1.0, lane_width * max((each.lane.total for each in blocks), default=1)), most)


def choose_tabs(days: list[dt.date], shown: dt.date) -> list[dt.date]:
    """Return the days that are tabs on the page of a day."""
    if len(days) <= MAX_TABS:
        return days
    middle = sum(day < shown for day in days)
    first = min(max(middle - TABS_AROUND, 0), len(days) - 2 * TABS_AROUND - 1)
    return days[first : first + 2 * TABS_AROUND + 1]


class DayLayout:
    """A day's occasions by the keys of their columns: as `blocks` among the hours, or `long`."""

    def __init__(
        self,
        day: dt.date,
        festival: FestivalTime,
        occasions: Iterable[tuple[Hashable, HasSpan]],
        *,
        longest: int = MAX_DURATION,
        around: int = HOUR,
    ) -> None:
        self._day, self._festival = day, festival
        self.spans: dict[int, MinuteSpan] = {}
        self.long, short = defaultdict[Any, list[Any]](list), defaultdict[Any, list[Any]](list)
        for key, each in occasions:
            span = self.spans[each.id] = find_span(each, day, festival)
            column = (self.long if is_long(span, longest) else short)[key]
            column.append((each, clip_to_day(span, festival.first_hour)))
        drawn = [span for column in short.values() for _each, span in column]
        self.hours = find_visible_hours(drawn, find_day(day, festival), around)
        self.blocks = {key: list(lay_out_blocks(column)) for key, column in short.items()}

    @property
    def minutes(self) -> int:
        return self.hours.ends - self.hours.begins

    def list_hours(self) -> list[tuple[int, str]]:
        """Return each hour, in minutes after the first, and its clock time."""
        hours = list_hours(self.hours, self._day, self._festival)
        return [(minute - self.hours.begins, clock) for minute, clock in hours]
