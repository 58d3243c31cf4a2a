"""A day of the programme as a timetable: areas, their places as columns, and time downwards.

On a wide screen the height of a block is its duration. On phones and on paper the same is a list by place.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from feeds.day_layout import (
    MAX_WIDTH,
    MIN_HEIGHT,
    Block,
    MinuteSpan,
    compute_width,
    count_minutes,
    find_day,
    find_span,
    find_visible_hours,
    is_long,
    lay_out_blocks,
    list_hours,
)
from feeds.names import fold, order_name
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, Place
from pages.rows import OccasionRow, RowBuilder, name_place, render_row, write_size_rules

# Minutes: a shorter block has no room for its time above its title.
MIN_FULL_HEIGHT = 45
# What a line of a title takes in minutes, and what is around the title of a low block and of a full one.
LINE, FRAME, FULL_FRAME = 9.75, 4, 14
MAX_LINES = 12
# Places of an area with so few occasions share columns, as far as no two are at once.
MAX_SHARING = 3
# The letters its head has room for.
MAX_HEAD = 24
# How wide a column of no more is.
NARROW = 0.85


class GridBlock(NamedTuple):
    """A row at its place: minutes after the first hour, minutes long, and its lane of how many.

    `lines` of its title have room. `where` is its place in a column of several.
    """

    row: OccasionRow
    top: int
    long: int
    lane: int
    lanes: int
    lines: int
    where: str = ""

    @property
    def is_low(self) -> bool:
        return self.long < MIN_FULL_HEIGHT

    @property
    def place(self) -> str:
        """The classes that place it, of which `DayGrid.rules` has the rules."""
        return f"t{self.top} d{self.long} l{self.lane} n{self.lanes} k{self.lines}"

    @property
    def as_list_item(self) -> SafeString:
        return render_row("grid_block", self, self.row.language)


class GridPlace(NamedTuple):
    """A place of an area; its `name` is None where it has none, and empty where it would be said twice."""

    key: str
    name: str | None
    blocks: list[GridBlock]


class GridColumn(NamedTuple):
    places: list[GridPlace]
    width: float

    @property
    def hundredths(self) -> int:
        """The width for the name of a class."""
        return round(100 * self.width)

    @property
    def shared_by(self) -> str:
        """The names of its places, if they are several."""
        return ", ".join(each.name or "" for each in self.places) if len(self.places) > 1 else ""

    @property
    def head(self) -> str:
        """These names, if there is room for them."""
        return self.shared_by if len(self.shared_by) <= MAX_HEAD else _("Several places")


class GridArea(NamedTuple):
    id: int
    name: str
    columns: list[GridColumn]

    @property
    def hundredths(self) -> int:
        return sum(column.hundredths for column in self.columns)

    @property
    def is_alone(self) -> bool:
        """Whether its head is that of its only place, too."""
        return [place.name for column in self.columns for place in column.places] == [""]


class DayGrid(NamedTuple):
    hours: list[str]
    minutes: int
    areas: list[GridArea]
    long: list[OccasionRow]
    # In minutes; None if it is not within the hours.
    now: int | None = None

    @property
    def rules(self) -> str:
        """The rules of the classes that place columns and blocks, such as `.t60{--t:60}`."""
        columns = [column for area in self.areas for column in area.columns]
        blocks = [block for column in columns for place in column.places for block in place.blocks]
        names = {name for block in blocks for name in block.place.split()} | {f"m{self.minutes}"}
        placed = write_size_rules(names)
        widths = sorted({each.hundredths for parts in (columns, self.areas) for each in parts})
        now = [] if self.now is None else [f".grid{{--now:{self.now}}}"]
        return "".join([placed, *now, *(f".w{each}{{--w:{each / 100:.2f}}}" for each in widths)])


def build_grid(
    snapshot: Snapshot, occasions: Iterable[Occasion], day: date, language: LanguageCode
) -> DayGrid:
    festival, rows = snapshot.programme.site.time, RowBuilder(snapshot, language)
    spans = [(each, find_span(each, day, festival)) for each in occasions]
    placed = [(each, span) for each, span in spans if not is_long(span)]
    shown = find_visible_hours([span for _, span in placed], find_day(day, festival), around=0)
    minutes = shown.ends - shown.begins
    now = count_minutes(snapshot.begins, day, festival) - shown.begins if snapshot.begins else -1
    return DayGrid(
        hours=[clock for _minute, clock in list_hours(shown, day, festival)[:-1]],
        minutes=minutes,
        areas=list(ColumnBuilder(rows, shown, placed).build_areas()),
        long=[rows.build(each) for each, span in spans if is_long(span)],
        now=now if 0 <= now < minutes else None,
    )


PlacedSpan = tuple[Occasion, MinuteSpan]


class PlacedSpans(NamedTuple):
    place: Place | None
    spans: list[PlacedSpan]


NamedSpans = tuple[str | None, PlacedSpans]


class ColumnBuilder:
    """Builds the columns of occasions with their spans, which are within the hours that are shown."""

    def __init__(self, rows: RowBuilder, shown: MinuteSpan, spans: list[PlacedSpan]) -> None:
        self.rows = rows
        self.shown = shown
        self.order = partial(_order, rows.language)
        self.ordered = sorted(spans, key=lambda each: (each[0].event.area.order, self.order(each[0].place)))

    def build_areas(self) -> Iterator[GridArea]:
        for _id, group in groupby(self.ordered, key=lambda each: each[0].event.area.id):
            spans = list(group)
            area = spans[0][0].event.area
            places = [
                PlacedSpans(of_place[0][0].place, of_place)
                for _key, pairs in groupby(spans, key=lambda each: self.order(each[0].place))
                for of_place in [list(pairs)]
            ]
            unsaid = self.rows.unsaid | {fold(area.name), fold(area.full_name)}
            named = [(_name(each.place, unsaid, is_only=len(places) == 1), each) for each in places]
            yield GridArea(area.id, area.name, [self._build(each) for each in _share(named)])

    def _build(self, column: list[NamedSpans]) -> GridColumn:
        laid = list(lay_out_blocks(pair for _, each in column for pair in each.spans))
        places = []
        for name, each in column:
            where = name or "" if len(column) > 1 else ""
            held = {occasion.id for occasion, _ in each.spans}
            blocks = [self._build_block(block, laid, where) for block in laid if block.held.id in held]
            places.append(GridPlace(_key(each.place), name, blocks))
        lanes = max(block.lane.total for block in laid)
        if lanes == 1 and len(laid) <= MAX_SHARING:
            return GridColumn(places, NARROW)
        has_lines = all(block.lines > 1 for place in places for block in place.blocks)
        # A title that has one line alone gets a lane as wide as a column.
        return GridColumn(places, compute_width(lanes) if has_lines else min(lanes, MAX_WIDTH))

    def _build_block(self, block: Block, laid: list[Block], where: str) -> GridBlock:
        begins, ends = block.span
        is_low = ends - begins < MIN_FULL_HEIGHT
        below = (each.span.begins for each in laid if is_low and _is_below(each, block))
        room = min(below, default=self.shown.ends) - begins if is_low else ends - begins
        lines = (room - (FRAME if is_low else FULL_FRAME)) // LINE
        if where and not is_low:
            # The place takes a whole one.
            lines -= 1
        # Without a date: it stands below its hour, in little room.
        times = self.rows.format_clocks(self.rows.snapshot.programme.span(block.held))
        return GridBlock(
            self.rows.build(block.held)._replace(times=times),
            begins - self.shown.begins,
            ends - begins,
            *block.lane,
            lines=int(min(max(lines, 1), MAX_LINES)),
            where=where,
        )


def _order(language: LanguageCode, place: Place | None) -> tuple[Any, ...]:
    if place is None:
        return (1,)
    location, room = (each and order_name(each.name, language) for each in (place.location, place.room))
    return 0, location, place.location.id, room or ""


def _key(place: Place | None) -> str:
    """Return what a browser remembers a place by."""
    if place is None:
        return ""
    return f"r{place.room.id}" if place.room else f"l{place.location.id}"


def _name(place: Place | None, unsaid: set[str], *, is_only: bool) -> str | None:
    if place is None:
        return None
    name = name_place(place, unsaid)
    return "" if is_only and fold(name) in unsaid else name


def _share(places: list[NamedSpans]) -> list[list[NamedSpans]]:
    """Return the places of an area by column."""
    columns: list[list[NamedSpans]] = []
    for each in places:
        free = next((column for column in columns if _is_free(column, each)), None)
        if free:
            free.append(each)
        else:
            columns.append([each])
    return columns


def _is_free(column: list[NamedSpans], added: NamedSpans) -> bool:
    """Return whether a column, and a place that is to share it, have few occasions, and none at once."""
    shared = [*column, added]
    if any(len(each.spans) > MAX_SHARING or each.place is None for _, each in shared):
        return False
    laid = lay_out_blocks(pair for _, each in shared for pair in each.spans)
    return all(block.lane.total == 1 for block in laid)


def _is_below(low: Block, high: Block) -> bool:
    """Return whether one block lies below another one, in one of its lanes."""
    (first, of_first), (second, of_second) = low.lane, high.lane
    is_beside = first * of_second >= (second + 1) * of_first or second * of_first >= (first + 1) * of_second
    return low.span.begins >= max(high.span.ends, high.span.begins + MIN_HEIGHT) and not is_beside
