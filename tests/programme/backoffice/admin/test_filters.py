"""The filters of lists by location or room, by hours and by sub area, and rooms narrowed by location."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from programme.models import Event, Location, Occasion, Room
from tests import programmes
from tests.programme.backoffice.admin.addresses import EVENTS
from tests.programme.backoffice.requests import parse
from tests.programmes import utc

OCCASIONS = "/admin/programme/occasion/"


@pytest.fixture
def places(jazz: Event, biblioteket: Location) -> dict[str, str]:
    """Jazz is in Sal 2 of Biblioteket, and once in Källaren; Kör is in Parken, twice; Quiz is nowhere, once.

    Dans has no occasion.
    """
    rooms = {name: Room.objects.create(location=biblioteket, name=name) for name in ("Sal 2", "Källaren")}
    parken = Location.objects.create(name="Parken")
    Occasion.objects.update(location=biblioteket, room=rooms["Sal 2"])
    start, end = utc(2026, 7, 30, 12), utc(2026, 7, 30, 13)
    Occasion.objects.create(event=jazz, start=start, end=end, room=rooms["Källaren"], location=biblioteket)
    choir, quiz, _dance = [
        Event.objects.create(title=title, area=jazz.area, type=jazz.type) for title in ("Kör", "Quiz", "Dans")
    ]
    for event, place, days in ((choir, parken, 0), (choir, parken, 1), (quiz, None, 0)):
        later = dt.timedelta(days=days)
        Occasion.objects.create(event=event, start=start + later, end=end + later, location=place)
    keys = {name: f"r{room.pk}" for name, room in rooms.items()}
    return keys | {"Biblioteket": f"l{biblioteket.pk}", "Parken": f"l{parken.pk}", "nowhere": "none"}


def find(office: Client, address: str, place: str) -> list[str]:
    return [str(row) for row in office.get(address, {"place": place}).context["cl"].result_list]


@pytest.mark.parametrize(
    ("chosen", "events", "occasions"),
    [
        ("Biblioteket", ["Jazz"], ["Jazz, Wed 29 Jul 14:00", "Jazz, Thu 30 Jul 14:00"]),
        ("Sal 2", ["Jazz"], ["Jazz, Wed 29 Jul 14:00"]),
        ("Källaren", ["Jazz"], ["Jazz, Thu 30 Jul 14:00"]),
        ("Parken", ["Kör"], ["Kör, Thu 30 Jul 14:00", "Kör, Fri 31 Jul 14:00"]),
        ("nowhere", ["Dans", "Quiz"], ["Quiz, Thu 30 Jul 14:00"]),
    ],
)
def test_lists_show_what_is_held_in_a_place(office, places, chosen, events, occasions):
    assert find(office, EVENTS, places[chosen]) == events
    assert find(office, OCCASIONS, places[chosen]) == occasions


@pytest.mark.parametrize("place", ["x", "l", "r-1", "l99999"])
def test_what_is_no_choice_finds_nothing(office, places, place):
    assert len(find(office, OCCASIONS, "")) == 5
    assert find(office, OCCASIONS, place) == []
    for name in ("audience", "plan"):
        page = parse(office.get(EVENTS, {name: place}))
        assert page.select("#result_list tbody tr") == []
        assert f"“{place}” is none of the choices." in page.select_one(".messagelist").text


def test_the_filter_offers_each_place_without_a_script_and_keeps_what_else_is_chosen(office, places):
    query = {"q": "jazz", "event__status__exact": "draft", "place": places["Sal 2"]}
    form = parse(office.get(OCCASIONS, query)).select_one(".box-filter")
    offered = [(option["value"], option.get_text()) for option in form.select("option")]
    assert offered == [
        ("", "all places"),
        ("none", "No location"),
        (places["Biblioteket"], "Biblioteket"),
        (places["Källaren"], "Biblioteket, Källaren"),
        (places["Sal 2"], "Biblioteket, Sal 2"),
        (places["Parken"], "Parken"),
    ]
    assert [option["value"] for option in form.select("option[selected]")] == [places["Sal 2"]]
    assert form.button.get_text() == "Show"
    hidden = {field["name"]: field["value"] for field in form.select("[type=hidden]")}
    assert hidden == {"q": "jazz", "event__status__exact": "draft"}


# --- Hours ----------------------------------------------------------------------------------------

TODAY = "2026-07-29"


def find_keys(office: Client, address: str = OCCASIONS, **chosen: Any) -> list[int]:
    return [row.pk for row in office.get(address, chosen).context["cl"].result_list]


@pytest.mark.usefixtures("at", "sample")
@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({"day": TODAY, "starts_from": "16"}, [8001, 8014, 8015, 8016, 8017, 8013, 8004]),
        ({"day": TODAY, "starts_before": "16:00"}, [8006, 8005]),
        (
            {"day": TODAY, "starts_from": "13:30", "starts_before": "16.01"},
            [8005, 8001, 8014, 8015, 8016, 8017, 8013],
        ),
        # Into the night after, and until midnight.
        ({"day": TODAY, "starts_from": "22", "starts_before": "02:00"}, [8004]),
        ({"day": TODAY, "starts_from": "22", "starts_before": "24:00"}, [8004]),
        # What has begun before, too, until it ends: at five.
        ({"day": TODAY, "on_from": "16:30", "on_until": "16:40"}, [8001, 8014, 8015, 8016, 8017, 8013]),
        ({"day": TODAY, "on_from": "17:00", "on_until": "19:00"}, [8013]),
        ({"day": TODAY, "on_from": "02:00", "on_until": "04:00", "place": "r6003"}, []),
        ({"day": "2026-07-30", "on_from": "02:00", "on_until": "04:00", "place": "r6003"}, [8004]),
        # Hours of every day; an occasion of the event is at the same time on the next one.
        ({"starts_from": "16", "starts_before": "17", "place": "r6002"}, [8002]),
        (
            {"starts_from": "00:30", "starts_before": "02:00", "event__area__id__exact": programmes.PARKEN},
            [8007, 8008],
        ),
        ({"on_from": "25"}, []),
    ],
)
def test_occasions_are_found_by_hours(office, chosen, found):
    assert find_keys(office, **chosen) == found


@pytest.mark.usefixtures("at", "sample")
def test_events_are_found_by_an_occasion_on_the_day_at_the_hours(office):
    # One of today begins at four, and another at ten.
    assert programmes.JAZZ in find_keys(office, EVENTS, day=TODAY, starts_from="16", starts_before="17")
    assert programmes.JAZZ not in find_keys(office, EVENTS, day=TODAY, starts_from="22", starts_before="23")


@pytest.mark.usefixtures("at", "sample")
def test_the_night_belongs_to_the_festival_day_before(office, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    assert find_keys(office, day="2025-07-28", starts_from="00:00") == [8011]
    assert find_keys(office, day="2025-07-28", starts_before="00:30") == []
    in_area = {"event__area__id__exact": programmes.TORGET}
    assert find_keys(office, starts_from="23", starts_before="01", **in_area) == [8011, 8012]


@pytest.mark.usefixtures("at", "sample")
def test_hours_that_are_not_understood_find_nothing_and_say_why(office):
    page = parse(office.get(OCCASIONS, {"starts_from": "25", "day": TODAY}))
    assert [each.text for each in page.select(".hours-filter .errorlist li")] == [
        "Write it as 19:00. Midnight is 00:00."
    ]
    assert page.select("#result_list tbody tr") == []
    said = "Starts from “25”: Write it as 19:00. Midnight is 00:00."
    assert page.select_one(".messagelist li").text == said
    # What else is chosen is sent along, and goes on when the hours are taken away.
    page = parse(office.get(OCCASIONS, {"on_from": "15", "day": TODAY, "place": "l5001"}))
    sent = {each["name"]: each["value"] for each in page.select(".hours-filter [type=hidden]")}
    assert sent == {"day": TODAY, "place": "l5001"}
    [all_of_them, chosen] = page.select("details:has(.hours-filter) li a")
    assert (all_of_them["href"], chosen.text) == (f"?day={TODAY}&place=l5001", "Goes on 15–")
