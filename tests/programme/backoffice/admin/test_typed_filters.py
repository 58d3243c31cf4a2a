"""Places: the filter of lists by location or room, and rooms narrowed by location."""

import datetime as dt

import pytest
from django.test import Client

from programme.models import Event, Location, Occasion, Room
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
        ("Biblioteket", ["Jazz"], ["Jazz, 2026-07-29 14:00", "Jazz, 2026-07-30 14:00"]),
        ("Sal 2", ["Jazz"], ["Jazz, 2026-07-29 14:00"]),
        ("Källaren", ["Jazz"], ["Jazz, 2026-07-30 14:00"]),
        ("Parken", ["Kör"], ["Kör, 2026-07-30 14:00", "Kör, 2026-07-31 14:00"]),
        ("nowhere", ["Dans", "Quiz"], ["Quiz, 2026-07-30 14:00"]),
    ],
)
def test_lists_show_what_is_held_in_a_place(office, places, chosen, events, occasions):
    assert find(office, EVENTS, places[chosen]) == events
    assert find(office, OCCASIONS, places[chosen]) == occasions


@pytest.mark.parametrize("place", ["", "x", "l", "r-1", "l99999"])
def test_what_is_no_place_does_not_filter(office, places, place):
    assert len(find(office, OCCASIONS, place)) == 5


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


def test_only_the_rooms_of_the_chosen_location_are_offered(office, places):
    parken, biblioteket = (int(places[name][1:]) for name in ("Parken", "Biblioteket"))
    Room.objects.create(location_id=parken, name="Scenen")
    asked = {"app_label": "programme", "model_name": "occasion", "field_name": "room"}

    def offer(location: object) -> list[str]:
        answer = office.get("/admin/autocomplete/", asked | {"location": location}).json()
        return [each["text"] for each in answer["results"]]

    assert offer(parken) == ["Parken, Scenen"]
    assert offer(biblioteket) == ["Biblioteket, Källaren", "Biblioteket, Sal 2"]
    assert len(offer("")) == 3
