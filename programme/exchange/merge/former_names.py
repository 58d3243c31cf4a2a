"""Names in a file that were changed here since, each listed once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from feeds.names import fold
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.named_rows import Key, NamedRows, identify
from programme.exchange.merge.places import find_event_place, find_occasion_place
from programme.exchange.values import ScheduledEvent
from programme.history.timeline import format_title

# The rows among which a name is looked up, by which key, and the name as the file has it.
Lookup = tuple[NamedRows[Any], Key, str]


def find_former_names(events: Iterable[ScheduledEvent], directory: Directory) -> list[tuple[str, str, int]]:
    """Return each former name with the present one, and how many events have it."""
    names: dict[Any, tuple[str, str]] = {}
    found: dict[Any, set[int]] = defaultdict(set)
    for number, event in enumerate(events):
        for rows, key, name in _lookups(event, directory):
            if row := rows.renamed.get(key):
                renamed = (type(row), row.pk, fold(name))
                names.setdefault(renamed, (name, format_title(row)))
                found[renamed].add(number)
    return [(former, present, len(found[renamed])) for renamed, (former, present) in names.items()]


def _lookups(event: ScheduledEvent, directory: Directory) -> Iterator[Lookup]:
    yield directory.types, fold(event.type), event.type
    yield directory.organizers, fold(event.organizer), event.organizer
    area, sub_area = event.more.get("area"), event.more.get("sub_area")
    if area and not directory.options.area:
        yield directory.areas, fold(area), area
        inside = directory.areas.rows.get(fold(area))
        if sub_area and inside:
            yield directory.sub_areas, (identify(inside), fold(sub_area)), sub_area
    for place in (find_event_place(event), *map(find_occasion_place, event.occasions)):
        if place:
            yield from _place_lookups(*place, directory=directory)


def _place_lookups(location: str, address: str, room: str, *, directory: Directory) -> Iterator[Lookup]:
    rooms, locations = directory.rooms, directory.locations
    if not location and fold(room) in rooms.rows:
        yield rooms, fold(room), room
        return
    # An unknown room without a location is a location.
    name = location or room
    key: Key = (address, fold(name))
    key = key if key in locations.rows else fold(name)
    yield locations, key, name
    if location and room and (inside := locations.rows.get(key)):
        yield rooms, (identify(inside), fold(room)), room
