"""Occasions are held where the rows of a file say, and stay where they are held, whatever the order of the rows."""

from datetime import UTC, datetime

import pytest

from programme.models import Area, Event, ImportedRow, Location, Occasion, Room
from tests.programme.backoffice.imports.pages import build_sheet, preview_rows, remarks_on, show_preview
from tests.programme.exchange.imports import current_revision, report_section

pytestmark = pytest.mark.django_db

HEADINGS = "Titel;Område;Plats;Rum;Datum;Start;Slut"


def sheet(*rows: str) -> str:
    return "\n".join([HEADINGS, *rows])


def film(place: str, day: int, room: str = "", title: str = "Film") -> str:
    return f"{title};Staden;{place};{room};2026-09-{day};19;20"


@pytest.fixture
def office(run):
    """Import these rows for the office, and return the report."""
    return lambda *rows, options=(): run(sheet(*rows), "--source", "office", *options, name="sheet.csv")


def add_by_hand(day: int) -> Occasion:
    start = datetime(2026, 9, day, 10, tzinfo=UTC)
    return Occasion.objects.create(event=Event.objects.get(), start=start, end=start.replace(hour=11))


def held() -> list[str]:
    """Return where the occasions are held, by their starts."""
    occasions = Occasion.objects.select_related("location", "room").order_by("start", "pk")
    return [", ".join(row.name for row in (each.location, each.room) if row) for each in occasions]


def test_an_occasion_is_held_where_its_row_says(office):
    office(
        film("Adlon", 12, "Salong 1"),
        film("Adlon", 13, "Salong 2"),
        film("Bio", 14),
        film("", 16),
        film("Adlon", 17),
    )
    assert held() == ["Adlon, Salong 1", "Adlon, Salong 2", "Bio", "", "Adlon"]


def test_a_newer_version_moves_the_occasions_that_it_names_and_no_others(office):
    office(film("Adlon", 12), film("Adlon", 13), film("Adlon", 14))
    add_by_hand(20)
    newer = [film("Bio", 13), film("Bio", 14)]
    report = office(*newer)
    assert held() == ["Adlon", "Bio", "Bio", ""]
    assert report_section(report, "Changed") == [
        "Film, Sun 13 Sep 2026 19:00: location Adlon → Bio",
        "Film, Mon 14 Sep 2026 19:00: location Adlon → Bio",
    ]
    # Nothing that stays is anybody's edit: the file may have it elsewhere later.
    again = office(film("Bio", 12), *newer)
    assert "Edited here" not in again
    assert report_section(again, "Changed") == ["Film, Sat 12 Sep 2026 19:00: location Adlon → Bio"]
    # Nothing is remembered of what was added by hand.
    assert ImportedRow.objects.filter(kind=ImportedRow.OCCASION).count() == 3


def test_an_occasion_that_was_moved_here_stays_there(office):
    office(film("Adlon", 12), film("Adlon", 13))
    Occasion.objects.filter(start__day=13).update(location=Location.objects.create(name="Capitol"))
    report = office(film("Bio", 12), film("Bio", 13))
    assert held() == ["Bio", "Capitol"]
    changed = "Edited here, and changed in the file; kept as it is here"
    assert report_section(report, changed) == [
        "Film, Sun 13 Sep 2026 19:00: location here Capitol, in the file Bio"
    ]


def test_a_file_that_states_no_place_moves_nothing(office, run):
    office(film("Adlon", 12))
    bare = "Titel;Område;Datum;Start;Slut\nFilm;Staden;2026-09-12;19;21\nFilm;Staden;2026-09-13;19;21"
    run(bare, "--source", "office", name="sheet.csv")
    assert held() == ["Adlon", ""]


@pytest.fixture
def room(db: None) -> Room:
    return Room.objects.create(name="Salen", location=Location.objects.create(name="Magasin 3"))


@pytest.mark.parametrize("cell", ["Magasin 3, Salen", "magasin 3,salen", "Salen"])
def test_a_room_is_found_in_the_cell_of_a_location(office, room, cell):
    report = office(film(cell, 12))
    assert (Occasion.objects.get().room, Occasion.objects.get().location) == (room, room.location)
    assert (Location.objects.count(), Room.objects.count()) == (1, 1)
    alone = ["“Salen” is taken as the room “Magasin 3, Salen”"] if cell == "Salen" else []
    assert report_section(report, "Taken as rooms") == alone
    before = current_revision()
    office(film(cell, 12))
    assert current_revision() == before


def test_a_location_of_that_name_goes_first(office, room):
    for name in ("Magasin 3, Salen", "Salen"):
        location = Location.objects.create(name=name)
        office(film(name, 12, title=name))
        assert Occasion.objects.get(event__title=name).location == location


def test_what_is_found_nowhere_is_a_new_location(office, room):
    office(film("Magasin 3, Foajén", 12))
    assert Occasion.objects.get().location.name == "Magasin 3, Foajén"


def test_the_rows_of_a_file_that_state_the_room_come_before_its_others(office):
    office(film("Magasin 3, Salen", 12), film("Magasin 3", 13, "Salen"))
    assert held() == ["Magasin 3, Salen"] * 2
    assert Location.objects.count() == 1


def test_a_room_and_its_location_are_found_by_their_former_names(office, room):
    office(film("Magasin 3, Salen", 12), film("Salen", 12, title="Tal"))
    for row, name in ((room, "Stora salen"), (room.location, "Magasinet")):
        row.name = name
        row.save()
    before = current_revision()
    office(film("Magasin 3, Salen", 12), film("Salen", 12, title="Tal"))
    assert (current_revision(), Location.objects.count()) == (before, 1)


@pytest.fixture
def rooms(room) -> list[Room]:
    return [room, Room.objects.create(name="Salen", location=Location.objects.create(name="Slottet"))]


def test_which_of_several_rooms_is_meant_is_asked(office, rooms):
    asked = office(film("Salen", 12), options=["--dry-run"])
    assert "--answer location:salen=Magasin 3, Salen: Magasin 3, Salen" in asked
    assert "--answer location:salen=Slottet, Salen: Slottet, Salen" in asked
    office(film("Salen", 12), options=["--answer", "location:salen=Slottet, Salen"])
    assert Occasion.objects.get().room == rooms[1]
    before = current_revision()
    office(film("Salen", 12))
    assert current_revision() == before


def test_a_new_location_is_made_where_none_of_several_rooms_is_meant(office, rooms):
    office(film("Salen", 12), options=["--answer", "location:salen=Salen"])
    assert (Occasion.objects.get().location.name, Occasion.objects.get().room) == ("Salen", None)


def test_the_area_says_which_of_several_rooms_is_meant(office, rooms):
    Area.objects.create(name="Staden")
    office(film("Slottet", 12, title="Tal"))
    office(film("Slottet", 12, title="Tal"), film("Salen", 13))
    assert Occasion.objects.get(event__title="Film").room == rooms[1]


def test_the_preview_says_which_room_is_meant(client, room):
    page = show_preview(client, build_sheet("Fest;Parken;Salen;2026-09-12;19;20;Fri"))
    assert preview_rows(page)[-1][2] == "Sat 12 Sep 19:00–20:00, Magasin 3, Salen"
    assert remarks_on(page)[0] == "“Salen” is taken as the room “Magasin 3, Salen”"
