"""A programme that moves out by the interface and in again is the same, with its IDs."""

from pathlib import Path

import pytest
from django.core.management import call_command

from programme import demo
from programme.models import Area, Event, Occasion, Organizer
from tests.conftest import NOW, SetClock
from tests.programme.demo.created import STOCKHOLM
from tests.programme.exchange.moving.services import empty, fetch, read_service, read_uids, save_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def served(request: pytest.FixtureRequest, at: SetClock) -> None:
    """The demo, or the programme of all hard cases, as readers get it."""
    at(NOW)
    if request.param == "demo":
        demo.create(NOW, STOCKHOLM)
    else:
        request.getfixturevalue("sample")


@pytest.mark.parametrize(
    ("served", "calendar"), [("demo", True), ("sample", True), ("sample", False)], indirect=["served"]
)
def test_it_is_the_same_but_for_moments(calendar, served, tmp_path: Path):
    before, uids = read_service(), read_uids(fetch("/api/events.ics"))
    files = save_files(tmp_path, calendar=calendar)
    empty()
    call_command("import", *files, verbosity=0)
    after = read_service()
    assert after["areas"] == before["areas"]
    for language in ("sv", "en"):
        for found, expected in zip(after[language], before[language], strict=True):
            assert found == expected
    assert (read_uids(fetch("/api/events.ics")) == uids) is calendar


@pytest.mark.parametrize("served", ["demo"], indirect=True)
def test_what_is_new_afterwards_gets_ids_of_its_own(served, tmp_path: Path):
    files = save_files(tmp_path)
    empty()
    call_command("import", *files, verbosity=0)
    largest = {model: model.objects.latest("id").id for model in (Area, Organizer, Event, Occasion)}
    area, organizer = Area.objects.create(name="Ny"), Organizer.objects.create(name="Ny")
    event = Event.objects.create(title="Ny", area=area, type=Event.objects.first().type)
    first = Occasion.objects.first()
    occasion = Occasion.objects.create(event=event, start=first.start, end=first.end)
    assert {type(row): row.id for row in (area, organizer, event, occasion)} == {
        model: key + 1 for model, key in largest.items()
    }


@pytest.mark.parametrize("served", ["demo"], indirect=True)
def test_importing_it_again_changes_nothing(served, tmp_path: Path):
    files = save_files(tmp_path)
    empty()
    call_command("import", *files, verbosity=0)
    before = fetch("/api/events.json")
    call_command("import", *files, verbosity=0)
    assert fetch("/api/events.json") == before
