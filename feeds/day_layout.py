"""Laying a day's occasions out: columns beside each other, minutes downwards, parallel ones in lanes."""

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from feeds.festival_time import FestivalTime

HOUR = 60
# What is longer goes on beside everything else: it stands above the hours, not among them.
MAX_DURATION = 12 * HOUR
# So high is the lowest block, that its title can be read.
MIN_HEIGHT = 15
# The hours that are shown of a day on which little goes on.
FIRST, LAST = 10 * HOUR, 18 * HOUR

# A room that one cannot be in twice at once needs no more; what has many at once is read by opening them.
MAX_WIDTH = 6.0


class HasSpan(Protocol):
    """What is laid out: an occasion as editors or as readers have it."""

    @property
    def id(self) -> int: ...
    @property
    def start(self) -> dt.datetime: ...
    @property
    def end(self) -> dt.datetime: ...


class MinuteSpan(NamedTuple):
    """From when to when something goes on, in minutes of the wall clock since the day's midnight."""

    begins: int
    ends: int


class Lane(NamedTuple):
    """Which of how many lanes of a column."""

    index: int
    of: int


class Block(NamedTuple):
    """Where an occasion stands in its column."""

    held: Any
    span: MinuteSpan
    lane: Lane


def count_minutes(instant: dt.datetime, day: dt.date, festival: FestivalTime) -> int:
    """Return how many minutes after a day's midnight an instant is, as the clock on the wall shows it."""
    midnight = dt.datetime.combine(day, dt.time())
    return (festival.local(instant).replace(tzinfo=None) - midnight) // dt.timedelta(minutes=1)


def find_span(held: HasSpan, day: dt.date, festival: FestivalTime) -> MinuteSpan:
    """Return when an occasion goes on; it ends after it begins."""
    start, end = (count_minutes(instant, day, festival) for instant in (held.start, held.end))
    # In the night when the clock goes back an end may read earlier than its start.
    return MinuteSpan(start, max(end, start + 1))


def is_long(span: MinuteSpan) -> bool:
    """Return whether something stands above the hours."""
    return span.ends - span.begins > MAX_DURATION


def clip_to_day(span: MinuteSpan, first_hour: int) -> MinuteSpan:
    """Return what of a span is drawn: what began the evening before begins with the day."""
    begins = max(span.begins, first_hour * HOUR)
    return MinuteSpan(begins, max(span.ends, begins + 1))


def find_visible_hours(
    spans: list[MinuteSpan], first_hour: int, *, whole_day: bool = False, around: int = HOUR
) -> MinuteSpan:
    """Return the whole hours to show, in minutes: what is taken up, and `around` it at each end."""
    begins, ends = first_hour * HOUR, (first_hour + 24) * HOUR
    first = min((span.begins for span in spans), default=FIRST) // HOUR * HOUR
    last = -(-max((span.ends for span in spans), default=LAST) // HOUR) * HOUR
    if whole_day:
        return MinuteSpan(begins, max(last, ends))
    return MinuteSpan(max(begins, first - around), max(last, min(last + around, ends)))


def lay_out_blocks(column: Iterable[tuple[HasSpan, MinuteSpan]]) -> Iterator[Block]:
    """Yield the blocks of one column; what would lie on each other stands beside each other."""
    ordered = sorted(column, key=lambda each: (each[1].begins, -each[1].ends, each[0].id))
    for together in _runs(ordered):
        free_from: list[int] = []
        placed = []
        for held, span in together:
            index = next((n for n, free in enumerate(free_from) if free <= span.begins), len(free_from))
            free_from[index : index + 1] = [_bottom(span)]
            placed.append((held, span, index))
        yield from (Block(held, span, Lane(index, len(free_from))) for held, span, index in placed)


def _runs(ordered: list[tuple[HasSpan, MinuteSpan]]) -> Iterator[list[tuple[HasSpan, MinuteSpan]]]:
    """Yield those that hang together by lying on each other."""
    run: list[tuple[HasSpan, MinuteSpan]] = []
    until = 0
    for each in ordered:
        if run and each[1].begins >= until:
            yield run
            run = []
        until = max(until, _bottom(each[1])) if run else _bottom(each[1])
        run.append(each)
    if run:
        yield run


def _bottom(span: MinuteSpan) -> int:
    return max(span.ends, span.begins + MIN_HEIGHT)


def compute_width(lanes: int) -> float:
    """Return how wide a column is that is divided into so many lanes at its busiest; a plain one is 1."""
    return min(max(1.0, 0.7 * lanes), MAX_WIDTH)
