"""Occasions stay where they are held, whichever place their event states and whatever the order of the rows."""

from datetime import UTC, datetime

import pytest

from programme.models import Area, Event, ImportedRow, Location, Occasion, Room
from programme.models.locations import find_place
from tests.programme.backoffice.imports.pages import (
    apply_preview,
    build_sheet,
    preview_rows,
    remarks_on,
    show_preview,
)
from tests.programme.exchange.imports import current_revision, report_counts, report_section

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


def own_places() -> tuple[str, list[str | None]]:
    """Return the place that the event states, and those that its occasions state, by their starts."""
    occasions = Occasion.objects.order_by("start").values_list("location__name", flat=True)
    return Event.objects.get().location.name, list(occasions)


def held() -> list[str]:
    """Return where the occasions are held, by their starts."""
    occasions = Occasion.objects.select_related("event").order_by("start", "pk")
    places = (find_place(each, each.event) for each in occasions)
    return [", ".join(each.name for each in place if each) for place in places]


@pytest.mark.parametrize(
    ("places", "own", "others"),
    [
        (["Adlon", "Bio", "Bio"], "Bio", ["Adlon", None, None]),
        (["Bio", "Adlon"], "Adlon", ["Bio", None]),
        (["Bio", "Bio", "Adlon", "Adlon", "Capitol"], "Adlon", ["Bio", "Bio", None, None, "Capitol"]),
    ],
)
def test_an_event_has_the_place_of_most_rows_and_of_several_the_first_by_name(office, places, own, others):
    rows = [film(place, day) for day, place in enumerate(places, 12)]
    office(*reversed(rows))
    assert own_places() == (own, others)


def test_a_version_without_the_first_rows_moves_nothing(office):
    rows = [film("Adlon", 12), film("Adlon", 13), film("Bio", 14)]
    office(*rows)
    add_by_hand(20)
    before, places = current_revision(), held()
    report = office(rows[2])
    assert (held(), current_revision()) == (places, before)
    assert places == ["Adlon", "Adlon", "Bio", "Adlon"]
    assert report_counts(report)["events"] == [0, 0, 1, 0]
    assert report_counts(report)["occasions"] == [0, 0, 1, 2]


def test_what_stays_keeps_its_place_when_that_of_its_event_changes(office):
    office(film("Adlon", 12), film("Adlon", 13), film("Adlon", 14))
    add_by_hand(20)
    report = office(film("Bio", 13), film("Bio", 14))
    # Two follow the event, and two stay where they were: as many rows are written as with places of their own.
    assert own_places() == ("Adlon", [None, "Bio", "Bio", None])
    assert report_section(report, "Changed") == [
        "Film, 2026-09-13 19:00: location Adlon → Bio",
        "Film, 2026-09-14 19:00: location Adlon → Bio",
    ]


def test_the_place_of_an_event_changes_where_that_writes_fewer_rows(office):
    days = range(12, 17)
    office(*(film("Adlon", day) for day in days))
    add_by_hand(20)
    report = office(*(film("Bio", day) for day in days[1:]))
    assert own_places() == ("Bio", ["Adlon", None, None, None, None, "Adlon"])
    assert report_section(report, "Changed") == ["Film [film_|_staden]: location Adlon → Bio"]
    assert report_counts(report)["occasions"] == [0, 4, 0, 1]
    # What stays is nobody's edit: the file may have it elsewhere later.
    again = office(*(film("Bio", day) for day in days))
    assert "Edited here" not in again
    assert report_section(again, "Changed") == ["Film, 2026-09-12 19:00: location Adlon → Bio"]
    # Nothing is remembered of what was added by hand.
    assert ImportedRow.objects.filter(kind=ImportedRow.OCCASION).count() == 5


def test_a_single_occasion_moves_with_its_event(office):
    office(film("Adlon", 12))
    report = office(film("Bio", 12))
    assert own_places() == ("Bio", [None])
    assert report_section(report, "Changed") == ["Film [film_|_staden]: location Adlon → Bio"]


def test_of_two_at_one_time_each_stays_where_it_is(office):
    rows = [film("Bio", 12), film("Adlon", 12), f"{film('Bio', 13)}", f"{film('Bio', 13)[:-2]}21"]
    office(*rows)
    before = current_revision()
    office(*reversed(rows))
    assert current_revision() == before


def test_an_occasion_that_was_moved_here_does_not_follow_its_event(office):
    office(film("Adlon", 12), film("Adlon", 13))
    Occasion.objects.filter(start__day=13).update(location=Location.objects.create(name="Capitol"))
    report = office(film("Bio", 12), film("Bio", 13))
    assert held() == ["Bio", "Capitol"]
    changed = "Edited here, and changed in the file; kept as it is here"
    assert report_section(report, changed) == [
        "Film, 2026-09-13 19:00: location here Capitol, in the file Bio"
    ]


def test_the_preview_says_of_an_occasion_that_follows_its_event_that_it_changes(client):
    rows = ["Fest;Parken;Scen;2026-09-12;19;20;Fri", "Fest;Parken;Scen;2026-09-13;19;20;Fri"]
    apply_preview(client, show_preview(client, build_sheet(*rows)))
    page = show_preview(client, build_sheet(*(row.replace("Scen", "Ladan") for row in rows)))
    assert [row[1:3] for row in preview_rows(page)] == [
        ("changed", "Fest"),
        ("changed", "2026-09-12 19:00–20:00, Ladan"),
        ("changed", "2026-09-13 19:00–20:00, Ladan"),
    ]


@pytest.fixture
def room(db: None) -> Room:
    return Room.objects.create(name="Salen", location=Location.objects.create(name="Magasin 3"))


@pytest.mark.parametrize("cell", ["Magasin 3, Salen", "magasin 3,salen", "Salen"])
def test_a_room_is_found_in_the_cell_of_a_location(office, room, cell):
    report = office(film(cell, 12))
    assert (Event.objects.get().room, Event.objects.get().location) == (room, room.location)
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
        assert Event.objects.get(title=name).location == location


def test_what_is_found_nowhere_is_a_new_location(office, room):
    office(film("Magasin 3, Foajén", 12))
    assert Event.objects.get().location.name == "Magasin 3, Foajén"


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
    assert Event.objects.get().room == rooms[1]
    before = current_revision()
    office(film("Salen", 12))
    assert current_revision() == before


def test_a_new_location_is_made_where_none_of_several_rooms_is_meant(office, rooms):
    office(film("Salen", 12), options=["--answer", "location:salen=Salen"])
    assert (Event.objects.get().location.name, Event.objects.get().room) == ("Salen", None)


def test_the_area_says_which_of_several_rooms_is_meant(office, rooms):
    Area.objects.create(name="Staden")
    office(film("Slottet", 12, title="Tal"))
    office(film("Slottet", 12, title="Tal"), film("Salen", 13))
    assert Event.objects.get(title="Film").room == rooms[1]


def test_the_preview_says_which_room_is_meant(client, room):
    page = show_preview(client, build_sheet("Fest;Parken;Salen;2026-09-12;19;20;Fri"))
    assert preview_rows(page)[-1][2] == "2026-09-12 19:00–20:00, Magasin 3, Salen"
    assert remarks_on(page)[0] == "“Salen” is taken as the room “Magasin 3, Salen”"
