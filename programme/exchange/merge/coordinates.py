"""Gives places the coordinates that a file states: new ones all, stored ones by the three-way rule."""

from collections import defaultdict

from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.named_rows import identify
from programme.exchange.merge.three_way import PlannedChange, find_changes, set_values
from programme.exchange.readers.coordinates import choose_usual
from programme.exchange.values import PlaceNames
from programme.models import Location
from programme.models.coordinates import measure

# Kilometres: what the rooms of one location may be apart.
_APART = 1


def locate_places(context: ImportContext) -> list[PlannedChange]:
    """Set the coordinates of new locations, and return what changes of stored ones."""
    changes: list[PlannedChange] = []
    made = {id(row) for row in context.directory.locations.created}
    may_change = context.permissions.may("change", Location)
    for row, names in _find_rows(context):
        stated = [context.contents.coordinates[each] for each in names]
        chosen = choose_usual(stated)
        if any(measure(chosen, each) > _APART for each in stated):
            continue
        values = chosen.by_name
        if id(row) in made:
            set_values(row, values)
            context.memory.remember(row, values)
        elif row.pk and may_change:
            merged = context.memory.merge(row, values)[0]
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
