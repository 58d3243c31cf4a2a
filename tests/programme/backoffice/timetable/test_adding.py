"""Adding occasions: in an empty slot, of an event that is there or a new draft, and from the shelf."""

import datetime as dt

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Permission

from programme.models import AreaEditor, Edit, Event, Occasion
from tests.programme.backoffice.requests import words
from tests.programme.backoffice.samples import make_events
from tests.programme.backoffice.timetable.reading import BARE_AT_FOUR, DAY, add, drop, page, unplace
from tests.programmes import DRAFT, JAZZ, PARKEN, TORGET, utc

pytestmark = pytest.mark.usefixtures("at", "sample")


def newest() -> Occasion:
    return Occasion.objects.select_related("event").latest("pk")


def test_an_event_gets_another_occasion(office, anna):
    answer = add(office, event=JAZZ, minute=18 * 60 + 15, minutes=45).json()
    occasion = newest()
    assert (occasion.event_id, occasion.start, occasion.end, occasion.location_id, occasion.room_id) == (
        *(JAZZ, utc(2026, 7, 29, 16, 15), utc(2026, 7, 29, 17)),
        *(5001, 6002),
    )
    assert answer["message"] == f"Added {occasion.event.title}: 18:15–19:00, Biblioteket, Källaren."
    assert (answer["occasion"], answer["link"]) == (occasion.pk, None)
    assert f'data-occasion="{occasion.pk}"' in answer["html"]
    edit = Edit.objects.get(pk=answer["undo"])
    assert (edit.user, edit.reason) == (anna, "added on the timetable")
    answer = add(office, event=JAZZ, column="none").json()
    assert (newest().location_id, newest().room_id) == (None, None)
    assert "18:00–19:00, No location." in answer["message"]


def test_a_title_makes_a_draft(office):
    answer = add(office, title="  Yoga i gräset ", area=PARKEN).json()
    event = newest().event
    assert (event.title, event.status, event.area_id) == ("Yoga i gräset", "draft", PARKEN)
    assert event.type.name_sv == "Övrigt"
    assert (newest().location_id, newest().room_id) == (5001, 6002)
    assert answer["message"] == "Added the draft Yoga i gräset: 18:00–19:00, Biblioteket, Källaren."
    assert answer["link"] == {
        "text": "Open the draft",
        "href": f"/admin/programme/event/{event.pk}/change/?back={DAY}",
    }
    # Readers know nothing of a draft.
    assert answer["news"] is False


@pytest.mark.parametrize(
    ("fields", "status", "why"),
    [
        ({"event": JAZZ, "minute": 24 * 60}, 400, "This is outside the day."),
        ({"event": JAZZ, "minute": ""}, 400, "This field is required."),
        ({"event": JAZZ, "minutes": 0}, 400, "Ensure this value is greater than or equal to 1."),
        ({"event": JAZZ, "column": "r99"}, 409, "This place is no longer here. Choose another one."),
        ({"event": 99}, 409, "This event has been deleted by someone else."),
        ({"title": "", "area": TORGET}, 400, "This field is required."),
        ({"title": "Yoga", "area": 99}, 400, "What was chosen here is no longer there."),
        ({"title": "x" * 301, "area": TORGET}, 400, "Ensure this value has at most 300 characters"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing_behind(office, fields, status, why):
    before = Event.objects.count(), Occasion.objects.count(), Edit.objects.count()
    refused = add(office, **fields)
    assert (refused.status_code, refused.json()["message"][: len(why)]) == (status, why)
    assert (Event.objects.count(), Occasion.objects.count(), Edit.objects.count()) == before


@pytest.mark.parametrize(
    ("day", "span"),
    [("2026-03-29", "01:30–03:30"), ("2026-10-25", "01:30–02:30"), ("2026-07-29", "01:30–02:30")],
)
def test_an_hour_is_an_hour_where_the_clock_changes(office, day, span):
    added = add(office, f"/admin/timetable/{day}/", event=JAZZ, minute=90, minutes=60, **{f"sure-{day}": "1"})
    assert f": {span}" in added.json()["message"]
    new = Occasion.objects.latest("pk")
    assert new.end - new.start == dt.timedelta(hours=1)


def test_the_column_knows_the_area_of_most_of_its_occasions(office):
    Occasion.objects.create(
        event_id=DRAFT, start=utc(2026, 7, 29, 8), end=utc(2026, 7, 29, 9), location_id=5001, room_id=6001
    )
    heads = {head["data-column"]: head.get("data-area") for head in page(office).select(".rooms .head")}
    assert (heads["r6001"], heads["l5002"]) == (str(TORGET), str(PARKEN))


@pytest.fixture
def shelved(sample: None) -> None:
    """A draft without an occasion, and an occasion without a place on another day; nothing else."""
    unplace()


def read_shelf(read: BeautifulSoup) -> list[str]:
    return [words(item) for item in read.select(".shelf button")]


def test_what_has_no_time_or_no_place_is_on_the_shelf(office, shelved):
    read = page(office)
    assert read_shelf(read) == ["Utkast", "Bara en titel Mon 3 Aug 16:00–17:00"]
    [event, occasion] = read.select(".shelf button")
    assert (event["data-event"], event["data-minutes"]) == (str(DRAFT), "60")
    assert (occasion["data-id"], occasion["data-day"], occasion["data-minute"]) == (
        *(str(BARE_AT_FOUR), "2026-08-03"),
        "960",
    )
    # On its own day it has a column.
    assert read_shelf(page(office, "/admin/timetable/2026-08-03/"))[0] == "Utkast"
    assert str(BARE_AT_FOUR) not in str(page(office, "/admin/timetable/2026-08-03/").select(".shelf"))
    moved = drop(
        office, BARE_AT_FOUR, seen=occasion["data-seen"], day="2026-07-29", minute=19 * 60, column="r6002"
    )
    assert moved.json()["message"] == "Moved to 19:00–20:00, Biblioteket, Källaren. Readers are told."


def test_what_is_over_or_of_another_area_is_not(office, shelved: None):
    assert read_shelf(page(office, area=PARKEN)) == []
    assert len(read_shelf(page(office, area=TORGET))) == 2
    Occasion.objects.filter(pk=BARE_AT_FOUR).update(start=utc(2026, 7, 28, 10), end=utc(2026, 7, 28, 11))
    assert read_shelf(page(office)) == ["Utkast"]


def test_the_shelf_has_what_the_user_may_put_into_the_timetable(office, anna, shelved):
    anna.is_superuser, anna.is_staff = False, True
    anna.save()
    codenames = ["view_occasion", "add_occasion", "change_occasion"]
    anna.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    AreaEditor.objects.create(user=anna, area_id=PARKEN)
    assert read_shelf(page(office)) == []
    AreaEditor.objects.create(user=anna, area_id=TORGET)
    assert len(read_shelf(page(office))) == 2
    anna.user_permissions.remove(*Permission.objects.filter(codename__in=codenames[1:]))
    read = page(office)
    assert read_shelf(read) == []
    # Nor is there a dialog to add anything.
    assert read.select("#adding, #add") == []


def test_of_many_the_first_are_shown(office):
    Event.objects.all().delete()
    make_events(70, occasions=0)
    read = page(office, DAY)
    assert len(read_shelf(read)) == 60
    assert words(read.select_one(".shelf .count")) == "60+"
