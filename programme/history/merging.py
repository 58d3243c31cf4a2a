"""Merged rows and the rows they were merged into, by which imports and links still find them."""

from collections.abc import Container, Mapping
from typing import Any

from programme.models import EventType, ImportedRow, Location, Organizer, Room

MERGEABLE: tuple[Any, ...] = (Location, Room, Organizer, EventType)
# The prefix, before the name of the model, of the kind of a merged row's record.
MERGED_KIND = "merged-"


def load_merged() -> dict[str, dict[int, int]]:
    """Return the merged rows of each model, each with the row it was merged into; one query."""
    found: dict[str, dict[int, int]] = {}
    for row in ImportedRow.objects.filter(kind__startswith=MERGED_KIND):
        if not row.values.get("undone"):
            found.setdefault(row.kind.removeprefix(MERGED_KIND), {})[row.row_id] = row.values["into"]
    return found


def follow_merges(merged: Mapping[int, int], stored: Container[int]) -> dict[int, int]:
    """Return the stored row that each merged row belongs to, through all later merges."""
    found = {key: find_last(key, merged, stored) for key in merged}
    return {key: last for key, last in found.items() if last in stored and last != key}


def find_last(key: int, merged: Mapping[int, int], stored: Container[int] = ()) -> int:
    """Return the first stored row, else the last, in the chain of merges of a row."""
    seen = {key}
    while key not in stored and merged.get(key, key) not in seen:
        seen.add(key := merged[key])
    return key
