"""Files of another service with the interface: ends, identities, languages, and what is refused."""

import io
import zipfile
from datetime import datetime
from pathlib import Path
from uuid import NAMESPACE_URL, UUID, uuid5
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from programme.models import Area, AreaDay, Event, EventType, GoneOccasion, Occasion
from tests.conftest import NOW, SetClock
from tests.programme.exchange.imports import current_revision, report_counts, report_section
from tests.programme.exchange.moving.elements import build_elements, build_occasion, encode, write_calendar
from tests.programme.exchange.moving.services import fetch

pytestmark = pytest.mark.django_db
ZONE = ZoneInfo("Europe/Stockholm")
EVENING = build_occasion(31, "2026-07-31", "19:00:00", "20:30:00", "fre 31 jul 19:00–20:30")


@pytest.fixture
def move(tmp_path: Path):
    """Import files by their names, and return the report."""

    def import_files(*options: str, **files: bytes) -> str:
        paths = []
        for name, content in files.items():
            path = tmp_path / name.replace("__", "-").replace("_", ".")
            path.write_bytes(content)
            paths.append(str(path))
        report = io.StringIO()
        with override("en"):
            call_command("import", *paths, *options, "--allow-refused", stdout=report)
        return report.getvalue()

    return import_files


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


# --- Ends -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "span", "expected"),
    [
        ("19:00:00", "20:30:00", "fre 31 jul 19:00–20:30", "2026-07-31 20:30"),
        ("23:00:00", "00:30:00", "fre 31 jul 23:00–00:30", "2026-08-01 00:30"),
        ("12:00:00", "12:00:00", "fre 31 jul 12:00–12:00", "2026-08-01 12:00"),
        ("22:00:00", "04:00:00", "fre 31 jul 22:00–sön 2 aug 04:00", "2026-08-02 04:00"),
        ("22:00:00", "04:00:00", "Fri 31 Jul 2026 22:00–Sun 2 Aug 2026 04:00", "2026-08-02 04:00"),
        ("22:00:00", "23:00:00", "imorgon 22:00–sön 2 aug 23:00", "2026-08-02 23:00"),
        ("22:00:00", "23:00:00", "", "2026-07-31 23:00"),
    ],
)
def test_without_a_calendar_words_and_clock_times_say_when_it_ends(start, end, span, expected, move):
    move(events_json=encode(build_elements(1, "Fest", build_occasion(31, "2026-07-31", start, end, span))))
    assert Occasion.objects.get().end == local(expected)


def test_the_calendar_knows_better(move):
    move(
        events_json=encode(build_elements(1, "Fest", EVENING)),
        events_ics=write_calendar((31, "a", "20260731T170000Z", "20260803T183000Z")),
    )
    assert Occasion.objects.get().end == local("2026-08-03 20:30")


def test_the_calendar_knows_which_of_two_hours_it_is(move):
    night = build_occasion(31, "2026-10-25", "02:30:00", "03:00:00")
    move(
        events_json=encode(build_elements(1, "Natt", night)),
        events_ics=write_calendar((31, "a", "20261025T013000Z", "20261025T020000Z")),
    )
    occasion = Occasion.objects.get()
    assert (occasion.end - occasion.start).total_seconds() == 1800


def test_an_older_calendar_gives_its_uid_and_not_its_end(move):
    move(
        events_json=encode(build_elements(1, "Fest", EVENING)),
        events_ics=write_calendar((31, "a", "20260730T170000Z", "20260803T183000Z")),
    )
    occasion = Occasion.objects.get()
    assert (occasion.start, occasion.end) == (local("2026-07-31 19:00"), local("2026-07-31 20:30"))
    assert occasion.uid == "a"


# --- UIDs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uid", "uuid", "text"),
    [
        ("7b0f1c5e-3f53-4d1c-9f61-0a4f3f9a8f01", UUID("7b0f1c5e-3f53-4d1c-9f61-0a4f3f9a8f01"), ""),
        (
            "7B0F1C5E-3F53-4D1C-9F61-0A4F3F9A8F01",
            UUID("7b0f1c5e-3f53-4d1c-9f61-0a4f3f9a8f01"),
            "7B0F1C5E-3F53-4D1C-9F61-0A4F3F9A8F01",
        ),
        ("31@annan.example", uuid5(NAMESPACE_URL, "31@annan.example"), "31@annan.example"),
        (r"a\,b\;c", uuid5(NAMESPACE_URL, "a,b;c"), "a,b;c"),
    ],
)
def test_the_uid_is_that_of_the_calendar(uid, uuid, text, move, at: SetClock):
    at(NOW)
    move(
        events_json=encode(build_elements(1, "Fest", EVENING)),
        events_ics=write_calendar((31, uid, "20260731T170000Z", "20260731T183000Z")),
    )
    occasion = Occasion.objects.get()
    assert (occasion.uuid, occasion.uid) == (uuid, text)
    assert f"\r\nUID:{uid}\r\n".encode() in fetch("/api/events.ics")
    assert f'guid="{uuid}"'.encode() in fetch("/api/events.frab-xml")
    occasion.delete()
    assert GoneOccasion.objects.values_list("uuid", "uid").get() == (uuid, text)
    gone = fetch("/api/events.ics", modified_since="2026-07-01T00:00:00Z")
    assert f"\r\nUID:{uid}\r\n".encode() in gone


# --- IDs ------------------------------------------------------------------------------------


def test_rows_keep_their_ids(move):
    move(events_json=encode(build_elements(21, "Fest", EVENING)))
    event, occasion = Event.objects.get(), Occasion.objects.get()
    assert (event.id, occasion.id, event.area_id, event.type_id) == (21, 31, 5, 7)
    assert (event.area.full_name, event.area.color, event.type.name_en) == (
        "Stora torget",
        "#2f6f4e",
        "Concert",
    )


def test_an_id_that_is_taken_is_not_kept_and_that_is_said(move):
    kind = EventType.other()
    own = Event.objects.create(id=21, title="Egen", type=kind, area=Area.objects.create(id=5, name="Egen"))
    report = move(events_json=encode(build_elements(21, "Fest", EVENING)))
    moved = Event.objects.exclude(pk=own.pk).get()
    assert moved.title == "Fest"
    assert moved.id != 21
    assert moved.area_id != 5
    assert Occasion.objects.get().id == 31
    assert "1 event: new IDs" in report
    assert "1 area: new IDs" in report


def test_ids_of_what_was_deleted_are_not_kept(move):
    kind, area = EventType.other(), Area.objects.create(name="Egen")
    own = Event.objects.create(id=21, title="Egen", type=kind, area=area, status="published")
    Occasion.objects.create(id=31, event=own, start=local("2026-07-31 19:00"), end=local("2026-07-31 20:00"))
    own.delete()
    move(events_json=encode(build_elements(21, "Fest", EVENING)))
    assert Event.objects.get().id != 21
    assert Occasion.objects.get().id != 31


def test_importing_again_updates_by_id(move):
    move(events_json=encode(build_elements(21, "Fest", EVENING)))
    Event.objects.update(price="100 kr")
    later = build_occasion(31, "2026-07-31", "20:00:00", "21:00:00")
    more = build_occasion(32, "2026-08-01", "20:00:00", "21:00:00")
    move(events_json=encode(build_elements(21, "Stor fest", later, more)))
    event = Event.objects.get()
    assert (event.id, event.title, event.price) == (21, "Stor fest", "100 kr")
    assert list(Occasion.objects.values_list("id", "start")) == [
        (31, local("2026-07-31 20:00")),
        (32, local("2026-08-01 20:00")),
    ]


AREA = {"id": 5, "name": "Torget", "fullName": "Stora torget", "color": "#2f6f4e"}
DAY = {"dayID": 3, "date": "2026-07-31", "opens": "10:00:00", "closes": "22:00:00", "occationCount": 1}
LATER = {"opens": "11:00:00", "closes": "21:00:00"}


def move_area(move, *options: str, day: dict[str, str], **fields: str) -> str:
    """Import an event in an area that is described in this way."""
    area = AREA | {"occationCount": 1, "days": [DAY | day]} | fields
    events = build_elements(21, "Fest", EVENING, area=area)
    return move(*options, events_json=encode(events), areas_json=encode([area]))


def stored_area() -> tuple[str, str, str, str]:
    area = Area.objects.get()
    (day,) = area.days.all()
    return (area.color, area.address, f"{day.opens:%H}", f"{day.closes:%H}")


def test_importing_again_updates_what_is_described_unless_it_was_edited_here(move):
    move_area(move, day={}, address="Gatan 1")
    assert stored_area() == ("#2f6f4e", "Gatan 1", "10", "22")
    Area.objects.update(address="Gatan 9")
    AreaDay.objects.update(closes="23:00")
    report = move_area(move, day=LATER, color="#000000", address="Gatan 2")
    assert stored_area() == ("#000000", "Gatan 9", "11", "23")
    assert report_section(report, "Changed") == [
        "Torget: colour #2f6f4e → #000000",
        "Torget 2026-07-31: opens 10:00:00 → 11:00:00",
    ]
    assert report_counts(report)["areas"] == [0, 1, 0]
    # What was decided stays, and nothing else is new.
    before = current_revision()
    move_area(move, day=LATER, color="#000000", address="Gatan 2")
    assert current_revision() == before
    move_area(move, "--overwrite", day=LATER, color="#000000", address="Gatan 2")
    assert stored_area() == ("#000000", "Gatan 2", "11", "21")


def test_what_an_editor_has_entered_before_stays_and_what_is_empty_is_filled(move):
    Area.objects.create(name="Torget", color="#ffffff")
    move_area(move, day={}, address="Gatan 1")
    assert Area.objects.values_list("color", "address", "full_name").get() == (
        "#ffffff",
        "Gatan 1",
        "Stora torget",
    )


# --- Both languages -------------------------------------------------------------------------


def test_the_documents_of_two_languages_complete_each_other(move):
    swedish = build_elements(1, "Fest", EVENING, intro={"sv": "Kom!", "en": None})
    evening = EVENING | {"timeSpan": "Fri 31 Jul 19:00–20:30"}
    english = build_elements(1, "Party", evening, intro={"sv": None, "en": "Come!"})
    # Whatever the files are called: the days' names say which is which.
    move(a_json=encode(english), b_json=encode(swedish))
    event = Event.objects.get()
    assert (event.title, event.intro_sv, event.intro_en) == ("Fest", "Kom!", "Come!")


def test_a_note_has_the_languages_in_which_it_is_said(move):
    evening = EVENING | {"timeSpan": "Fri 31 Jul 19:00–20:30"}
    notes = {"Ny sal": "New hall", "Slutsålt": "Slutsålt", None: None}
    for number, (sv, en) in enumerate(notes.items(), start=1):
        swedish = build_elements(number, "Fest", EVENING | {"id": 30 + number}, changeInfo=sv)
        english = build_elements(number, "Fest", evening | {"id": 30 + number}, changeInfo=en)
        move(a_json=encode(english), b_json=encode(swedish))
    # Where English readers were shown the Swedish one, there was none.
    assert list(Event.objects.order_by("pk").values_list("change_info", "change_info_en")) == [
        ("Ny sal", "New hall"),
        ("Slutsålt", ""),
        ("", ""),
    ]


# --- What differs between the occasions of an event --------------------------------------------


def test_what_most_elements_say_is_the_events(move):
    second = build_occasion(32, "2026-08-01", "19:00:00", "20:00:00")
    third = build_occasion(33, "2026-08-02", "19:00:00", "20:00:00")
    hall = {"name": "Stadshuset", "room": "Salen", "address": "Torget 1"}
    elements = build_elements(1, "Fest", EVENING, second, third, location=hall, cancelled=False)
    elements[2] |= {
        "location": {"name": "Parken", "room": None, "address": None},
        "cancelled": True,
        "changeInfo": "Flyttat",
        "changeTimestamp": "2026-07-28T14:03:12.483000+02:00",
    }
    move(events_json=encode(elements))
    event = Event.objects.select_related("location", "room").get()
    assert (event.location.name, event.location.address, event.room.name) == (
        "Stadshuset",
        "Torget 1",
        "Salen",
    )
    assert not event.cancelled
    assert not event.changed_at
    assert list(Occasion.objects.values_list("location__name", "cancelled", "change_info")) == [
        (None, False, ""),
        (None, False, ""),
        ("Parken", True, "Flyttat"),
    ]


# --- Files ----------------------------------------------------------------------------------


def test_a_zip_of_the_files_is_as_good(move):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("programme/events.json", encode(build_elements(1, "Fest", EVENING)))
        archive.writestr(
            "programme/events.ics", write_calendar((31, "a", "20260731T170000Z", "20260731T183000Z"))
        )
        archive.writestr("__MACOSX/programme/._events.json", b"\0")
    move(programme_zip=packed.getvalue())
    assert Occasion.objects.get().uid == "a"


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"areas_json": b'[{"id": 1, "name": "Torget", "occationCount": 0}]'}, "events.json has to be among"),
        ({"events_json": encode(build_elements(1, "Fest", EVENING)), "x_json": b'[{"id": 1}]'}, "x.json is neither"),
        ({"events_json": encode(build_elements(1, "Fest", EVENING)), "areas_json": b'[{"id": 1'}, "areas.json: it is cut off"),
    ],
)  # fmt: skip
def test_what_it_cannot_read_is_refused_as_a_whole(files, why, move):
    with pytest.raises(CommandError, match=why):
        move(**files)
    assert not Event.objects.exists()


def test_what_cannot_be_read_is_left_out_and_named(move):
    broken = build_occasion(41, "2026-07-32", "19:00:00", "20:00:00")
    elements = [
        *build_elements(1, "Fest", EVENING),
        *build_elements(2, "Aldrig", broken),
        *build_elements(3, "", EVENING | {"id": 43}),
        {"occation": {}, "title": "Utan"},
    ]
    report = move(events_json=encode(elements))
    assert Event.objects.get().title == "Fest"
    assert "Aldrig: left out, because its start cannot be read" in report
    assert "3: left out, because it has no title" in report
    assert "left out, because they have no usable ID: 1" in report
    assert "there is no calendar" in report
