"""Importing a schedule with the command: the events it becomes."""

from datetime import UTC, datetime, timedelta

import pytest

from programme.models import Area, Event, EventType, Language, Location, Occasion, Organizer, Room, Status
from tests.programme.exchange.imports import report_counts, values_of
from tests.programme.exchange.schedules import FEAST, JAZZ, TEA, build_xml

pytestmark = pytest.mark.django_db


def test_a_schedule_becomes_published_events_in_one_area_and_one_location(run):
    run(build_xml(TEA, JAZZ))
    assert values_of(Area, "name", "full_name") == [("The Feast", "")]
    assert values_of(Location, "name", "address") == [("The Feast", "")]
    assert values_of(Room, "name", "location__name") == [("Kitchen", "The Feast"), ("Stage", "The Feast")]
    assert values_of(Organizer, "name") == [("Ada, Bo",)]
    assert values_of(EventType, "name_sv", "name_en") == [("Drinks", "Drinks"), ("Music", "Music")]
    assert values_of(Language, "code", "name_sv", "name_en") == [("en", "Engelska", "English")]
    fields = (
        "source", "source_id", "title", "status", "area__name", "type__name_sv",
        "organizer__name", "language__code", "intro_en", "description_en", "intro_sv", "external_url",
    )  # fmt: skip
    assert values_of(Event, *fields) == [
        ("feast26", "1", "Tea", Status.PUBLISHED, "The Feast", "Drinks", "Ada, Bo", "en",
         "A cup", "Of tea.", "", "https://fest.example/tea"),
        ("feast26", "2", "Jazz", Status.PUBLISHED, "The Feast", "Music", "Ada, Bo", "en",
         "A cup", "Of tea.", "", "https://fest.example/tea"),
    ]  # fmt: skip
    three = datetime(2026, 7, 29, 13, tzinfo=UTC)
    hour, day = timedelta(hours=1), timedelta(days=1)
    fields = (
        *("source", "source_id", "event__title", "start", "end", "location__name", "room__name"),
        "cancelled",
    )
    assert values_of(Occasion, *fields) == [
        ("feast26", "g1", "Tea", three, three + hour, "The Feast", "Kitchen", False),
        ("feast26", "g2", "Jazz", three + day, three + day + hour, "The Feast", "Stage", False),
    ]


@pytest.mark.parametrize(
    ("conference", "options"),
    [({"language": "sv"}, []), ({}, ["--language=sv"]), ({"language": "en"}, ["--language=sv"])],
)
def test_the_schedules_language_is_that_of_texts_that_state_none(run, conference, options):
    run(build_xml(TEA | {"language": ""}, conference=FEAST | conference), *options)
    assert values_of(Event, "intro_sv", "intro_en", "language") == [("A cup", "", None)]


def test_texts_that_come_to_be_of_the_other_language_move_there(run):
    run(build_xml(TEA))
    run(build_xml(TEA | {"language": "sv"}))
    assert values_of(Event, "intro_sv", "description_sv", "intro_en", "description_en") == [
        ("A cup", "Of tea.", "", "")
    ]


def test_the_conferences_venue_is_the_location(run):
    run(build_xml(TEA, conference=FEAST | {"venue": "The House"}))
    assert values_of(Location, "name") == [("The House",)]


def test_an_event_without_room_is_at_the_location(run):
    run(build_xml(TEA | {"room": ""}))
    assert values_of(Occasion, "location__name", "room") == [("The Feast", None)]


def test_an_event_without_track_or_type_is_of_the_type_other(run):
    run(build_xml(TEA | {"track": ""}, JAZZ | {"track": "", "type": "concert"}))
    assert values_of(EventType, "name_sv", "name_en") == [("Övrigt", "Other"), ("concert", "concert")]
    assert EventType.other() == Event.objects.get(title="Tea").type


def test_names_that_the_programme_has_are_used_whatever_their_case(run):
    area = Area.objects.create(name="Feast", full_name="THE FEAST")
    location = Location.objects.create(name="the feast", address="Here 1")
    room = Room.objects.create(location=location, name="KITCHEN")
    organizer = Organizer.objects.create(name="ADA, BO")
    kind = EventType.objects.create(name_sv="Drycker", name_en="drinks")
    language = Language.objects.create(code="en", name_sv="engelska")
    report = run(build_xml(TEA))
    event, occasion = Event.objects.get(), Occasion.objects.get()
    assert (event.area, occasion.location, occasion.room) == (area, location, room)
    assert (event.organizer, event.type, event.language) == (organizer, kind, language)
    others = ("areas", "locations", "rooms", "organizers", "event types", "languages")
    created = {"events": [1, 0, 0, 0], "occasions": [1, 0, 0, 0]}
    assert report_counts(report) == created | {kind: [0, 0, 1] for kind in others}


def test_an_unknown_language_is_named_by_its_code(run):
    run(build_xml(TEA | {"language": "X-Elvish"}))
    assert values_of(Language, "code", "name_sv", "name_en") == [("x-elvish", "x-elvish", "")]


def test_names_that_are_too_long_for_the_database_are_cut(run):
    run(build_xml(TEA | {"track": "t" * 150}, conference={"title": "long " * 60}))
    hundred, two_hundred = "long " * 19 + "long…", "long " * 39 + "long…"
    assert values_of(Area, "name", "full_name") == [(hundred, two_hundred)]
    assert values_of(Occasion, "source", "location__name") == [(two_hundred, two_hundred)]
    assert values_of(EventType, "name_sv") == [("t" * 99 + "…",)]


def test_times_without_an_offset_are_of_the_festivals_zone_or_the_schedules(run, settings):
    settings.FESTIVAL_TIME_ZONE = "Europe/Helsinki"
    entry = TEA | {"date": "", "day": "2026-07-29", "start": "01:00", "guid": ""}
    for conference, start in (
        ({"acronym": "a"}, datetime(2026, 7, 28, 22, tzinfo=UTC)),
        ({"acronym": "b", "day_change": "04:00"}, datetime(2026, 7, 29, 22, tzinfo=UTC)),
        ({"acronym": "c", "time_zone_name": "Europe/London"}, datetime(2026, 7, 29, 0, tzinfo=UTC)),
    ):
        run(build_xml(entry, conference=conference))
        assert Occasion.objects.get(source=conference["acronym"]).start == start


def test_an_area_that_is_asked_for_is_used_or_made(run):
    run(build_xml(TEA), "--area", "Parken")
    assert values_of(Event, "area__name") == [("Parken",)]
    run(build_xml(TEA), "--area", "PARKEN")
    assert values_of(Area, "name") == [("Parken",)]
