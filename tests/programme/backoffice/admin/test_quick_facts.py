"""An occasion is marked as full with one button and its page, taken back with another, and told if one says so."""

import pytest
from django.test import Client

from feeds.marks import NO_MARK
from feeds.vocabulary import Text
from programme.models import Edit, News, Occasion
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.changes.pages import undo
from tests.programme.backoffice.marks import list_told, read_mark
from tests.programme.backoffice.requests import list_messages, parse, send, submission, words
from tests.programmes import JAZZ

# Of Jazz, which is published.
KEY = 8001
LIST = "/admin/programme/occasion/"
FULL = f"{LIST}{KEY}/fact/booking/full/"


@pytest.fixture(autouse=True)
def _clock(at: SetClock, sample: None) -> None:
    at(NOW)
    News.objects.all().delete()


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
    assert (read().booking, list_told(NOW), list_full(client)) == ("full", [], [KEY])
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


def test_readers_are_told_if_the_editor_says_so_and_get_the_words_of_the_button(office):
    shown = submission(office.get(FULL))
    assert (shown["tell"], shown["note"], shown["note_en"]) == ("no", "", "")
    send(office, FULL, tell="yes")
    assert read().booking == "full"
    assert read_mark(KEY)[:2] == (NOW, Text("Fullt", "Full"))
    send(office, FULL, tell="yes", note="Två stolar till", note_en="")
    assert read_mark(KEY)[:2] == (NOW, Text("Två stolar till"))
    assert {key for _kind, key, _note in list_told(NOW)} == {KEY}


def test_readers_are_not_told_any_more_of_what_is_taken_back(office):
    send(office, FULL, tell="yes")
    send(office, FULL)
    assert read_mark(KEY) == NO_MARK
    # A note of another reason stays.
    send(office, FULL, tell="yes", note="Två platser kvar", note_en="")
    send(office, FULL)
    assert read_mark(KEY)[:2] == (NOW, Text("Två platser kvar"))


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
