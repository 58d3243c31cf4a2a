"""What the database knows of the rows that an import is about, read once before they are compared."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from programme.exchange.merge.deleted_rows import DeletedRows
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.history import WithdrawnEvents, find_withdrawn_events
from programme.exchange.merge.matching import group_by
from programme.exchange.merge.permissions import ImportPermissions
from programme.exchange.merge.places import EventPlaces, Held, find_held
from programme.exchange.merge.three_way import ThreeWayMerge
from programme.exchange.values import Contents, ImportOptions
from programme.models import Event, Occasion, Status

# With the relation that each of them needs itself.
_OF_EVENTS = {
    "area": "", "sub_area": "area", "type": "", "organizer": "", "language": "", "location": "",
    "room": "location",
}  # fmt: skip
_OF_OCCASIONS = {"event": "", "location": "", "room": "location"}

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class ImportContext:
    contents: Contents
    options: ImportOptions
    directory: Directory
    permissions: ImportPermissions
    memory: ThreeWayMerge
    events: list[Event]
    occasions: list[Occasion]
    deleted: DeletedRows
    withdrawn: WithdrawnEvents
    # Which place each event of the file states, and where its occasions are to be held, by their `id()`.
    places: dict[int, EventPlaces] = field(default_factory=dict)
    held: dict[int, Held] = field(default_factory=dict)
    # Where the stored ones are held before anything changes, by their primary keys.
    held_here: dict[int, Held] = field(default_factory=dict)

    def list_occasions(self, event: Event) -> list[Occasion]:
        """Return an event's occasions, also of other sources; of a restored one those it brings."""
        known = self._by_event.get(event.pk) or self.deleted.occasions_of(event)
        strangers = [each for each in known if each.pk not in self.held_here]
        self.held_here.update({each.pk: find_held(each, event) for each in strangers})
        return known

    @cached_property
    def _by_event(self) -> dict[int, list[Occasion]]:
        here = Occasion.objects.filter(event__source=self.options.source).exclude(source=self.options.source)
        others = (
            [] if self.contents.is_own_export else _read_with(_OF_OCCASIONS, here.order_by("start", "id"))
        )
        return group_by([*self.occasions, *others], lambda each: each.event_id)


def read_context(contents: Contents, options: ImportOptions) -> ImportContext:
    """Read the rows of the options' source, or all rows for a sheet of this service."""
    directory = Directory(options, exact=contents.is_own_export or bool(contents.properties))
    memory = ThreeWayMerge(options, own_sheet=contents.is_own_export)
    all_events, all_occasions = directory.events, Occasion.objects.filter(source=options.source)
    if contents.is_own_export:
        all_events, all_occasions = Event.objects.all(), Occasion.objects.all()
    events = _read_with(_OF_EVENTS, all_events.order_by("id"))
    occasions = _read_with(_OF_OCCASIONS, all_occasions.order_by("start", "id"))
    drafts = not contents.is_own_export and any(event.status == Status.DRAFT for event in events)
    return ImportContext(
        contents=contents,
        options=options,
        directory=directory,
        permissions=ImportPermissions(options.rights),
        memory=memory,
        events=events,
        occasions=occasions,
        deleted=DeletedRows(
            contents, memory, {event.pk for event in events}, {each.pk for each in occasions}
        ),
        held_here=_find_held(events, occasions),
        withdrawn=find_withdrawn_events(directory.events) if drafts else WithdrawnEvents(),
    )


def _find_held(events: list[Event], occasions: list[Occasion]) -> dict[int, Held]:
    owners = {event.pk: event for event in events}
    return {each.pk: find_held(each, owners.get(each.event_id)) for each in occasions}


def _read_with(relations: dict[str, str], rows: QuerySet[Row]) -> list[Row]:
    """Return rows with what they name, each read once: thousands of events name the same few rows."""
    found = list(rows)
    for name, inner in relations.items():
        field: Any = rows.model._meta.get_field(name)
        named = field.related_model.objects.filter(pk__in=rows.order_by().values(name))
        by_key = {each.pk: each for each in (named.select_related(inner) if inner else named)}
        for row in found:
            if each := by_key.get(getattr(row, field.attname)):
                field.set_cached_value(row, each)
    return found
