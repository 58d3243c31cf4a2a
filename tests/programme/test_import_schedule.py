"""Importing a schedule: what it makes of a file, what a newer version changes, and what it tells."""

import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from django.core.management import CommandError, call_command
from django.db import models
from django.utils.translation import override

from programme.models import (
    Area,
    Event,
    EventType,
    GoneOccasion,
    Language,
    Location,
    Occasion,
    Organizer,
    Revision,
    Room,
    Status,
)
from programme.schedules import applying

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


# --- Importing again --------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["--withdraw-missing"], ["--area", "the feast"], ["--draft"]])
def test_repeating_an_import_writes_nothing(run, options):
    run(in_xml(TEA, JAZZ, TEA | {"guid": "g1", "date": LATER}))
    before, modified = revision(), stored(Event, "last_modified")
    told = run(in_xml(TEA, JAZZ, TEA | {"guid": "g1", "date": LATER}), *options)
    assert (revision(), stored(Event, "last_modified")) == (before, modified)
    assert counts(told)["events"] == [0, 0, 2, 0]
    assert counts(told)["occasions"] == [0, 0, 3, 0]


def test_identifiers_that_look_like_our_own_are_told_apart(run):
    entries = [TEA | {"guid": "g #2"}, JAZZ | {"id": "1 =0123456789ab", "guid": "1 @1"}, JAZZ | {"guid": "g"}]
    run(in_xml(*entries, JAZZ | {"guid": "g", "date": TEA["date"]}))
    before = revision()
    assert counts(run(in_xml(*entries, JAZZ | {"guid": "g", "date": TEA["date"]})))["occasions"] == [
        0,
        0,
        4,
        0,
    ]
    assert revision() == before
    assert stored(Occasion, "source_id") == [("g_#2",), ("1_@1",), ("g",), ("g #2",)]


def test_the_json_twin_of_an_xml_file_changes_nothing(run):
    run(in_xml(TEA, JAZZ))
    before = revision()
    told = run(in_json(TEA, JAZZ, conference=FEAST | {"title": "The Feast - Stages"}))
    assert revision() == before
    assert counts(told)["occasions"] == [0, 0, 2, 0]


def test_a_newer_version_changes_events_and_tells_them_by_row(run):
    run(in_xml(TEA, JAZZ))
    jazz = Event.objects.get(title="Jazz").last_modified
    told = run(
        in_xml(
            TEA | {"title": "Green tea", "abstract": "Of more.", "room": "Stage", "duration": "02:00"},
            JAZZ,
            TEA | {"id": "3", "guid": "g3", "title": "Coffee", "date": "bad"},
            TEA | {"id": "4", "guid": "g4", "title": "Milk"},
        )
    )
    assert told == (
        "             created  changed  unchanged  no longer in the file\n"
        "events             1        1          1                      0\n"
        "occasions          1        1          1                      0\n"
        "areas              0        0          1                       \n"
        "locations          0        0          1                       \n"
        "rooms              0        0          2                       \n"
        "organizers         0        0          1                       \n"
        "event types        0        0          2                       \n"
        "languages          0        0          1                       \n"
        "\n"
        "Created (1)\n"
        "  Milk [4]\n"
        "\n"
        "Changed (2)\n"
        "  Green tea [1]: title Tea → Green tea; description in English Of tea. → Of more.;"
        " room The Feast, Kitchen → The Feast, Stage\n"
        "  Green tea, 2026-07-29 15:00: end 2026-07-29 16:00 → 2026-07-29 17:00\n"
        "\n"
        "Problems (1)\n"
        "  Coffee: left out, because its start cannot be read: “bad”\n"
    )
    assert stored(Event, "source_id", "title", "description_en", "room__name") == [
        ("1", "Green tea", "Of more.", "Stage"),
        ("2", "Jazz", "Of tea.", "Stage"),
        ("4", "Milk", "Of tea.", "Kitchen"),
    ]
    assert Event.objects.get(title="Jazz").last_modified == jazz


def test_an_event_that_takes_place_after_all_is_not_cancelled_any_more(run):
    run(in_xml(TEA | {"title": "CANCELLED - Tea"}))
    told = run(in_xml(TEA))
    assert stored(Event, "title", "cancelled") == [("Tea", False)]
    assert "  Tea [1]: cancelled yes → no\n" in told


def test_what_the_file_does_not_state_stays_as_it_was_edited_here(run):
    run(in_xml(TEA))
    Event.objects.update(
        highlighted=True, price="50 kr", intro_sv="En kopp", image_url="https://fest.example/i.png"
    )
    kind = EventType.objects.create(name_sv="Fika")
    Event.objects.update(type=kind)
    run(in_xml({name: value for name, value in TEA.items() if name not in ("url", "track", "room")}))
    assert stored(Event, "highlighted", "price", "intro_sv", "image_url", "external_url", "type__name_sv", "room__name") == [
        (True, "50 kr", "En kopp", "https://fest.example/i.png", "https://fest.example/tea", "Fika", "Kitchen")
    ]  # fmt: skip


def test_area_location_and_rooms_that_were_renamed_or_moved_here_are_kept(run):
    run(in_xml(TEA))
    Area.objects.update(name="Parken")
    Location.objects.update(name="Slottet")
    annex = Location.objects.create(name="Annexet")
    Room.objects.update(location=annex)
    Event.objects.update(location=annex)
    before = revision()
    assert counts(run(in_xml(TEA)))["events"] == [0, 0, 1, 0]
    assert revision() == before
    run(in_xml(TEA, JAZZ))
    assert stored(Event, "title", "area__name", "room__location__name", "room__name") == [
        ("Tea", "Parken", "Annexet", "Kitchen"),
        ("Jazz", "Parken", "Annexet", "Stage"),
    ]


def test_an_event_that_was_withdrawn_here_stays_so_and_is_told(run):
    run(in_xml(TEA))
    Event.objects.update(status=Status.DRAFT)
    told = run(in_xml(TEA))
    assert stored(Event, "status") == [(Status.DRAFT,)]
    assert told.endswith("\n\nIn the file, but drafts here (1)\n  Tea [1]\n")


def test_an_occasion_moves_with_its_guid_to_another_event(run):
    run(in_xml(TEA, TEA | {"guid": "g2", "date": LATER}))
    occasions = stored(Occasion, "id", "uuid", "source_id")
    run(in_xml(TEA, JAZZ))
    assert stored(Occasion, "id", "uuid", "source_id") == occasions
    assert stored(Occasion, "source_id", "event__title") == [("g1", "Tea"), ("g2", "Jazz")]


def test_another_source_with_the_same_identifiers_is_another_schedule(run):
    run(in_xml(TEA))
    run(in_xml(TEA), "--source", "feast27")
    assert stored(Event, "source", "source_id") == [("feast26", "1"), ("feast27", "1")]


def test_events_entered_here_by_hand_are_nobodys_to_change(run):
    run(in_xml(TEA))
    tea = Event.objects.get()
    Event.objects.create(title="Own", area=tea.area, type=tea.type, status=Status.PUBLISHED)
    start = datetime(2026, 8, 1, tzinfo=UTC)
    Occasion.objects.create(event=tea, start=start, end=start + timedelta(hours=1))
    before = revision()
    told = run(in_xml(TEA), "--withdraw-missing")
    assert revision() == before
    assert (counts(told)["events"], counts(told)["occasions"]) == ([0, 0, 1, 0], [0, 0, 1, 0])


# --- What is no longer in the file ---------------------------------------------------------------

TWO_TEAS = (TEA, TEA | {"guid": "g3", "date": LATER})


def test_what_is_no_longer_in_the_file_stays_and_is_listed(run):
    run(in_xml(*TWO_TEAS, JAZZ))
    before = revision()
    told = run(in_xml(TEA))
    assert revision() == before
    assert told.endswith(
        "\n\nNo longer in the file (2)\n"
        "  Jazz [2]: published\n"
        "  Tea, 2026-07-30 15:00: still here\n"
    )  # fmt: skip
    assert counts(told)["events"] == [0, 0, 1, 1]
    assert counts(told)["occasions"] == [0, 0, 1, 2]


def test_what_is_no_longer_in_the_file_is_withdrawn_where_that_is_asked_for(run):
    run(in_xml(*TWO_TEAS, JAZZ))
    second = Occasion.objects.get(source_id="g3")
    told = run(in_xml(TEA), "--withdraw-missing")
    assert stored(Event, "title", "status") == [("Tea", Status.PUBLISHED), ("Jazz", Status.DRAFT)]
    assert stored(Occasion, "source_id") == [("g1",), ("g2",)]
    assert stored(GoneOccasion, "id", "uuid") == [(second.id, second.uuid)]
    assert told.endswith(
        "\n\nNo longer in the file (2)\n"
        "  Jazz [2]: withdrawn\n"
        "  Tea, 2026-07-30 15:00: deleted\n"
    )  # fmt: skip
    before = revision()
    assert "  Jazz [2]: draft\n" in run(in_xml(TEA), "--withdraw-missing")
    assert revision() == before


def test_an_entry_that_cannot_be_read_is_not_taken_for_missing(run):
    run(in_xml(*TWO_TEAS, JAZZ))
    told = run(in_xml(TEA, TWO_TEAS[1] | {"date": "bad"}, JAZZ | {"title": ""}), "--withdraw-missing")
    assert "No longer in the file (" not in told
    assert counts(told)["occasions"] == [0, 0, 1, 0]
    assert stored(Event, "status") == [(Status.PUBLISHED,)] * 2


# --- Trying, refusing, failing ------------------------------------------------------------------


def test_a_dry_run_tells_the_same_and_writes_nothing(run):
    tried = run(in_xml(TEA, JAZZ), "--dry-run")
    assert (Event.objects.count(), Area.objects.count(), Language.objects.count()) == (0, 0, 0)
    done = run(in_xml(TEA, JAZZ))
    assert tried == f"Nothing is written; this is what would be done:\n\n{done}"
    before = revision()
    tried = run(in_xml(TEA | {"title": "Green tea"}), "--dry-run", "--withdraw-missing")
    assert revision() == before
    assert tried.endswith(run(in_xml(TEA | {"title": "Green tea"}), "--withdraw-missing"))


def test_the_first_import_counts_what_it_creates_and_lists_it_where_asked_to(run):
    assert "Created" not in run(in_xml(TEA), "--dry-run")
    assert "\n\nCreated (1)\n  Tea [1]\n" in run(in_xml(TEA), "--dry-run", verbosity=2)
    assert run(in_xml(TEA), verbosity=0) == ""


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (in_xml(TEA)[:-20], "it is cut off or damaged (no element found: line 1, column 432)"),
        (
            "<!DOCTYPE x>" + in_xml(TEA),
            "it holds a DOCTYPE or entities, which are not read for safety's sake",
        ),
        ("<html></html>", "its outermost element is <html>, not <schedule>"),
    ],
)
def test_what_is_no_schedule_is_refused_in_one_sentence(run, tmp_path, content, reason):
    with pytest.raises(CommandError) as refusal:
        run(content)
    assert str(refusal.value).startswith(f"{tmp_path / 'schedule'} is not imported: {reason[:24]}")
    assert str(refusal.value).count("\n") == 0
    assert Event.objects.count() == 0


def test_a_missing_file_is_said_so():
    with (
        pytest.raises(CommandError, match=r"^gone is not imported: No such file or directory\.$"),
        override("en"),
    ):
        call_command("import_schedule", "gone")


def test_a_schedule_that_does_not_say_whose_it_is_needs_a_source(run):
    with pytest.raises(CommandError, match="name it with --source"):
        run(in_xml(TEA, conference={}))
    run(in_xml(TEA, conference={}), "--source", "feast")
    assert stored(Event, "source", "area__name") == [("feast", "feast")]


def test_an_unknown_time_zone_is_refused(run):
    for name in ("Mars/Olympus", "../../etc/passwd"):
        with pytest.raises(CommandError, match="time zone that is not known"):
            run(in_xml(TEA, conference=FEAST | {"time_zone_name": name}))


@pytest.mark.django_db(transaction=True)
def test_an_error_in_the_midst_leaves_nothing(run, monkeypatch):
    run(in_xml(TEA))
    before, kinds = revision(), stored(EventType, "name_sv")
    create = Occasion.objects.bulk_create

    def create_and_fail(occasions: list[Occasion]) -> None:
        create(occasions)
        create(occasions)

    monkeypatch.setattr(type(Occasion.objects), "bulk_create", lambda _, rows, **__: create_and_fail(rows))
    with pytest.raises(CommandError, match="is not imported: "):
        run(in_xml(TEA | {"title": "Green tea"}, JAZZ), "--withdraw-missing")
    assert stored(Event, "title") == [("Tea",)]
    assert (revision(), stored(EventType, "name_sv")) == (before, kinds)


def test_what_is_edited_while_an_import_is_prepared_is_seen_by_it(run, monkeypatch):
    compare, calls = applying.compare, []

    def compare_and_be_disturbed(contents, order):
        plan = compare(contents, order)
        calls.append(plan)
        if len(calls) == 1:
            Organizer.objects.create(name="ada, bo")
        return plan

    monkeypatch.setattr(applying, "compare", compare_and_be_disturbed)
    run(in_xml(TEA))
    assert len(calls) == 2
    assert stored(Event, "organizer__name") == [("ada, bo",)]


@pytest.mark.parametrize("count", [1, 3, 300])
def test_an_import_that_changes_nothing_takes_the_same_queries_for_any_number(
    run, count, django_assert_num_queries
):
    events = [
        TEA | {"id": str(n), "guid": f"g{n}", "title": f"Tea {n}", "room": f"R{n}"} for n in range(count)
    ]
    run(in_xml(*events))
    # The revision; the festival's days; what the last import said; areas, locations, rooms of the place, rooms
    # in use, organizers, types, languages; the source's events and occasions; the events' usual location is
    # not asked for.
    with django_assert_num_queries(12):
        run(in_xml(*events))
