"""The check of `make real-data` finds what differs, in made sheets of every shape."""

import io
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from tests.real_data import checking
from tests.real_data.cases import Case, Limit
from tests.real_data.checking import Result, check, write_differences, write_table
from tests.real_data.days import split_into_days
from tests.real_data.offices import OfficeRow
from tests.real_data.shapes import SHAPES, expect, write_sheet
from tests.real_data.showings import Counts, Difference, Showing, compare

NOON = datetime(2026, 7, 28, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
YOGA = Showing("Yoga", NOON, NOON + HOUR, "Parken", "Tält 2", event=1)


def read_rows(_path: Path, _zone: ZoneInfo) -> Iterator[OfficeRow]:
    for number in range(3):
        start = NOON + timedelta(days=number)
        yield OfficeRow(
            YOGA._replace(start=start, end=start + HOUR, cancelled=number == 1), "Föreningen", "Parken"
        )
    # Until the second midnight in Stockholm.
    yield OfficeRow(Showing("Natt ☾", NOON + 8 * HOUR, NOON + 34 * HOUR, "Torget", event=2), "", "Torget")
    yield OfficeRow(Showing("Någon gång", None, None, "Torget", event=3), "", "Torget")


def build_case(shape: str, **changed: object) -> Case:
    def read(path: Path, zone: ZoneInfo) -> list[Showing]:
        found = expect(SHAPES[shape], read_rows(path, zone), zone)
        return [each._replace(**changed) if each.title == "Yoga" else each for each in found]

    def make(path: Path, zone: ZoneInfo) -> tuple[bytes, str]:
        return write_sheet(SHAPES[shape], read_rows(path, zone), zone), SHAPES[shape].ending

    stated, answers = Counts(2, 4, None, None), SHAPES[shape].answers
    return Case("made", shape, stated, "Europe/Stockholm", read, make, answers=answers)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_made_sheet_is_split_into_a_sheet_for_each_day(shape: str):
    zone = ZoneInfo("Europe/Stockholm")
    content = write_sheet(SHAPES[shape], read_rows(Path(), zone), zone)
    book = load_workbook(io.BytesIO(split_into_days(content, SHAPES[shape].ending)))
    rows = [
        [row for row in sheet.iter_rows(values_only=True) if row[0] not in {"Program", None}]
        for sheet in book
    ]
    # Each begins with the headings. What has no day stays where it was.
    assert sorted(len(each) - 1 for each in rows) in ([1, 1, 3], [1, 2, 2])
    assert {each[0] for each in rows} == {rows[0][0]}


@pytest.mark.django_db
def test_a_difference_between_a_sheet_and_its_days_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def rename(content: bytes, ending: str) -> bytes:
        return split_into_days(content.replace(b"Yoga", b"Toga"), ending)

    monkeypatch.setattr(checking, "split_into_days", rename)
    result = check(build_case("Swedish, Windows-1252"), tmp_path)
    assert result.faults == ["the same file, split into a sheet for each day, changes something"]


@pytest.mark.django_db
@pytest.mark.parametrize("shape", SHAPES)
def test_a_made_sheet_of_each_shape_is_imported_as_it_is(shape: str, tmp_path: Path):
    result = check(build_case(shape), tmp_path, twice=True)
    assert (result.faults, len(result.rows), result.stored[:2]) == ([], 5, (2, 4))


@pytest.mark.django_db
def test_what_differs_is_named_unless_it_is_known(tmp_path: Path):
    case = build_case("English, no ID", room="Tält 3")
    faults = check(case, tmp_path).faults
    assert len(faults) == 6
    assert "only here: “Yoga”, 2026-07-28 12:00 to 2026-07-28 13:00 UTC, parken, tält 2" in faults
    limit = Limit("tents are alike", lambda each: each.showing.location == "parken", 6)
    known = check(case._replace(limits=(limit,), stated=Counts(2, 5, None, None)), tmp_path)
    assert known.faults == ["occasions: the README states 5, the source has 4"]
    assert known.explained == ["6 differ: tents are alike"]
    assert write_table([known]).splitlines()[-1] == (
        "| made | English, no ID | 2 / 5 / – / – | 2 / 4 / 2 / 3 | 5 | 2 / 4 / 2 / 3 | 1 | 6 differ: tents are alike |"
    )
    other = check(case._replace(limits=(limit._replace(number=5),)), tmp_path)
    assert other.faults == faults
    assert other.explained == ["5 were known and 6 are found: tents are alike"]


@pytest.mark.django_db
def test_a_question_that_is_not_asked_is_a_difference(tmp_path: Path):
    case = build_case("English, no ID")._replace(answers=("--ids", "occasion"))
    assert check(case, tmp_path).faults == ["nothing is asked without --ids occasion"]


@pytest.mark.django_db
def test_a_second_import_that_writes_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(checking, "read_revision", chain([1], repeat(2)).__next__)
    faults = check(build_case("English, no ID"), tmp_path, twice=True).faults
    assert faults == ["the same file, imported again, changes something"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("public", "name"),
    [
        (["Parken", "Torget"], "split into a sheet for each day"),
        (["Parken", "Parken", "Torget"], "shuffled"),
        (["Parken", "Parken", "Parken", "Torget"], "sorted by another column"),
    ],
)
def test_what_another_order_changes_is_a_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, public: list[str], name: str
):
    monkeypatch.setattr(checking, "read_public", map(Counter, public).__next__)
    faults = check(build_case("English, no ID"), tmp_path).faults
    assert faults == [f"the same file, {name}, changes something"]


def test_forms_of_the_same_programme_are_compared():
    results = [
        Result(case, case.stated, case.stated, [YOGA._replace(location=case.file, end=YOGA.start + hours)], [], [])
        for case, hours in ((build_case("Excel moments")._replace(file=name), hours) for name, hours in (
            ("emf-2024/schedule.frab", HOUR), ("emf-2024/schedule.ics", HOUR), ("emf-2024/schedule.json", 2 * HOUR)
        ))
    ]  # fmt: skip
    assert write_differences(results[:2], None) == ""
    assert write_differences(results, 1).splitlines()[1:] == [
        "Forms of the same programme:",
        "- emf-2024/schedule.json, unlike emf-2024/schedule.ics: “Yoga”, 2026-07-28 12:00 to 2026-07-28 14:00 UTC",
        "- and 1 more (REAL_DATA_ARGS=--all)",
    ]


def test_events_that_are_grouped_otherwise_differ():
    later = YOGA._replace(start=NOON + HOUR, end=NOON + 2 * HOUR)
    assert compare([YOGA, later], [later, YOGA._replace(title="Yo\u200bga ", room="TÄLT 2")]) == []
    found = compare([YOGA, later], [YOGA, later._replace(event=2)])
    places = {"location": "parken", "room": "tält 2", "event": ""}
    assert found == [
        Difference("an event in the source", YOGA._replace(**places)),
        Difference("an event here", YOGA._replace(**places)),
        Difference("an event here", later._replace(**places)),
    ]


def test_without_the_data_it_says_so(tmp_path: Path):
    run = partial(subprocess.run, capture_output=True, text=True, check=False)
    done = run([sys.executable, "-m", "tests.real_data", str(tmp_path / "none")])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"There is no real data at {tmp_path}/none: name its folder with REAL_DATA=…\n"
