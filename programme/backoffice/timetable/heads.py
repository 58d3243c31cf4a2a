"""Where the columns of the timetable stand beside each other, and the heads above them."""

from itertools import groupby
from typing import NamedTuple

from feeds.day_layout import Block, Lane, compute_width
from feeds.names import divide, fold
from programme.backoffice.timetable.columns import VenueColumn

# In plain columns: of what goes on all day beside the rest of its place, of what is held at the same time as
# something else, and of a place at most, in which others are read by pointing at them.
RAIL_WIDTH, LANE_WIDTH, MAX_WIDTH = 0.3, 0.6, 4.0


class ClassRules:
    """Names a class for each set of declarations; its text stands in the timetable's style element.

    The back office's Content-Security-Policy refuses style attributes.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, declarations: str) -> str:
        return self._names.setdefault(declarations, f"x{len(self._names)}")

    def __str__(self) -> str:
        return "".join(f"#timetable .{name}{{{each}}}" for each, name in self._names.items())


class GridAreas(NamedTuple):
    names: dict[int, str]
    colours: dict[int, str]

    def name_colour(self, area: int, rules: ClassRules) -> str:
        """Return the class of an area's colour."""
        return rules.name(f"--colour:{self.colours[area]}")


Blocks = dict[str, list[Block]]


class ColumnPositions:
    """Where columns stand, in per cent of the width of all: first the rails of one, then the other lanes."""

    def __init__(self, columns: list[VenueColumn], rails: Blocks, blocks: Blocks, rules: ClassRules) -> None:
        self.rules, self.total = rules, 0.0
        self.lefts: dict[str, float] = {}
        self.railed: dict[str, float] = {}
        self.widths: dict[str, float] = {}
        for column in columns:
            key = column.key
            self.railed[key] = RAIL_WIDTH * max((each.lane.total for each in rails.get(key, [])), default=0)
            self.lefts[key] = self.total
            self.widths[key] = self.railed[key] + compute_width(blocks.get(key, []), LANE_WIDTH, MAX_WIDTH)
            self.total += self.widths[key]

    def columns(self, first: VenueColumn, last: VenueColumn) -> str:
        """Return the class of what fills the columns from one to another."""
        left = self.lefts[first.key]
        return self._place(left, self.lefts[last.key] + self.widths[last.key] - left)

    def rail(self, key: str, lane: Lane) -> str:
        return self._place(self.lefts[key] + RAIL_WIDTH * lane.number, RAIL_WIDTH)

    def lane(self, key: str, lane: Lane) -> str:
        wide = (self.widths[key] - self.railed[key]) / lane.total
        return self._place(self.lefts[key] + self.railed[key] + wide * lane.number, wide)

    def _place(self, left: float, wide: float) -> str:
        return self.rules.name(f"left:{100 * left / self.total:.4g}%;width:{100 * wide / self.total:.4g}%")


class Heading(NamedTuple):
    """Above one column, or several of one area or location."""

    label: str
    place: str
    column: VenueColumn


class Heads(NamedTuple):
    areas: list[Heading]
    locations: list[Heading]
    columns: list[Heading]


def build_heads(columns: list[VenueColumn], areas: GridAreas, positions: ColumnPositions) -> Heads:
    """Return the heads of areas, of locations with rooms, and of columns.

    What is called like its area is not named twice: a single column has the name, several are below it. A
    location that everything is in goes without saying.
    """
    heads = Heads([], [], [])
    is_split = len({column.location for column in columns if column.place}) > 1
    for area, in_area in groupby(columns, lambda column: column.area):
        group, name = list(in_area), areas.names.get(area or 0, "")
        is_alone = len(group) == 1 and _repeats(group[0].room or group[0].location, name)
        head = _build_heading("" if is_alone else name, group, positions)
        colour = areas.name_colour(area, positions.rules) if area else "nowhere"
        heads.areas.append(head._replace(place=f"{head.place} {colour}"))
        for _location, at_location in groupby(group, lambda column: column.place and column.place.location):
            rooms = list(at_location)
            has_rooms = is_split and any(column.room for column in rooms)
            location = rooms[0].location if has_rooms and not _repeats(rooms[0].location, name) else ""
            heads.locations.append(_build_heading(location, rooms, positions))
        for column in group:
            own = column.room or column.location
            label = "" if _repeats(own, name) and not is_alone else own
            heads.columns.append(_build_heading(label, [column], positions))
    return heads


def _repeats(name: str, area: str) -> bool:
    return fold(name) == fold(area)


def _build_heading(label: str, columns: list[VenueColumn], positions: ColumnPositions) -> Heading:
    return Heading(divide(label), positions.columns(columns[0], columns[-1]), columns[0])
