"""Names that were changed here are found by their former names, which are listed."""

import pytest

from programme.history import edits
from programme.models import Area, Event, EventType, Location, Occasion, Organizer, Room, SubArea
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    apply_and_list_messages,
    build_sheet,
    remarks_on,
    show_preview,
)

pytestmark = pytest.mark.django_db
HEADINGS = "Titel;Område;Plats;Adress;Arrangör;Datum;Start;Slut"
ROWS = [f"{title};Parken;Torget;Gatan 1;Klubben;2026-09-1{n};19;20" for n, title in enumerate("ABC")]


@pytest.fixture
def imported(client):
    apply_and_list_messages(client, show_preview(client, build_sheet(*ROWS, headings=HEADINGS)))
    return client


def rename(model, old: str, new: str, field: str = "name", **where: str) -> None:
    called = {"full_name": "name", "name_en": "name_sv"}.get(field, field)
    with edits.record():
        model.objects.filter(**{called: old}, **where).update(**{field: new})


def list_renamed(page) -> list[str]:
    return [each for each in remarks_on(page) if each.startswith("Renamed or merged here")]


def test_a_row_that_has_the_name_by_now_is_meant(imported):
    rename(Location, "Torget", "Torget X")
    other = Location.objects.create(name="Torget", address="Gatan 1")
    page = show_preview(imported, build_sheet(*ROWS, headings=HEADINGS))
    assert remarks_on(page) == []
    apply_and_list_messages(imported, page)
    assert set(Occasion.objects.values_list("location", flat=True)) == {other.pk}


HALLS = "Titel;Område;Delområde;Plats;Rum;Typ;Datum;Start;Slut;Arrangör"
IN_HALLS = [
    f"{title};Parken;Ängen;Torget;Salen;Konsert;2026-09-1{n};19;20;Klubben" for n, title in enumerate("ABC")
]
INSIDE = [
    *((SubArea, "name", "Ängen"), (Room, "name", "Salen"), (EventType, "name_sv", "Konsert")),
    *((Area, "name", "Parken"), (Location, "name", "Torget"), (Organizer, "name", "Klubben")),
]


RENAMED = [
    f"Renamed or merged here: {former} → {former} X"
    for former in ("Parken", "Ängen", "Torget", "Salen", "Klubben", "Konsert")
]


@pytest.fixture
def halls(client):
    apply_and_list_messages(client, show_preview(client, build_sheet(*IN_HALLS, headings=HALLS)))
    # Until an editor translates it, a type is called the same in English.
    rename(EventType, "Konsert", "Concert", "name_en")
    return client


@pytest.mark.parametrize("kind", ["foreign", "ours"])
def test_an_older_file_changes_nothing_and_what_was_renamed_is_listed(halls, kind):
    content, file = build_sheet(*IN_HALLS, headings=HALLS), "programme.csv"
    if kind == "ours":
        content = halls.get(EXPORT, {"format": "csv", "drafts": "on", "all": "on"}).getvalue()
    for model, field, name in INSIDE:
        rename(model, name, f"{name} X", field)
    page = show_preview(halls, content, name=file)
    assert list_renamed(page) == RENAMED
    assert "Edited here since the last import" not in page.content.decode()
    assert apply_and_list_messages(halls, page) == ["Nothing had to be changed."]
    for model, field, name in INSIDE:
        assert [getattr(each, field) for each in model.objects.all()] == [f"{name} X"]


def test_the_other_names_of_a_row_are_its_names(halls):
    rename(EventType, "Konsert", "Musik", "name_sv")
    rename(Area, "Parken", "Stadsparken i sommar", "full_name")
    row = "D;Stadsparken i sommar;Ängen;Torget;Salen;Concert;2026-09-14;19;20"
    page = show_preview(halls, build_sheet(row, headings=HALLS))
    assert list_renamed(page) == []
    apply_and_list_messages(halls, page)
    assert Event.objects.get(title="D").type.name_sv == "Musik"
    assert (Area.objects.count(), EventType.objects.count()) == (1, 1)


def test_a_new_event_is_put_into_the_room_of_that_former_name_in_its_own_location(halls):
    other = Room.objects.create(location=Location.objects.create(name="Kyrkan"), name="Salen")
    rename(Room, "Salen", "Stora salen", "name", location__name="Torget")
    rows = [*IN_HALLS, "D;Parken;;Torget;Salen;;2026-09-14;19;20", "E;Parken;;Kyrkan;Salen;;2026-09-14;19;20"]
    page = show_preview(halls, build_sheet(*rows, headings=HALLS))
    assert remarks_on(page)[0] == "Renamed or merged here: Salen → Stora salen"
    apply_and_list_messages(halls, page)
    assert Occasion.objects.get(event__title="D").room.name == "Stora salen"
    assert Occasion.objects.get(event__title="E").room == other
    assert Room.objects.count() == 2


def test_a_location_elsewhere_with_a_former_name_is_another_and_nothing_is_listed(imported):
    rename(Location, "Torget", "Torget X")
    page = show_preview(
        imported, build_sheet("D;Parken;Torget;Gatan 9;Klubben;2026-09-14;19;20", headings=HEADINGS)
    )
    assert list_renamed(page) == []
    apply_and_list_messages(imported, page)
    assert set(Location.objects.values_list("name", "address")) == {
        ("Torget X", "Gatan 1"),
        ("Torget", "Gatan 9"),
    }


def test_an_emptied_full_name_is_no_name(imported):
    rename(Area, "Parken", "Parken stora", "full_name")
    rename(Area, "Parken", "", "full_name")
    page = show_preview(imported, build_sheet(*ROWS, headings=HEADINGS))
    assert remarks_on(page) == []
    page = show_preview(
        imported, build_sheet("D;Parken stora;Torget;Gatan 1;;2026-09-14;19;20", headings=HEADINGS)
    )
    assert remarks_on(page)[0] == "Renamed or merged here: Parken stora → Parken"


def test_the_type_of_events_that_state_none_is_found_when_it_is_renamed(imported):
    assert list(EventType.objects.values_list("name_sv", flat=True)) == ["Övrigt"]
    rename(EventType, "Övrigt", "Annat", "name_sv")
    page = show_preview(
        imported, build_sheet(*ROWS, "D;Parken;Torget;Gatan 1;;2026-09-14;19;20", headings=HEADINGS)
    )
    apply_and_list_messages(imported, page)
    assert list(EventType.objects.values_list("name_sv", flat=True)) == ["Annat"]
