"""Gives places the coordinates that a file states: new ones all, stored ones by the three-way rule."""

from collections import defaultdict

from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.named_rows import identify
from programme.exchange.merge.places import find_event_place, find_occasion_place
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.three_way import PlannedChange, find_changes, set_values
from programme.exchange.readers.coordinates import choose_usual
from programme.exchange.readers.entries import format_last_modified
from programme.exchange.values import PlaceNames
from programme.models import Location
from programme.models.coordinates import measure

# Kilometres: what the rooms of one location may be apart.
_APART = 1


def locate_places(context: ImportContext, plan: Plan) -> list[PlannedChange]:
    """Set the coordinates of new locations, and return what changes of stored ones."""
    changes: list[PlannedChange] = []
    rows = _find_rows(context)
    current = _find_current(context, plan) if rows else set()
    made = {id(row) for row in context.directory.locations.created}
    may_change = context.permissions.may("change", Location)
    for row, names in rows:
        stated = [context.contents.coordinates[each] for each in names]
        chosen = choose_usual(stated)
        if any(measure(chosen, each) > _APART for each in stated):
            continue
        values = chosen.by_name
        if id(row) in made:
            set_values(row, values)
            context.memory.remember(row, values)
        elif row.pk and may_change:
            # If the file has seen the row's current state, all that it states holds.
            merged = values if current.intersection(names) else context.memory.merge(row, values)[0]
            context.memory.remember(row, values)
            if changed := find_changes(row, merged):
                set_values(row, merged)
                changes.append(PlannedChange(row, changed))
    return changes


def _find_rows(context: ImportContext) -> list[tuple[Location, list[PlaceNames]]]:
    """Return the locations whose coordinates are stated, with the names that they have in the file."""
    rows: dict[int, Location] = {}
    found: dict[int, list[PlaceNames]] = defaultdict(list)
    for (names, _area), place in context.directory.places.items():
        if (row := place["location"]) and names in context.contents.coordinates:
            rows[identify(row)] = row
            found[identify(row)].append(names)
    return [(rows[key], names) for key, names in found.items()]


def _find_current(context: ImportContext, plan: Plan) -> set[PlaceNames]:
    """Return the places as a sheet of this service has them, if they have not been edited since.

    An event is modified with its place.
    """
    return {
        names
        for event in context.contents.events
        if (row := plan.event_rows.get(id(event))) and row.pk and id(row) not in plan.restored
        if event.last_modified and format_last_modified(row) <= event.last_modified
        for names in (find_event_place(event), *map(find_occasion_place, event.occasions))
    }
