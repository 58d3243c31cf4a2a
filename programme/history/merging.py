"""Which rows were merged into which: imports and links still find what is gone."""

from collections.abc import Container, Mapping
from typing import Any

from programme.models import EventType, ImportedRow, Location, Organizer, Room

MERGEABLE: tuple[Any, ...] = (Location, Room, Organizer, EventType)
# Before the name of the model: the kind of what is stored of a row that was merged away.
MERGED_KIND = "merged-"


def load_merged() -> dict[str, dict[int, int]]:
    """Return what rows of each model were merged into, by ID; one query."""
    found: dict[str, dict[int, int]] = {}
    for row in ImportedRow.objects.filter(kind__startswith=MERGED_KIND):
        if not row.values.get("undone"):
            found.setdefault(row.kind.removeprefix(MERGED_KIND), {})[row.row_id] = row.values["into"]
    return found


def follow_merges(merged: Mapping[int, int], stored: Container[int]) -> dict[int, int]:
    """Return what each row that is gone is part of now, also where that was merged into another one later."""
    found = {key: find_last(key, merged, stored) for key in merged}
    return {key: last for key, last in found.items() if last in stored and last != key}


def find_last(key: int, merged: Mapping[int, int], stored: Container[int] = ()) -> int:
    """Return the last row that a row is part of, the first of them that is stored."""
    seen = {key}
    while key not in stored and merged.get(key, key) not in seen:
        seen.add(key := merged[key])
    return key
