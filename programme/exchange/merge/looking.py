"""Looks at the programme that an import would make, once all is decided."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from programme.changes.change import Change
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.plan import REFUSED, UNCHANGED, PlannedImport
from programme.exchange.suspicion import finders
from programme.models import Area, Location, Occasion, Organizer, SubArea
from programme.models.festival_time import festival_time

_NAMED = (Area, SubArea, Location, Organizer)
_LEAST_CHANGED = 3


def look(context: ImportContext, planned: PlannedImport) -> list[finders.Suspicion]:
    """Return what looks odd of the occasions that are held, and of what is made along with them."""
    held = [each for each in planned.list_occasions(context.contents) if not each[-1].cancelled]
    with_rooms = {id(row.location) for *_stated, row in held if row.room}
    occasions, time = [], festival_time()
    for event, stated, row in held:
        place = row.room or (None if id(row.location) in with_rooms else row.location)
        takes = row.place_name if place and not place.parallel and row.end > row.start else ""
        location = row.location.name if row.location else ""
        occasions.append(
            finders.ImportedOccasion(
                *(event, stated, row.start, row.end, (time.local(row.start), time.local(row.end))),
                *(location, row.place_name, takes),
            )
        )
    rows: list[tuple[int, Any]] = [*planned.event_rows.items(), *planned.occasion_rows.items()]
    written = {key for key, row in rows if planned.find_kind(row) not in {REFUSED, UNCHANGED}}
    kinds = planned.directory.kinds()
    names = [[row.name for row in kinds[model].created] for model in _NAMED if model in kinds]
    # A file that only changes a part is no new version.
    is_version = context.options.withdraw_missing or any(map(planned.is_new, planned.event_rows.values()))
    former = list(_list_former(planned)) if is_version else []
    events = ((each, planned.event_rows.get(id(each))) for each in context.contents.events)
    rows_of = ((each, planned.occasion_rows[id(each.stated)]) for each in occasions)
    changed = _find_changed(planned, events, lambda change: "title" in change.values)
    changed += _find_changed(planned, rows_of, _has_moved)
    here = {row.pk for row in planned.occasion_rows.values()}
    here |= {row.pk for row in planned.missing_occasions if context.options.withdraw_missing}
    starts = {each.start for each in occasions if id(each.stated) in written}
    at_once = Occasion.objects.filter(cancelled=False, start__in=starts).select_related("location", "room")
    staying = {(row.start, row.end, row.place_name) for row in at_once if row.pk not in here}
    programme = finders.ImportedProgramme(
        context.contents, time, occasions, written, names, former, changed, staying
    )
    return list(finders.find_suspicions(programme))


def _find_changed(
    planned: PlannedImport, stated: Iterable[tuple[Any, Any]], has_changed: Callable[[Change], bool]
) -> list[Any]:
    """Return what is found again and has changed, if most of what is found has."""
    found = [(each, row) for each, row in stated if row and not planned.is_new(row)]
    changes = planned.changes
    changed = [each for each, row in found if id(row) in changes and has_changed(changes[id(row)])]
    return changed if len(changed) >= _LEAST_CHANGED and len(changed) * 2 > len(found) else []


def _has_moved(change: Change) -> bool:
    days = (festival_time().day_of(state["start"]) for state in (change.before, change.after) if state)
    return len({*days}) > 1


def _list_former(planned: PlannedImport) -> Iterator[finders.FormerOccasion]:
    time, gone = festival_time(), {each.pk for each in planned.missing_occasions}
    rows = [row for row in planned.occasion_rows.values() if not planned.is_new(row)]
    for row in (*rows, *planned.missing_occasions):
        yield finders.FormerOccasion(str(row), time.day_of(row.start), row.pk in gone)
