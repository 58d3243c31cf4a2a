"""What the database knows of the rows that an import is about, read once before they are compared."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import Any

from msgspec.structs import replace

from feeds.names import fold
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.editions import ImportEditions, split_events
from programme.exchange.merge.history import DeletedRows, WithdrawnEvents, find_withdrawn_events
from programme.exchange.merge.matching import parse_event_key
from programme.exchange.merge.three_way import ExportedState, ThreeWayMerge
from programme.exchange.values import Contents, ImportOptions, ScheduledEvent, group_by
from programme.models import Event, Occasion, Status
from programme.models.event_types import TYPES

# What the rows name.
_OF_EVENTS = ("area", "sub_area__area", *TYPES, "organizer", "language")
_OF_OCCASIONS = ("event", "location", "room__location")
_SEVERAL = 2


@dataclass(frozen=True)
class ImportContext:
    contents: Contents
    options: ImportOptions
    directory: Directory
    memory: ThreeWayMerge
    events: list[Event]
    occasions: list[Occasion]
    deleted: DeletedRows
    withdrawn: WithdrawnEvents
    editions: ImportEditions
    # Location and room of the file's occasions, by their `id()`.
    places: dict[int, dict[str, Any]] = field(default_factory=dict)

    @cached_property
    def states_several_types(self) -> bool:
        """Whether an event of the file has several types; a file with one for each says nothing of others."""
        split = self.directory.split_types
        return self.contents.is_own_export or any(len(split(each.type)) > 1 for each in self.contents.events)

    @cached_property
    def starts(self) -> dict[int, list[datetime]]:
        """When the occasions of each event start, of any source; nothing where no editions depend on it."""
        starts: dict[int, list[datetime]] = defaultdict(list)
        if self.editions.all:
            stored = Occasion.objects.all() if self.contents.is_own_export else self.directory.occasions
            for event, start in stored.order_by().values_list("event_id", "start"):
                starts[event].append(start)
        return starts

    def list_missing_events(self, here: Collection[int]) -> list[Event]:
        """Return the stored events, but those `here`, that the file should have and does not."""
        missing = (each for each in self.events if each.pk not in here)
        gone = (each for each in missing if parse_event_key(each.source_id) not in self.contents.unread_keys)
        return [each for each in gone if self.editions.has(self.starts[each.pk])]


def read_context(contents: Contents, options: ImportOptions) -> ImportContext:
    """Read the rows of the options' source, or all rows for a sheet of this service."""
    editions = ImportEditions(contents)
    contents = split_events(contents, editions, options.source)
    # Sheets of the usual columns have no addresses.
    has_addresses = any(each.address for event in contents.events for each in event.occasions)
    directory = Directory(options, exact=contents.is_own_export and has_addresses)
    # What was merged, by the fields in which events and occasions name it.
    merged = {"location": directory.locations.merged, "room": directory.rooms.merged}
    merged |= {"organizer": directory.organizers.merged, **dict.fromkeys(TYPES, directory.types.merged)}
    exported = None
    if contents.is_own_export:
        exported = ExportedState((each.version for each in contents.events), merged)
    memory = ThreeWayMerge(options, merged, exported)
    all_events, all_occasions = directory.events, Occasion.objects.filter(source=options.source)
    if contents.is_own_export:
        all_events, all_occasions = Event.objects.all(), Occasion.objects.all()
    events = list(all_events.order_by("id").select_related(*_OF_EVENTS))
    occasions = list(all_occasions.order_by("start", "id").select_related(*_OF_OCCASIONS))
    if contents.is_own_export:
        contents = _split_own_events(contents, occasions)
    drafts = not contents.is_own_export and any(event.status == Status.DRAFT for event in events)
    return ImportContext(
        contents=contents,
        options=options,
        directory=directory,
        memory=memory,
        events=events,
        occasions=occasions,
        deleted=DeletedRows(
            contents, memory, editions, {event.pk for event in events}, {each.pk for each in occasions}
        ),
        withdrawn=find_withdrawn_events(directory.events) if drafts else WithdrawnEvents(),
        editions=editions,
    )


def _split_own_events(contents: Contents, occasions: list[Occasion]) -> Contents:
    """Return a sheet of this service with stored events of one title apart, which no numbers tell apart."""
    titles = {each.event_id: fold(each.event.title) for each in occasions}
    owners = {str(each.uuid): each.event_id for each in occasions}

    def split(event: ScheduledEvent) -> list[ScheduledEvent]:
        title, held = fold(event.title), group_by(event.occasions, lambda each: owners.get(each.guid))
        same = [owner for owner in held if owner and titles[owner] == title]
        if event.row_id or len(same) < _SEVERAL:
            return [event]
        # What is new, or another event's so far, is of the first one.
        held[same[0]] += chain.from_iterable(found for owner, found in held.items() if owner not in same)
        return [replace(event, occasions=tuple(held[owner])) for owner in same]

    return replace(contents, events=tuple(chain.from_iterable(map(split, contents.events))))
