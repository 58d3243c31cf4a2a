"""What was renamed here keeps being itself for files that call it by its former name; that is told once."""

import pytest
from bs4 import BeautifulSoup

from programme import recording
from programme.models import Area, Event, Location, Occasion, Organizer
from tests.programme.test_import_again import done
from tests.programme.test_import_page import EXPORT, client, sheet, shown

pytestmark = pytest.mark.django_db
__all__ = ["client"]
HEADINGS = "Titel;Område;Plats;Adress;Arrangör;Datum;Start;Slut"
ROWS = [f"{title};Parken;Torget;Gatan 1;Klubben;2026-09-1{n};19;20" for n, title in enumerate("ABC")]
WHAT = [(Area, "Parken"), (Location, "Torget"), (Organizer, "Klubben")]


def remarks(page) -> list[str]:
    return [
        each.get_text() for each in BeautifulSoup(page.content.decode(), "html5lib").select(".remarks li")
    ]


@pytest.fixture
def imported(client):
    done(client, shown(client, sheet(*ROWS, headings=HEADINGS)))
    return client


def rename(model, old: str, new: str) -> None:
    with recording.edit():
        model.objects.filter(name=old).update(name=new)


@pytest.mark.parametrize(("model", "name"), WHAT)
@pytest.mark.parametrize("kind", ["foreign", "ours"])
def test_an_older_file_changes_nothing_and_is_told_once(imported, model, name, kind):
    content, file = sheet(*ROWS, headings=HEADINGS), "programme.csv"
    if kind == "ours":
        content = imported.get(EXPORT, {"format": "csv", "drafts": "on"}).content
    rename(model, name, f"{name} X")
    page = shown(imported, content, name=file)
    assert remarks(page)[0] == f"“{name}” is called “{name} X” here now (3 events)"
    assert "Edited here since the last import" not in page.content.decode()
    assert done(imported, page) == ["Nothing had to be changed."]
    assert [each.name for each in model.objects.all()] == [f"{name} X"]


def test_a_row_that_has_the_name_by_now_is_meant(imported):
    rename(Location, "Torget", "Torget X")
    other = Location.objects.create(name="Torget", address="Gatan 1")
    page = shown(imported, sheet(*ROWS, headings=HEADINGS))
    assert remarks(page) == []
    done(imported, page)
    assert set(Event.objects.values_list("location", flat=True)) == {other.pk}
    assert Occasion.objects.exclude(location=None).count() == 0
