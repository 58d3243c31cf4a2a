"""A day as a timetable with a column for each place; on phones and on paper, a list by place."""

from collections.abc import Iterable, Iterator
from datetime import date
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from feeds.day_layout import HOUR, MIN_HEIGHT, Block, DayLayout, compute_width, count_minutes
from feeds.names import divide, fold, order_name
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, Place
from feeds.wording import format_clocks
from pages.rows import OccasionRow, RowBuilder, name_place, render_row

# Longer occasions are listed beside the timetable.
LONGEST = 6 * HOUR
# Minutes: a shorter block has no room for its time above its title.
MIN_FULL_HEIGHT = 45
# In minutes: the height of a line of a title, and of the rest of a low block and of a full one.
LINE, FRAME, FULL_FRAME = 9.75, 4, 14
MAX_LINES = 12
# In widths of a plain column: a lane, which fits most words, and the widest place.
LANE_WIDTH, MAX_WIDTH = 0.85, 6.0


class GridBlock(NamedTuple):
    """A row with its position: minutes after the first hour, length in minutes, lane, lines of title."""

    row: OccasionRow
    top: int
    long: int
    lane: int
    lanes: int
    lines: int

    @property
    def hour(self) -> int:
        return self.top // HOUR

    @property
    def is_low(self) -> bool:
        return self.long < MIN_FULL_HEIGHT

    @property
    def title(self) -> str:
        return divide(self.row.title)

    @property
    def place(self) -> str:
        """The classes for its position, which `DayGrid.rules` defines."""
        return f"t{self.top} d{self.long} l{self.lane} n{self.lanes} k{self.lines}"

    @property
    def as_list_item(self) -> SafeString:
        return render_row("grid_block", self, self.row)


class GridColumn(NamedTuple):
    """A place of an area; its `name` is None without a place, and empty if it repeats the area's."""

    key: str
    location: str
    name: str | None
    blocks: list[GridBlock]
    width: float

    @property
    def hundredths(self) -> int:
        """The width in the name of its class."""
        return round(100 * self.width)


class GridArea(NamedTuple):
    id: int
    name: str
    columns: list[GridColumn]

    @property
    def hundredths(self) -> int:
        return sum(column.hundredths for column in self.columns)

    @property
    def is_alone(self) -> bool:
        """Whether it is also the heading of its only column."""
        return [column.name for column in self.columns] == [""]


class DayGrid(NamedTuple):
    hours: list[str]
    minutes: int
    areas: list[GridArea]
    long: list[OccasionRow]
    # In minutes; None if it is not within the hours.
    now: int | None = None

    @property
    def hour(self) -> int:
        """The present hour, counted from the first, 0 outside the hours."""
        return (self.now or 0) // HOUR

    @property
    def rules(self) -> str:
        """The rules of the classes for positions, such as `.t60{--t:60}`."""
        columns = [column for area in self.areas for column in area.columns]
        blocks = [block for column in columns for block in column.blocks]
        names = {name for block in blocks for name in block.place.split()} | {f"m{self.minutes}"}
        # No style attributes are allowed.
        placed = "".join(f".{name}{{--{name[0]}:{name[1:]}}}" for name in sorted(names))
        widths = sorted({each.hundredths for parts in (columns, self.areas) for each in parts})
        now = [] if self.now is None else [f".grid{{--now:{self.now}}}"]
        return "".join([placed, *now, *(f".w{each}{{--w:{each / 100:.2f}}}" for each in widths)])


def build_grid(
    snapshot: Snapshot, occasions: Iterable[Occasion], day: date, language: LanguageCode
) -> DayGrid:
    festival, rows = snapshot.programme.site.time, RowBuilder(snapshot, language)
    order = partial(_order, language)
    keyed = [((each.event.area.order, each.event.area.id, order(each.place)), each) for each in occasions]
    in_order = sorted(keyed, key=itemgetter(0))
    layout = DayLayout(day, festival, in_order, longest=LONGEST, around=0)
    now = count_minutes(snapshot.begins, day, festival) - layout.hours.begins if snapshot.begins else -1
    # In the given order.
    long = {each.id for column in layout.long.values() for each, _span in column}
    return DayGrid(
        hours=[clock for _minute, clock in layout.list_hours()[:-1]],
        minutes=layout.minutes,
        areas=list(_build_areas(rows, layout)),
        long=[rows.build(each) for _key, each in keyed if each.id in long],
        now=now if 0 <= now < layout.minutes else None,
    )


def _order(language: LanguageCode, place: Place | None) -> tuple[Any, ...]:
    if place is None:
        return (1,)
    location, room = (each and order_name(each.name, language) for each in (place.location, place.room))
    return 0, location, place.location.id, room or ""


def _build_areas(rows: RowBuilder, layout: DayLayout) -> Iterator[GridArea]:
    for _id, columns in groupby(layout.blocks.values(), key=lambda each: each[0].occasion.event.area.id):
        laid = list(columns)
        area = laid[0][0].occasion.event.area
        unsaid = rows.unsaid | {fold(area.name), fold(area.full_name)}
        built = [_build_column(rows, layout, each, unsaid, is_only=len(laid) == 1) for each in laid]
        yield GridArea(area.id, area.name, built)


def _build_column(
    rows: RowBuilder, layout: DayLayout, laid: list[Block], unsaid: frozenset[str], *, is_only: bool
) -> GridColumn:
    blocks = [_build_block(rows, layout, each, laid) for each in laid]
    # With a title of a single line, lanes are as wide as a column.
    lane_width = LANE_WIDTH if all(each.lines > 1 for each in blocks) else 1
    width = compute_width(laid, lane_width, MAX_WIDTH)
    place = laid[0].occasion.place
    if place is None:
        return GridColumn("", "", None, blocks, width)
    name, room = name_place(place, unsaid), place.room
    key = f"r{room.id}" if room else f"l{place.location.id}"
    if is_only and fold(name) in unsaid:
        return GridColumn(key, "", "", blocks, width)
    location = place.location.name if room and name != room.name else ""
    return GridColumn(key, divide(location), divide(room.name if room else name), blocks, width)


def _build_block(rows: RowBuilder, layout: DayLayout, block: Block, laid: list[Block]) -> GridBlock:
    begins, ends = block.span
    is_low = ends - begins < MIN_FULL_HEIGHT
    below = (each.span.begins for each in laid if is_low and _is_below(each, block))
    room = min(below, default=layout.hours.ends) - begins if is_low else ends - begins
    lines = (room - (FRAME if is_low else FULL_FRAME)) // LINE
    # Without a date, because there is little room.
    times = format_clocks(rows.snapshot.programme.span(block.occasion))
    return GridBlock(
        rows.build(block.occasion)._replace(times=times, dated=""),
        begins - layout.hours.begins,
        ends - begins,
        *block.lane,
        lines=int(min(max(lines, 1), MAX_LINES)),
    )


def _is_below(low: Block, high: Block) -> bool:
    """Return whether one block lies below another one, in one of its lanes."""
    (first, of_first), (second, of_second) = low.lane, high.lane
    is_beside = first * of_second >= (second + 1) * of_first or second * of_first >= (first + 1) * of_second
    return low.span.begins >= max(high.span.ends, high.span.begins + MIN_HEIGHT) and not is_beside
