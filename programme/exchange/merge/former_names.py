"""What a file calls by the name that it had before it was renamed here, told once for each."""

from collections.abc import Iterable, Iterator
from typing import Any

from feeds.names import fold
from programme.exchange.merge.context import place_of, place_of_event
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.named_rows import NamedRows, identity
from programme.exchange.values import ScheduledEvent
from programme.history.timeline import title_of

# The rows among which it was looked up, by which key, and how the file calls it.
Said = tuple[NamedRows, Any, str]


def former_names(events: Iterable[ScheduledEvent], directory: Directory) -> list[tuple[str, str, int]]:
    """Return each former name with what it has become, and of how many events it is said."""
    told: dict[Any, tuple[str, str]] = {}
    by: dict[Any, set[int]] = {}
    for number, event in enumerate(events):
        for named, key, name in _said(event, directory):
            if row := named.renamed.get(key):
                one = (type(row), row.pk, fold(name))
                told.setdefault(one, (name, title_of(row)))
                by.setdefault(one, set()).add(number)
    return [(old, new, len(by[one])) for one, (old, new) in told.items()]


def _said(event: ScheduledEvent, directory: Directory) -> Iterator[Said]:
    """Yield what an event names, as it was looked up."""
    yield directory.types, fold(event.type), event.type
    yield directory.organizers, fold(event.organizer), event.organizer
    area, sub_area = event.more.get("area"), event.more.get("sub_area")
    if area and not directory.order.area:
        yield directory.areas, fold(area), area
        inside = directory.areas.rows.get(fold(area))
        if sub_area and inside:
            yield directory.sub_areas, (identity(inside), fold(sub_area)), sub_area
    for place in (place_of_event(event), *map(place_of, event.occasions)):
        yield from _place(*place, directory=directory) if place else ()


def _place(location: str, address: str, room: str, *, directory: Directory) -> Iterator[Said]:
    rooms, locations = directory.rooms, directory.locations
    if not location and fold(room) in rooms.rows:
        yield rooms, fold(room), room
        return
    # Rooms of no place that is known are places.
    where = location or room
    key: Any = (address, fold(where))
    key = key if key in locations.rows else fold(where)
    yield locations, key, where
    if location and room and (inside := locations.rows.get(key)):
        yield rooms, (identity(inside), fold(room)), room
