"""An occasion is marked as full with one button and its page, taken back with another, and told if one says so."""

import pytest
from django.test import Client

from programme.models import Edit, Event, Occasion
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.changes.pages import undo
from tests.programme.backoffice.requests import list_messages, parse, send, submission, words
from tests.programmes import JAZZ

# Of Jazz, which is published.
KEY = 8001
LIST = "/admin/programme/occasion/"
FULL = f"{LIST}{KEY}/fact/booking/full/"


@pytest.fixture(autouse=True)
def _clock(at: SetClock, sample: None) -> None:
    at(NOW)
    Event.objects.update(changed_at=None, change_info="")


def read(key: int = KEY) -> Occasion:
    return Occasion.objects.select_related("event").get(pk=key)


def find_buttons(office: Client, address: str) -> dict[str, str]:
    links = parse(office.get(address)).select('a[href*="/fact/"]')
    return {str(link["href"]).partition("?")[0]: words(link) for link in links}


def list_full(client: Client) -> list[int]:
    found = client.get("/api/events.json?booking=full").json()
    return [each["occation"]["id"] for each in found]


def test_full_is_set_and_taken_back_and_both_are_undone(office, client):
    Occasion.objects.filter(pk=KEY).update(booking="needed")
    assert find_buttons(office, LIST)[FULL] == "Full"
    done = send(office, f"{FULL}?back={LIST}%3Fq%3Djazz", follow=True)
    assert done.redirect_chain == [(f"{LIST}?q=jazz", 302)]
    assert "Full. Readers see it: " in list_messages(done)[0]
    assert (read().booking, read().changed_at, list_full(client)) == ("full", None, [KEY])
    assert find_buttons(office, LIST)[FULL] == "Places left"
    undo(office, Edit.objects.latest("pk"))
    assert read().booking == "needed"
    send(office, FULL)
    send(office, FULL)
    assert (read().booking, list_full(client)) == ("needed", [])
    undo(office, Edit.objects.latest("pk"))
    assert (read().booking, list_full(client)) == ("full", [KEY])


def test_the_button_stands_wherever_the_occasion_does(office: Client) -> None:
    pages = (LIST, f"/admin/programme/event/{JAZZ}/change/", "/admin/timetable/2026-07-29/")
    assert [find_buttons(office, page)[FULL] for page in pages] == ["Full"] * 3
    Occasion.objects.filter(pk=KEY).update(booking="full")
    assert [find_buttons(office, page)[FULL] for page in pages] == ["Places left"] * 3


def test_readers_are_told_if_the_editor_says_so(office):
    send(office, FULL, tell="occasions")
    told = read()
    assert (told.booking, told.changed_at, told.change_info, told.change_info_en) == (
        "full",
        NOW,
        "Fullt",
        "Full",
    )
    send(office, FULL, tell="event", note="Två stolar till", note_en="")
    event = read().event
    assert (event.changed_at, event.change_info, event.change_info_en) == (NOW, "Två stolar till", "")


@pytest.mark.parametrize("tell", ["occasions", "event"])
def test_readers_are_not_told_any_more_of_what_is_taken_back(office, tell):
    send(office, FULL, tell=tell)
    send(office, FULL)
    occasion = read()
    assert [
        (each.changed_at, each.change_info, each.change_info_en) for each in (occasion, occasion.event)
    ] == [(None, "", "")] * 2
    # A note of another reason stays.
    send(office, FULL, tell=tell, note="Två platser kvar", note_en="")
    send(office, FULL)
    told = {"occasions": read(), "event": read().event}[tell]
    assert (told.changed_at, told.change_info) == (NOW, "Två platser kvar")


def test_who_was_not_ahead_changes_nothing_and_what_is_over_or_cancelled_has_no_button(office):
    for address in ("booking/needed/", "access/loud/", "title/full/"):
        assert office.get(f"{LIST}{KEY}/fact/{address}").status_code == 404
    shown = submission(office.get(FULL))
    send(office, FULL)
    again = office.post(FULL, shown, follow=True)
    assert "Nothing had to be changed." in list_messages(again)
    assert read().booking == "full"
    Occasion.objects.filter(pk=KEY).update(cancelled=True)
    Occasion.objects.exclude(pk=KEY).update(start=NOW.replace(year=2025), end=NOW.replace(year=2025, hour=23))
    assert find_buttons(office, LIST) == {}
