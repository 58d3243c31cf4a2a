"""The shelf of the timetable: events without an occasion, and coming occasions without a place."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Permission, User
from django.test import Client

from programme.models import AreaEditor, Event, Occasion
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.samples import make_events
from tests.programme.backoffice.timetable.reading import DAY, page, words
from tests.programme.backoffice.timetable.writing import add, drop
from tests.programmes import BARE, DRAFT, JAZZ, PARKEN, TORGET, utc

# Of BARE, without a place.
BARE_AT_FOUR = 8013


@pytest.fixture(autouse=True)
def _clock(at: SetClock, sample: None) -> None:
    at(NOW)


@pytest.fixture
def shelved(sample: None) -> None:
    """A draft without an occasion, and an occasion without a place on another day; nothing else."""
    Event.objects.filter(occasions=None).delete()
    Occasion.objects.filter(event=BARE, start__gt=utc(2026, 7, 30)).delete()
    Occasion.objects.filter(event=DRAFT).delete()
    Occasion.objects.filter(pk=BARE_AT_FOUR).update(start=utc(2026, 8, 3, 14), end=utc(2026, 8, 3, 15))


def read_shelf(read: BeautifulSoup) -> list[str]:
    return [words(item) for item in read.select(".shelf button")]


def test_what_has_no_time_or_no_place_is_on_the_shelf(office: Client, shelved: None) -> None:
    read = page(office)
    assert read_shelf(read) == ["Utkast", "Bara en titel Mon 2026-08-03 16:00–17:00"]
    [event, occasion] = read.select(".shelf button")
    assert (event["data-event"], event["data-minutes"], event["data-column"]) == (str(DRAFT), "60", "none")
    assert (occasion["data-id"], occasion["data-day"], occasion["data-minute"]) == (
        *(str(BARE_AT_FOUR), "2026-08-03"),
        "960",
    )
    # On its own day it has a column.
    assert read_shelf(page(office, "/admin/timetable/2026-08-03/"))[0] == "Utkast"
    assert str(BARE_AT_FOUR) not in str(page(office, "/admin/timetable/2026-08-03/").select(".shelf"))


def test_what_is_over_cancelled_or_of_another_area_is_not(office: Client, shelved: None) -> None:
    assert read_shelf(page(office, area=PARKEN)) == []
    assert len(read_shelf(page(office, area=TORGET))) == 2
    Event.objects.filter(pk=DRAFT).update(cancelled=True)
    Occasion.objects.filter(pk=BARE_AT_FOUR).update(start=utc(2026, 7, 28, 10), end=utc(2026, 7, 28, 11))
    assert page(office).select(".shelf") == []


def test_an_event_of_the_shelf_gets_an_occasion(office: Client, shelved: None) -> None:
    answer = add(office, event=DRAFT).json()
    assert answer["message"] == "Added Utkast: 18:00–19:00, Biblioteket, Källaren."
    assert read_shelf(BeautifulSoup(answer["html"], "lxml")) == ["Bara en titel Mon 2026-08-03 16:00–17:00"]


def test_an_occasion_of_the_shelf_gets_this_day_a_time_and_a_place(office: Client, shelved: None) -> None:
    as_seen = page(office).select_one(f'.shelf [data-id="{BARE_AT_FOUR}"]')["data-seen"]
    moved = drop(office, BARE_AT_FOUR, seen=as_seen, day="2026-07-29", minute=19 * 60, column="r6002")
    assert moved.json()["message"] == "Moved to 19:00, Biblioteket, Källaren."
    placed = Occasion.objects.get(pk=BARE_AT_FOUR)
    assert (placed.start, placed.end, placed.room_id) == (utc(2026, 7, 29, 17), utc(2026, 7, 29, 18), 6002)


def test_the_shelf_has_what_the_user_may_put_into_the_timetable(
    office: Client, anna: User, shelved: None
) -> None:
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


def test_of_many_the_first_are_shown(office: Client) -> None:
    Event.objects.all().delete()
    make_events(70, occasions=0)
    read = page(office, DAY)
    assert len(read_shelf(read)) == 60
    assert words(read.select_one(".shelf .count")) == "60+"
    assert page(office, DAY, print=1).select(".shelf") == []


@pytest.mark.parametrize("count", [1, 70])
def test_the_shelf_takes_two_queries(office: Client, count: int, django_assert_num_queries: Any) -> None:
    make_events(count, occasions=0)
    Occasion.objects.filter(event__in=[BARE, JAZZ]).update(start=utc(2026, 8, 3, 14), end=utc(2026, 8, 3, 15))
    with django_assert_num_queries(12):
        page(office)
