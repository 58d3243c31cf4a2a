"""Measurements of loading and writing, each of the programme in this process's database."""

import os
from collections import Counter
from functools import partial
from typing import Any, TypeVar

import msgspec
import psycopg
from django.conf import settings

from benchmarks import json_agg
from benchmarks.programme import NOW
from benchmarks.timing import Task, interleave, private_kilobytes
from feeds.formats import FORMATS
from feeds.formats.base import Format
from feeds.formats.json import JsonFormat
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from programme.publishing import loading
from programme.publishing.current import Current
from programme.publishing.serving_snapshot import ServingSnapshot

WHOLE = Selection()
# The number of occasions in the small selection, whatever the size of the programme.
SMALL_SELECTION = 4
Figures = dict[str, Any]
Made = TypeVar("Made")


def write(snapshot: Snapshot, selection: Selection, written_by: type[Format] = JsonFormat) -> bytes:
    canonical = snapshot.programme.index.canonical(selection)
    return written_by().write_events(Listing(snapshot, canonical))


def build_cold_snapshot(programme: Programme) -> ServingSnapshot:
    """Return a snapshot of the programme as if it had just been loaded."""
    copy = msgspec.structs.replace(programme)
    copy.precompute()
    return ServingSnapshot(copy, NOW)


def select_half(programme: Programme) -> Selection:
    """Return a selection of every other area, about half the occasions."""
    return Selection(areas=tuple(area.name for area in programme.areas[::2]))


class JsonAgg:
    """PostgreSQL builds the array, in its own session."""

    def __init__(self, programme: Programme) -> None:
        self.cursor = psycopg.connect(os.environ["BENCH_JSON_AGG"], autocommit=True).cursor()
        self.site = programme.site
        json_agg.prepare(self.cursor, self.site)

    def fetch(self, selection: Selection) -> bytes:
        media = f"{settings.BASE_URL}{settings.MEDIA_URL}"
        return json_agg.fetch(self.cursor, self.site, NOW, media, selection.areas)


def against_json_agg() -> Figures:
    """Loading and cold selections beside `json_agg`; the arrays must be the same."""
    programme = loading.load()
    database, selection = JsonAgg(programme), select_half(programme)
    for each in (WHOLE, selection):
        _require_same(write(build_cold_snapshot(programme), each), database.fetch(each))
    tasks: dict[str, Task] = {
        "json_agg": lambda: partial(database.fetch, WHOLE),
        "load": lambda: _load,
        "load_and_write": lambda: lambda: write(_load(), WHOLE),
        "json_agg_half": lambda: partial(database.fetch, selection),
        "write_half": lambda: partial(write, _load(), selection),
        "write_whole": lambda: partial(write, _load(), WHOLE),
    }
    size = len(write(build_cold_snapshot(programme), WHOLE))
    found = len(build_cold_snapshot(programme).find(selection))
    return {"occasions": len(programme.occasions), "half": found, "bytes": size, **interleave(tasks)}


def _load() -> ServingSnapshot:
    programme = loading.load()
    loading.prepare(programme)
    return ServingSnapshot(programme, NOW)


def _require_same(one_array: bytes, other_array: bytes) -> None:
    """Exit unless both arrays are equal; compare element by element, because decoded they fill gigabytes."""
    arrays = (one_array, other_array)
    elements = (msgspec.json.decode(array, type=list[msgspec.Raw]) for array in arrays)
    for one, other in zip(*elements, strict=True):
        if msgspec.json.decode(one) != msgspec.json.decode(other):
            raise SystemExit("json_agg does not build the array of /api/events.json: nothing to compare")


def find_small_selection() -> Figures:
    """The first organizer with so many occasions, or nearly so many."""
    held = Counter(each.event.organizer.id for each in loading.load().occasions)
    return {"organizer": min(held, key=lambda each: (abs(held[each] - SMALL_SELECTION), each))}


def memory() -> Figures:
    """Private memory in KB with a programme and its snapshot, and after every format was written."""
    settings.ANSWERS_MB = 0
    present = Current().at(NOW)
    loaded = private_kilobytes()
    for each in FORMATS:
        write(present, WHOLE, each)
    return {"loaded": loaded, "written": private_kilobytes()}
