"""Importing a schedule: what it makes of a file, what a newer version changes, and what it tells."""

import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from django.core.management import call_command
from django.db import models
from django.utils.translation import override

from programme.models import (
    Area,
    Event,
    EventType,
    Language,
    Location,
    Occasion,
    Organizer,
    Revision,
    Room,
    Status,
)

pytestmark = pytest.mark.django_db

Run = Callable[..., str]

TEA = {
    "id": "1",
    "guid": "g1",
    "title": "Tea",
    "subtitle": "A cup",
    "abstract": "Of **tea**.",
    "track": "Drinks",
    "language": "en",
    "persons": ["Ada", "Bo"],
    "room": "Kitchen",
    "date": "2026-07-29T15:00:00+02:00",
    "duration": "01:00",
    "url": "https://fest.example/tea",
}
LATER = "2026-07-30T15:00:00+02:00"
JAZZ = TEA | {"id": "2", "guid": "g2", "title": "Jazz", "track": "Music", "room": "Stage", "date": LATER}
FEAST = {"acronym": "feast26", "title": "The Feast"}


def in_xml(*events: dict, conference: dict = FEAST) -> str:
    names = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in conference.items())
    return f"<schedule><conference>{names}</conference>{''.join(map(_day, events))}</schedule>"


def _day(event: dict) -> str:
    persons = "".join(f"<person>{escape(name)}</person>" for name in event.get("persons", []))
    parts = "".join(
        f"<{name}>{escape(text)}</{name}>"
        for name, text in event.items()
        if name not in {"id", "guid", "persons", "room", "day"}
    )
    guid = f' guid="{event["guid"]}"' if event.get("guid") else ""
    return (
        f'<day date="{event.get("day", "")}"><room name="{escape(event.get("room", ""))}">'
        f'<event id="{event["id"]}"{guid}>{parts}<persons>{persons}</persons></event></room></day>'
    )


def in_json(*events: dict, conference: dict = FEAST) -> str:
    days = [
        {"rooms": {event["room"]: [event | {"persons": [{"public_name": p} for p in event["persons"]]}]}}
        for event in events
    ]
    return json.dumps({"schedule": {"conference": conference | {"days": days}}})


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Import a file of this content, and return what it tells."""

    def import_schedule(content: str | bytes, *options: str, **more: object) -> str:
        path = tmp_path / "schedule"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        told = io.StringIO()
        with override("en"):
            call_command("import_schedule", str(path), *options, stdout=told, **more)
        return told.getvalue()

    return import_schedule


def stored(model: type[models.Model], *fields: str) -> list[tuple]:
    return list(model.objects.order_by("id").values_list(*fields))


def revision() -> tuple:
    return Revision.objects.values_list("number", "moved_at").get()


def counts(told: str) -> dict[str, list[int]]:
    """Return the numbers of the report's table by kind."""
    rows = re.findall(r"^([a-z ]+?)((?: +[0-9]+){3,4}) *$", told, re.MULTILINE)
    return {kind: [int(number) for number in numbers.split()] for kind, numbers in rows}


# --- What becomes what ----------------------------------------------------------------------


def test_a_schedule_becomes_published_events_in_one_area_and_one_location(run):
    run(in_xml(TEA, JAZZ))
    assert stored(Area, "name", "full_name") == [("The Feast", "")]
    assert stored(Location, "name", "address") == [("The Feast", "")]
    assert stored(Room, "name", "location__name") == [("Kitchen", "The Feast"), ("Stage", "The Feast")]
    assert stored(Organizer, "name") == [("Ada, Bo",)]
    assert stored(EventType, "name_sv", "name_en") == [("Drinks", "Drinks"), ("Music", "Music")]
    assert stored(Language, "code", "name_sv", "name_en") == [("en", "Engelska", "English")]
    fields = (
        "source", "source_id", "title", "status", "area__name", "location__name", "room__name", "type__name_sv",
        "organizer__name", "language__code", "intro_en", "description_en", "intro_sv", "external_url",
        "cancelled",
    )  # fmt: skip
    assert stored(Event, *fields) == [
        ("feast26", "1", "Tea", Status.PUBLISHED, "The Feast", "The Feast", "Kitchen", "Drinks", "Ada, Bo", "en",
         "A cup", "Of tea.", "", "https://fest.example/tea", False),
        ("feast26", "2", "Jazz", Status.PUBLISHED, "The Feast", "The Feast", "Stage", "Music", "Ada, Bo", "en",
         "A cup", "Of tea.", "", "https://fest.example/tea", False),
    ]  # fmt: skip
    three = datetime(2026, 7, 29, 13, tzinfo=UTC)
    hour, day = timedelta(hours=1), timedelta(days=1)
    assert stored(Occasion, "source", "source_id", "event__title", "start", "end", "room") == [
        ("feast26", "g1", "Tea", three, three + hour, None),
        ("feast26", "g2", "Jazz", three + day, three + day + hour, None),
    ]


def test_an_occasion_in_another_room_than_its_events_first_has_its_own(run):
    run(in_xml(TEA, TEA | {"guid": "g2", "room": "Stage", "date": LATER}))
    assert stored(Event, "title", "room__name") == [("Tea", "Kitchen")]
    assert stored(Occasion, "source_id", "location__name", "room__name") == [
        ("g1", None, None),
        ("g2", "The Feast", "Stage"),
    ]


def test_rooms_that_differ_by_case_only_are_one_room(run):
    run(in_xml(TEA, JAZZ | {"room": "KITCHEN"}))
    assert stored(Room, "name") == [("Kitchen",)]


def test_swedish_texts_are_stored_as_swedish(run):
    run(in_xml(TEA | {"language": "sv"}))
    assert stored(Event, "intro_sv", "description_sv", "intro_en", "description_en") == [
        ("A cup", "Of tea.", "", "")
    ]


@pytest.mark.parametrize(
    ("conference", "options"),
    [({"language": "sv"}, []), ({}, ["--language=sv"]), ({"language": "en"}, ["--language=sv"])],
)
def test_the_schedules_language_is_that_of_texts_that_state_none(run, conference, options):
    run(in_xml(TEA | {"language": ""}, conference=FEAST | conference), *options)
    assert stored(Event, "intro_sv", "intro_en", "language") == [("A cup", "", None)]


def test_texts_that_come_to_be_of_the_other_language_move_there(run):
    run(in_xml(TEA))
    run(in_xml(TEA | {"language": "sv"}))
    assert stored(Event, "intro_sv", "description_sv", "intro_en", "description_en") == [
        ("A cup", "Of tea.", "", "")
    ]


def test_the_conferences_venue_is_the_location(run):
    run(in_xml(TEA, conference=FEAST | {"venue": "The House"}))
    assert stored(Location, "name") == [("The House",)]


def test_an_event_without_room_is_at_the_location(run):
    run(in_xml(TEA | {"room": ""}))
    assert stored(Event, "location__name", "room") == [("The Feast", None)]


def test_an_event_without_track_or_type_is_of_the_type_other(run):
    run(in_xml(TEA | {"track": ""}, JAZZ | {"track": "", "type": "concert"}))
    assert stored(EventType, "name_sv", "name_en") == [("Övrigt", "Other"), ("concert", "concert")]
    assert EventType.other() == Event.objects.get(title="Tea").type


def test_names_that_the_programme_has_are_used_whatever_their_case(run):
    area = Area.objects.create(name="Feast", full_name="THE FEAST")
    location = Location.objects.create(name="the feast", address="Here 1")
    room = Room.objects.create(location=location, name="KITCHEN")
    organizer = Organizer.objects.create(name="ADA, BO")
    kind = EventType.objects.create(name_sv="Drycker", name_en="drinks")
    language = Language.objects.create(code="en", name_sv="engelska")
    told = run(in_xml(TEA))
    event = Event.objects.get()
    assert (event.area, event.location, event.room) == (area, location, room)
    assert (event.organizer, event.type, event.language) == (organizer, kind, language)
    others = ("areas", "locations", "rooms", "organizers", "event types", "languages")
    created = {"events": [1, 0, 0, 0], "occasions": [1, 0, 0, 0]}
    assert counts(told) == created | {kind: [0, 0, 1] for kind in others}


def test_an_unknown_language_is_named_by_its_code(run):
    run(in_xml(TEA | {"language": "X-Elvish"}))
    assert stored(Language, "code", "name_sv", "name_en") == [("x-elvish", "x-elvish", "")]


def test_names_that_are_too_long_for_the_database_are_cut(run):
    run(in_xml(TEA | {"track": "t" * 150}, conference={"title": "long " * 60}))
    hundred, two_hundred = "long " * 19 + "long…", "long " * 39 + "long…"
    assert stored(Area, "name", "full_name") == [(hundred, two_hundred)]
    assert stored(Event, "source", "location__name") == [(two_hundred, two_hundred)]
    assert stored(EventType, "name_sv") == [("t" * 99 + "…",)]


def test_times_without_an_offset_are_of_the_festivals_zone_or_the_schedules(run, settings):
    settings.FESTIVAL_TIME_ZONE = "Europe/Helsinki"
    entry = TEA | {"date": "", "day": "2026-07-29", "start": "01:00", "guid": ""}
    for conference, start in (
        ({"acronym": "a"}, datetime(2026, 7, 28, 22, tzinfo=UTC)),
        ({"acronym": "b", "day_change": "04:00"}, datetime(2026, 7, 29, 22, tzinfo=UTC)),
        ({"acronym": "c", "time_zone_name": "Europe/London"}, datetime(2026, 7, 29, 0, tzinfo=UTC)),
    ):
        run(in_xml(entry, conference=conference))
        assert Occasion.objects.get(source=conference["acronym"]).start == start


def test_cancellations_stand_in_titles(run):
    run(in_xml(TEA | {"title": "[CANCELLED] Tea"}, JAZZ, JAZZ | {"guid": "g3", "title": "INSTÄLLT: Jazz"}))
    assert stored(Event, "title", "cancelled") == [("Tea", True), ("Jazz", False)]
    assert stored(Occasion, "source_id", "cancelled") == [("g1", False), ("g2", False), ("g3", True)]


def test_drafts_are_imported_as_drafts_and_publish_nothing(run):
    run(in_xml(TEA), "--draft")
    assert stored(Event, "status", "published_at") == [(Status.DRAFT, None)]


def test_an_area_that_is_asked_for_is_used_or_made(run):
    run(in_xml(TEA), "--area", "Parken")
    assert stored(Event, "area__name") == [("Parken",)]
    run(in_xml(TEA), "--area", "PARKEN")
    assert stored(Area, "name") == [("Parken",)]
