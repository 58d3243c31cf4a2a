"""`festival export` writes a selection of the events as a sheet, or says why not."""

import csv
import re
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from programme.models import Edition, Event, Occasion
from tests.programmes import MARATHON, occasion_uuid

pytestmark = pytest.mark.django_db


def export(path: Path, *options: str) -> set[str]:
    """Return the identities of the occasions in an exported file."""
    call_command("export", str(path), "--format", "csv", *options)
    _headings, *rows = csv.reader(path.read_text("utf-8-sig").splitlines(), delimiter=";")
    uuids = {str(uuid) for uuid in Occasion.objects.values_list("uuid", flat=True)}
    return uuids & {cell for row in rows for cell in row}


@pytest.mark.parametrize(("name", "begins"), [("x.xlsx", b"PK"), ("x.CSV", b"\xef\xbb\xbf")])
def test_the_extension_names_the_format(name, begins, sample, tmp_path):
    path = tmp_path / name
    call_command("export", str(path))
    assert path.read_bytes().startswith(begins)


@pytest.mark.parametrize("name", ["x.xlsx", "x.csv"])
def test_nothing_is_exported_as_a_file_all_the_same(name, tmp_path):
    path = tmp_path / name
    call_command("export", str(path))
    assert path.stat().st_size


def test_drafts_are_exported_when_asked_for(sample, tmp_path):
    published, all_of_them = export(tmp_path / "a"), export(tmp_path / "b", "--drafts")
    assert all_of_them == {str(uuid) for uuid in Occasion.objects.values_list("uuid", flat=True)}
    assert all_of_them - published == {
        str(uuid) for uuid in Occasion.objects.filter(event__status="draft").values_list("uuid", flat=True)
    }
    assert str(occasion_uuid(8017)) in all_of_them - published


def test_an_area_is_exported_by_its_name(sample, tmp_path):
    of_area = Occasion.objects.filter(event__area__events=MARATHON)
    name = of_area.first().event.area.name
    assert export(tmp_path / "a", "--area", name) == {
        str(uuid) for uuid in of_area.values_list("uuid", flat=True)
    }


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["x.doc"], "--format"),
        (["x.csv", "--area", "Nowhere"], "no area Nowhere|inget område Nowhere"),
        (["/nowhere/x.csv"], "nowhere"),
        (["x.csv", "--edition", "2019"], "no edition 2019|ingen upplaga 2019"),
    ],
)
def test_what_cannot_be_exported_is_reported(options, says, sample):
    with pytest.raises(CommandError, match=re.compile(says)):
        call_command("export", *options)


def test_an_edition_is_exported_by_its_name_else_all(sample, tmp_path):
    year = {"first_day": date(2025, 1, 1), "last_day": date(2025, 12, 31)}
    Edition.objects.create(slug="2025", name_sv="Natten 2025", **year)
    # Of an event that has others in 2026.
    assert export(tmp_path / "a", "--edition", "2025") == {str(occasion_uuid(8011))}
    assert len(export(tmp_path / "b")) == Occasion.objects.filter(event__status="published").count()
    # Events without an occasion are of any edition.
    rows = (tmp_path / "a").read_text().splitlines()[1:]
    titles = {row.partition(";")[2].partition(";")[0] for row in rows}
    bare = Event.objects.filter(occasions=None, status="published").values_list("title", flat=True)
    assert {*bare} <= titles
    assert bare
