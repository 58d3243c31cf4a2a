"""Checks the cases one by one, and writes what was found as a table."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.core.management import CommandError
from django.db import transaction
from django.test import override_settings
from django.utils.translation import override

from feeds.formats.json import JsonFormat
from feeds.listing import Listing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from festival.clock import now
from programme import models
from programme.publishing import loading
from tests.programme.exchange import imports
from tests.real_data.cases import Case, list_cases
from tests.real_data.reordering import reorder
from tests.real_data.showings import AREA, Counts, Difference, Showing, compare, fold_place


def import_file(path: Path, zone: str, *options: str) -> None:
    names = ("--source", "real", "--area-otherwise", AREA)
    with override("en"), override_settings(FESTIVAL_TIME_ZONE=zone):
        imports.import_file(path, *names, *options)


def read_revision() -> int:
    """Return the number of the edit that the database has seen last: an import that changes nothing is none."""
    return models.Revision.objects.values_list("number", flat=True).get()


def read_stored() -> Iterator[Showing]:
    for event in models.Event.objects.prefetch_related("occasions__location", "occasions__room"):
        occasions = event.occasions.all()
        for occasion in occasions:
            names = tuple(place.name if place else "" for place in (occasion.location, occasion.room))
            yield Showing(event.title, occasion.start, occasion.end, *names, occasion.cancelled, event.pk)
        if not occasions:
            yield Showing(event.title, None, None, event=event.pk)


def read_public() -> Counter[str]:
    """Return what readers see of each occasion, with when it was modified last."""
    programme = loading.load_events(models.Event.objects.all())
    elements = json.loads(JsonFormat().write_events(Listing(Snapshot(programme, now()), Selection())))
    return Counter(json.dumps(each, ensure_ascii=False) for each in elements)


class Result(NamedTuple):
    """What a case has shown.

    `rows` are those that are stored, `explained` the known limits and notes, and `faults` all else that differs.
    """

    case: Case
    found: Counts
    stored: Counts
    rows: list[Showing]
    explained: list[str]
    faults: list[str]


def check_all(folder: Path, only: str) -> Iterator[Result]:
    for case in list_cases():
        if only.casefold() in f"{case.file} {case.form}".casefold():
            path = folder / case.file
            sys.stderr.write(f"{case.file}, {case.form}\n")
            yield check(case, path) if path.exists() else _missing(case, path)


def check(case: Case, path: Path) -> Result:
    expected = list(case.read(path, ZoneInfo(case.zone)))
    found = case.count_source(path)
    faults = _find_wrong_counts(case.stated, found)
    try:
        stored, differing = _import(case, path)
    except CommandError as error:
        return Result(case, found, Counts(0, 0, 0, 0), [], [], [*faults, str(error)])
    faults += differing
    explained, others = _explain(case, compare(expected, stored))
    counts = case.count_days(stored)
    explained += [case.note] if case.note else []
    if not explained and not others:
        others = _find_other_counts(found, counts)
    return Result(case, found, counts, stored, explained, faults + others)


def _missing(case: Case, path: Path) -> Result:
    nothing = Counts(0, 0, 0, 0)
    return Result(case, nothing, nothing, [], [], [f"{path} is not there"])


def _import(case: Case, path: Path) -> tuple[list[Showing], list[str]]:
    """Return what an import of the file stores, and what it or further ones get wrong; then remove it all."""
    places = case.locate(path, ZoneInfo(case.zone)) if case.locate else {}
    with TemporaryDirectory() as directory, transaction.atomic():
        if case.make:
            content, ending = case.make(path, ZoneInfo(case.zone))
            path = Path(directory, f"made{ending}")
            path.write_bytes(content)
        if case.save_columns:
            case.save_columns("real")
        options = (*case.options, *case.answers)
        import_file(path, case.zone, *options)
        stored, revision = list(read_stored()), read_revision()
        before, differing = (revision, read_public()), _find_mislaid(places)
        for name, again in _list_forms(path):
            import_file(again, case.zone, *options)
            if (read_revision(), read_public()) != before:
                # What is stored now is another programme.
                differing.append(f"the same file, {name}, changes something")
                break
        transaction.set_rollback(True)
    return stored, differing


def _find_mislaid(places: dict[str, str]) -> list[str]:
    """Return the places that are elsewhere than the source has them."""
    rows = models.Location.objects.values_list("name", "latitude", "longitude")
    stored = {fold_place(name): (latitude, longitude) for name, latitude, longitude in rows}
    expected = {
        name: tuple(round(Decimal(each), 6) for each in at.split(", ")) for name, at in places.items()
    }
    return [
        f"{name}: stored at {stored.get(name)}, not at {at}"
        for name, at in expected.items()
        if stored.get(name) != at
    ]


def _list_forms(path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the forms of a file that are the same programme."""
    yield "imported again", path
    with TemporaryDirectory() as directory:
        if content := reorder(path):
            reordered = Path(directory, f"reordered{path.suffix}")
            reordered.write_bytes(content)
            yield "shuffled", reordered


def _find_wrong_counts(stated: Counts, found: Counts) -> list[str]:
    return [
        f"{name}: the README states {number}, the source has {getattr(found, name)}"
        for name, number in stated._asdict().items()
        if number not in (None, getattr(found, name))
    ]


def _find_other_counts(found: Counts, stored: Counts) -> list[str]:
    return [
        f"{name}: the source has {number}, {getattr(stored, name)} are stored, and no note says why"
        for name, number in found._asdict().items()
        if number not in (None, getattr(stored, name))
    ]


def _explain(case: Case, differences: list[Difference]) -> tuple[list[str], list[str]]:
    """Return the limits that explain differences, and the differences that none explains."""
    explained, left = [], differences
    for limit in case.limits:
        known = [each for each in left if limit.holds(each)]
        if len(known) == limit.number:
            left = [each for each in left if each not in known]
            explained.append(f"{len(known)} differ: {limit.reason}")
        else:
            explained.append(f"{limit.number} were known and {len(known)} are found: {limit.reason}")
    return explained, [str(each) for each in left]


def write_results(results: list[Result]) -> str:
    """Return a line for each case: how much was imported, and the limits and notes that explain differences."""
    lines = (
        f"{result.case.file}, {result.case.form}: {len(result.rows)} rows; {'; '.join(result.explained)}"
        for result in results
    )
    return "\n".join(lines) + "\n"


def write_differences(results: list[Result]) -> str:
    """Return what is wrong, '' if nothing is."""
    lines = []
    for result in results:
        if result.faults:
            lines += [
                "",
                f"{result.case.file}, {result.case.form}:",
                *(f"- {each}" for each in result.faults),
            ]
    return "\n".join(lines)
