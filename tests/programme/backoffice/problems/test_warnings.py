"""Warnings in the form of an event, and after saving."""

import datetime as dt

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from programme.backoffice.problems.warnings import find_warnings
from programme.models import AreaDay, Day, Edition, Event, EventType, Location, Occasion, Room, Status
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.requests import list_messages, opened, row_fields, submission
from tests.programmes import CLOCKS, DRAFT, JAZZ, NIGHT, PARKEN, TORGET, utc

pytestmark = pytest.mark.usefixtures("sample")

ADD = "/admin/programme/event/add/"


@pytest.fixture(autouse=True)
def _english(settings, at: SetClock) -> None:
    settings.LANGUAGE_CODE = "en"
    at(NOW)


def change(pk: int) -> str:
    return f"/admin/programme/event/{pk}/change/"


def store(event: Event, *occasions: Occasion) -> list[Occasion]:
    event.save()
    for each in occasions:
        each.event = event
        each.save()
    return list(occasions)


def list_warnings(event: Event, *occasions: Occasion) -> list[tuple[int | None, str, str]]:
    found = find_warnings(event, store(event, *occasions))
    return [(each.row, each.field, str(each.text)) for each in found]


def held(event: Event, start: dt.datetime, minutes: int = 60, **values: object) -> Occasion:
    place = {"location_id": 5001, "room_id": 6001}
    return Occasion(event=event, start=start, end=start + dt.timedelta(minutes=minutes), **place | values)


@pytest.fixture
def talk() -> Event:
    """An event that has no warnings."""
    return Event(title="Föredrag", area_id=PARKEN, type=EventType.other(), intro_sv="Om.", intro_en="On.")


def test_a_room_that_is_taken_is_told(talk: Event) -> None:
    # 8001 and 8014 are there from 16 to 17.
    jazz = Event.objects.get(id=JAZZ).title
    assert list_warnings(talk, held(talk, utc(2026, 7, 29, 15)), held(talk, utc(2026, 7, 29, 14, 59))) == [
        (0, "start_time", "Biblioteket, Sal 2 is taken then: Föredrag"),
        (1, "start_time", f"Biblioteket, Sal 2 is taken then: {jazz}"),
        (1, "start_time", "Biblioteket, Sal 2 is taken then: När klockan ställs om"),
        (1, "start_time", "Biblioteket, Sal 2 is taken then: Föredrag"),
    ]


def test_a_location_without_rooms_is_taken_as_one_room_is(talk: Event, django_assert_num_queries) -> None:
    stage = Location.objects.create(name="Kajscenen", address="Norra kajen 8")
    Occasion.objects.filter(id=8001).update(location=stage, room=None)
    store(talk, held(talk, utc(2026, 7, 29, 14), location_id=stage.pk, room_id=None))
    rows = list(talk.occasions.select_related("location", "room__location"))
    with django_assert_num_queries(6):
        [told] = find_warnings(talk, rows)
    assert str(told.text) == f"Kajscenen is taken then: {Event.objects.get(id=JAZZ).title}"


def test_an_event_does_not_clash_with_itself_as_it_was(talk: Event) -> None:
    clocks = Event.objects.get(id=CLOCKS)
    # 8014 of it is moved away from what it clashed with; its stored self is no other.
    moved = held(clocks, utc(2026, 7, 29, 15))
    assert [each for each in list_warnings(clocks, moved) if each[0] is not None] == []


@pytest.mark.parametrize(
    ("parallel", "values"),
    [(True, {}), (False, {"cancelled": True}), (False, {"room_id": 6002}), (False, {"room_id": None})],
)
def test_a_room_that_is_free_is_not_told_of(talk: Event, parallel: bool, values: dict[str, object]) -> None:
    Room.objects.filter(id=6001).update(parallel=parallel)
    assert list_warnings(talk, held(talk, utc(2026, 7, 29, 14), **values)) == []


def test_hours_of_the_area_that_is_chosen_and_an_end_before_the_start(talk: Event) -> None:
    early = utc(2026, 7, 29, 6)
    assert list_warnings(talk, held(talk, early)) == []
    talk.area_id = TORGET
    assert list_warnings(talk, held(talk, early)) == [(0, "start_time", "The area is open 10:00–03:00")]
    turned = held(talk, utc(2026, 7, 30, 18), 23 * 60)
    assert list_warnings(talk, turned)[-1] == (
        0,
        "end_time",
        "23 hours, into the next day. Is the end right?",
    )


def test_what_is_missing_in_the_event_itself() -> None:
    bare = Event(title="T", area_id=PARKEN, type=EventType.other(), intro_sv="Hej", description_en="Hello")
    rows = [
        held(bare, utc(2026, 7, 29, hour), location_id=at, room_id=None)
        for hour, at in ((9, 5001), (10, None))
    ]
    assert list_warnings(bare, *rows) == [
        (None, "occasions-1-place", "No location"),
        (None, "description_sv", "Missing in Swedish"),
        (None, "intro_en", "Missing in English"),
    ]


@pytest.mark.parametrize("count", [1, 100])
def test_the_number_of_queries_is_constant(django_assert_num_queries, talk: Event, count: int) -> None:
    AreaDay.objects.create(area_id=PARKEN, day=Day.on(dt.date(2026, 7, 30)), opens=dt.time(1))
    store(talk, *(held(talk, utc(2026, 7, 29, 14)) for _ in range(count)))
    occasions = list(talk.occasions.select_related("location", "room__location"))
    with django_assert_num_queries(6):
        found = find_warnings(talk, occasions)
    assert len(found) == count * min(3, count + 1)


def test_a_day_of_no_edition_is_told_once_it_is_published(talk: Event) -> None:
    days = {"first_day": dt.date(2026, 7, 30), "last_day": dt.date(2026, 8, 1)}
    Edition.objects.create(slug="2026", name_sv="Natten", **days)
    occasions = [held(talk, utc(2026, 7, 29, 14)), held(talk, utc(2026, 7, 30, 14))]
    talk.status = Status.DRAFT
    assert "No edition has this day." not in map(str, find_warnings(talk, store(talk, *occasions)))
    talk.status = Status.PUBLISHED
    warned = [
        each
        for each in find_warnings(talk, store(talk, *occasions))
        if str(each) == "No edition has this day."
    ]
    assert [(each.row, each.field) for each in warned] == [(0, "day")]


def test_a_stored_event_s_form_tells_it_all_and_beside_each_row(office: Client) -> None:
    found = opened(office, change(NIGHT))
    assert found.select("tr.row-warnings") == []
    assert [(item.a["href"], item.get_text()) for item in found.select("#warnings li")] == [
        ("#id_intro_en", "Intro in English: Missing in English"),
        ("#id_description_en", "Description in English: Missing in English"),
    ]
    clash = opened(office, change(CLOCKS)).select_one("tr.row-warnings")
    assert clash.find_previous_sibling("tr")["id"] == "occasions-1"
    jazz = Event.objects.get(id=JAZZ).title
    assert clash.get_text(strip=True) == f"Biblioteket, Sal 2 is taken then: {jazz}, 16:00–17:00"
    unplaced = opened(office, change(DRAFT)).select_one("#warnings li")
    assert (unplaced.a["href"], unplaced.get_text()) == ("#id_occasions-0-place", "Occasion 1: No location")
    # Of a new event there is nothing to tell yet.
    assert opened(office, ADD).select("#warnings li, tr.row-warnings") == []


def test_saving_goes_through_and_tells_of_the_rows_with_links_to_them(office: Client) -> None:
    fields = row_fields("occasions", 1, day="2026-07-29", start_time="16:30", end_time="17:30")
    response = office.post(change(CLOCKS), submission(office.get(change(CLOCKS))) | fields, follow=True)
    assert Occasion.objects.get(id=8014).start == utc(2026, 7, 29, 14, 30)
    jazz = Event.objects.get(id=JAZZ).title
    message = BeautifulSoup(list_messages(response)[0], "lxml")
    assert message.a["href"] == f"{change(CLOCKS)}#id_occasions-1-start_time"
    assert message.body.get_text() == (
        f"Wed 29 Jul 16:30: Biblioteket, Sal 2 is taken then: {jazz}, 16:00–17:00"
    )
