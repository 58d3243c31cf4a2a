"""What the database knows of the rows that an import is about, read once before they are compared."""

from dataclasses import dataclass

from programme.exchange.merge.deleted_rows import DeletedRows
from programme.exchange.merge.directory import Directory
from programme.exchange.merge.history import WithdrawnEvents, find_withdrawn_events
from programme.exchange.merge.permissions import ImportPermissions
from programme.exchange.merge.three_way import ThreeWayMerge
from programme.exchange.values import Contents, ImportOptions
from programme.models import Event, Occasion, Status

_RELATIONS = ("area", "sub_area__area", "type", "organizer", "language", "location", "room")


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


def read_context(contents: Contents, options: ImportOptions) -> ImportContext:
    """Read the rows of the options' source, or all rows for a sheet of this service."""
    directory = Directory(options, exact=contents.is_own_export or bool(contents.properties))
    memory = ThreeWayMerge(options, own_sheet=contents.is_own_export)
    all_events, all_occasions = directory.events, Occasion.objects.filter(source=options.source)
    if contents.is_own_export:
        all_events, all_occasions = Event.objects.all(), Occasion.objects.all()
    events = list(all_events.select_related(*_RELATIONS).order_by("id"))
    related = all_occasions.select_related("event", "location", "room__location")
    occasions = list(related.order_by("start", "id"))
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
        withdrawn=find_withdrawn_events(directory.events) if drafts else WithdrawnEvents(),
    )
