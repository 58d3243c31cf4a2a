"""`festival move-in`: a programme that moves out by its addresses and in again is the same, with its IDs."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from programme.demo import creation as demo
from programme.models import (
    Area,
    AreaDay,
    Day,
    Event,
    GoneOccasion,
    Location,
    Occasion,
    OccasionList,
    Organizer,
    Room,
)
from tests.conftest import NOW, SetClock, raise_sequences
from tests.programme.demo.created import STOCKHOLM
from tests.programme.exchange.moving.services import (
    INTERFACE,
    WHOLE,
    empty,
    fetch,
    read_answers,
    read_uids,
    save_files,
)
from tests.programmes import TOMTEN

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _sequences(db: None) -> Iterator[None]:
    """Moving in sets them, and other tests choose IDs."""
    yield
    raise_sequences()


LANGUAGES = ("", "?language=en")
OF_INTERFACE = ["/api/areas", "/api/events", "/api/events?language=en"]
# With what the interface's JSON has no field for: places on the map, booking, lists.
OF_PROGRAMME = ["/api/programme"] + [
    f"/api/events.{name}{language}"
    for name in ("ics", "bbcode", "qx1", "csv", "atom", "rss")
    for language in LANGUAGES
]


@pytest.fixture(params=["demo", "sample"])
def served(request: pytest.FixtureRequest, at: SetClock) -> None:
    """The demo, or the programme of all hard cases, as readers get it."""
    at(NOW)
    if request.param == "demo":
        demo.create(NOW, STOCKHOLM)
    else:
        request.getfixturevalue("sample")
        # Entered, with nothing on it.
        AreaDay.objects.create(area_id=TOMTEN, day=Day.on(NOW.date() + timedelta(days=3)))


def move(folder: Path, files: dict[str, str]) -> None:
    save_files(folder, files)
    empty()
    call_command("move-in", str(folder), verbosity=0)


@pytest.mark.parametrize("files", [INTERFACE, WHOLE])
@pytest.mark.usefixtures("served")
def test_it_is_the_same_but_for_moments(files, tmp_path: Path):
    shown = OccasionList.objects.filter(published=True).values_list("pk", flat=True)
    lists = [f"/api/lists/{key}/events.json" for key in shown]
    paths = OF_INTERFACE + ([*OF_PROGRAMME, *lists] if files is WHOLE else [])
    before, uids = read_answers(paths), read_uids(fetch("/api/events.ics"))
    move(tmp_path, files)
    after = read_answers(paths)
    for path, expected in before.items():
        assert after[path].decode() == expected.decode(), path
    assert read_uids(fetch("/api/events.ics")) == uids


@pytest.mark.usefixtures("served")
def test_what_is_new_afterwards_gets_ids_of_its_own_and_a_second_time_is_refused(tmp_path: Path):
    move(tmp_path, WHOLE)
    models = (Area, Organizer, Location, Room, Event, Occasion, OccasionList)
    largest = {model: row.pk for model in models if (row := model.objects.order_by("id").last())}
    event, first = Event.objects.all()[0], Occasion.objects.all()[0]
    new = [Area.objects.create(name="Ny"), Organizer.objects.create(name="Ny")]
    new += [Location.objects.create(name="Ny"), OccasionList.objects.create(title_sv="Ny")]
    new += [Room.objects.create(name="Ny", location=Location.objects.all()[0])]
    new += [Event.objects.create(title="Ny", area=event.area, type=event.type)]
    new += [Occasion.objects.create(event=event, start=first.start, end=first.end)]
    assert {type(row): row.pk for row in new} == {model: largest.get(model, 0) + 1 for model in models}
    with override("en"), pytest.raises(CommandError) as refused:
        call_command("move-in", str(tmp_path))
    reason = "there is a programme here already: move into an empty database"
    assert str(refused.value) == f"Nothing has moved in from {tmp_path}: {reason}."


@pytest.fixture
def files(sample, at: SetClock, tmp_path: Path) -> Path:
    """The interface's files of the programme of all hard cases; the database is empty."""
    save_files(tmp_path, INTERFACE)
    empty()
    return tmp_path


def test_ids_of_what_is_gone_are_not_given_again(files: Path):
    GoneOccasion.objects.create(id=1, uuid=uuid4(), event_id=1, gone_at=NOW)
    assert refuse(files).startswith("there is a programme here already")


def refuse(folder: Path) -> str:
    with override("en"), pytest.raises(CommandError) as refused:
        call_command("move-in", str(folder))
    assert not Area.objects.exists()
    return str(refused.value).removeprefix(f"Nothing has moved in from {folder}: ")


def change(folder: Path, name: str, **fields: object) -> None:
    """Change the first element of a file."""
    path = folder / name
    first, *others = json.loads(path.read_bytes())
    path.write_text(json.dumps([first | fields, *others]))


def test_what_is_missing_or_cannot_be_stored_is_named_and_nothing_is_stored(files: Path):
    calendar = (files / "events.ics").read_bytes()
    change(files, "areas.json", externalUrl="javascript:x")
    assert refuse(files).startswith("area ")
    change(files, "areas.json", externalUrl=None)
    (files / "events.ics").write_bytes(calendar.replace(b"URL:", b"URL:x", 1))
    assert "the calendar does not have http" in refuse(files)
    (files / "events.ics").unlink()
    assert "No such file" in refuse(files)
    (files / "events.ics").write_bytes(calendar)
    (files / "areas.json").write_text("[")
    assert refuse(files) == "areas.json: it is cut off or damaged (line 1)."
    (files / "areas.json").unlink()
    assert "No such file" in refuse(files)
