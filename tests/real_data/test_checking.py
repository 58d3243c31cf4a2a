"""The check of `make real-data` finds what differs, in made sheets of every shape."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.real_data.cases import Case, Limit
from tests.real_data.checking import check
from tests.real_data.offices import OfficeRow
from tests.real_data.shapes import SHAPES, expect, write_sheet
from tests.real_data.showings import Counts, Showing

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


@pytest.mark.django_db
@pytest.mark.parametrize("shape", SHAPES)
def test_a_made_sheet_of_each_shape_is_imported_as_it_is(shape: str, tmp_path: Path):
    result = check(build_case(shape), tmp_path)
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
    other = check(case._replace(limits=(limit._replace(number=5),)), tmp_path)
    assert other.faults == faults
    assert other.explained == ["5 were known and 6 are found: tents are alike"]
