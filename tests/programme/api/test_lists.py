"""The lists that editors make: which are there, and what is on them, in every format."""

import re
from datetime import timedelta
from http import HTTPStatus
from urllib.parse import quote

import pytest
from django.test import Client

from feeds.formats import FORMATS
from programme.models import Event, ListItem, Occasion, OccasionList, Status
from tests import news
from tests.conftest import NOW
from tests.problems import assert_problem, problem
from tests.programmes import JAZZ

pytestmark = pytest.mark.usefixtures("lists", "at")

LISTED = [8005, 8001, 8002, 8003]


def find_ids(client: Client, path: str) -> list[int]:
    return [each["occation"]["id"] for each in client.get(path).json()]


def test_published_lists_have_the_ids_of_their_occasions(client):
    families = {
        "id": 12,
        "title": {"en": "For families", "sv": "För familjer"},
        "text": {"en": "All day.", "sv": "Lugnt & roligt.\n\nHela dagen."},
        "occasionIDs": LISTED,
    }
    swedish = {
        "id": 15,
        "title": {"en": None, "sv": "Bara <på> svenska"},
        "text": {"en": None, "sv": None},
        "occasionIDs": [8009],
    }
    assert client.get("/api/lists").json() == [swedish, families]
    assert client.get("/api/programme").json()["lists"] == [swedish, families]
    narrowed = client.get("/api/programme?spoken=en").json()
    assert [each["occasionIDs"] for each in narrowed["lists"]] == [[], [8005]]


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.extension)
def test_each_format_is_that_of_the_filter_at_an_address_of_its_own(client, each):
    area = f"area={quote('Ångtorget')}"
    own = client.get(f"/api/lists/12/events.{each.extension}?{area}&language=en")
    filtered = client.get(f"/api/events.{each.extension}?{area}&list=12&language=en")
    assert own["Content-Type"] == filtered["Content-Type"]
    moved = re.sub(rb"&(amp;)?list=12", b"", filtered.content)
    assert own.content == moved.replace(b"/api/events.", b"/api/lists/12/events.")


def test_feeds_and_calendars_are_named_after_it(client):
    calendar = client.get("/api/lists/12/events.ics?language=en").content.decode()
    assert "X-WR-CALNAME:Åsunda Culture Night: For families\r\n" in calendar
    feed = client.get("/api/events.atom?list=bara <på> SVENSKA").content.decode()
    assert '<title type="text">Kulturnatten i Åsunda: Bara &lt;på&gt; svenska</title>' in feed
    assert "<id>https://program.example/api/events.atom?list=15</id>" in feed


def test_it_takes_all_filters_pages_and_formats(client):
    assert find_ids(client, "/api/lists/12/events") == LISTED
    assert find_ids(client, "/api/lists/012/events.json?date=now") == [8005]
    response = client.get("/api/lists/12/events.json?limit=2&offset=2")
    assert [each["occation"]["id"] for each in response.json()] == LISTED[2:]
    assert response["X-Total-Count"] == "4"
    first = '<https://program.example/api/lists/12/events.json?limit=2>; rel="first"'
    assert response["Link"].startswith(first)
    assert client.get("/api/lists/12/events?format=ics")["Content-Type"] == "text/calendar; charset=utf-8"
    assert find_ids(client, "/api/events?list=12&list=Bara <på> svenska&area=finns inte") == []
    assert find_ids(client, "/api/events?list=För familjer&list=15") == [*LISTED[:3], 8009, 8003]
    assert find_ids(client, "/api/events?list=13") == find_ids(client, "/api/events?list=Finns inte") == []


def test_another_list_beside_the_paths_narrows_it(client):
    ListItem.objects.create(on_list_id=15, occasion_id=8001)
    response = client.get("/api/lists/12/events.atom?list=15&language=en").content.decode()
    assert "<id>https://program.example/api/lists/12/events.atom?list=15&amp;language=en</id>" in response
    assert (
        '<title type="text">Åsunda Culture Night: For families, Bara &lt;på&gt; svenska</title>' in response
    )
    assert find_ids(client, "/api/lists/12/events?list=15") == [8001]
    assert find_ids(client, "/api/lists/12/events?list=15&list=12") == LISTED
    assert find_ids(client, "/api/lists/15/events?list=12") == [8001]
    assert find_ids(client, "/api/lists/15/events?list=13") == []


@pytest.mark.parametrize("key", [13, 99, 10**18 - 1])
def test_one_that_is_not_there_or_not_published_is_not_found(client, key):
    for extension in ("json", "ics"):
        expected = problem(HTTPStatus.NOT_FOUND, f"No list has the ID {key}.")
        assert_problem(client.get(f"/api/lists/{key}/events.{extension}"), expected)


def test_all_of_an_event_are_those_added_later_and_without_those_withdrawn(client):
    end = NOW + timedelta(hours=9)
    added = Occasion.objects.create(event_id=JAZZ, start=NOW + timedelta(hours=8), end=end)
    assert find_ids(client, "/api/lists/12/events") == [8005, 8001, added.pk, 8002, 8003]
    Event.objects.filter(pk=JAZZ).update(status=Status.DRAFT)
    assert find_ids(client, "/api/lists/12/events") == [8005]
    # Whatever was deleted comes back to its lists.
    kept = Occasion.objects.get(pk=8005)
    kept.delete()
    assert find_ids(client, "/api/lists/12/events") == []
    kept.pk = 8005
    kept.save(force_insert=True)
    assert find_ids(client, "/api/lists/12/events") == [8005]


def test_a_copy_of_a_list_follows_what_comes_onto_it_and_leaves_it(client):
    since = client.get("/api/lists/12/events?modified_since=1970-01-01T00:00:00Z")["Modified-Until"]
    OccasionList.objects.update(title_en="")
    ListItem.objects.filter(event_id=JAZZ).delete()
    ListItem.objects.create(on_list_id=12, occasion_id=8009)
    for path in ("lists/12/events?", "events?list=12&", "changes?list=12&"):
        changes = client.get(f"/api/{path}modified_since={since}").json()
        kept = [each["occation"]["id"] for each in changes if "removed" not in each]
        assert kept == [8005, 8001, 8009]
        gone = {each["occation"]["id"] for each in changes if "removed" in each}
        assert {8002, 8003} <= gone
        assert gone.isdisjoint(kept)
    OccasionList.objects.update(published=False)
    changes = client.get(f"/api/changes?list=12&modified_since={since}").json()
    assert {each.get("removed") for each in changes} == {"unselected"}


def test_a_list_modifies_no_event(client):
    def read(format_name):
        return client.get(f"/api/events.{format_name}").content

    before = {each.extension: read(each.extension) for each in FORMATS}
    ListItem.objects.create(on_list_id=12, occasion_id=8009)
    OccasionList.objects.update(text_sv="", published=True)
    assert {each.extension: read(each.extension) for each in FORMATS} == before


def test_news_of_a_list_is_that_of_what_is_on_it_and_was_until_it_was_withdrawn(client):
    for number, key in enumerate((8001, 8009, 8005), 1):
        news.write(number, "cancelled", news.build_state(NOW), news.build_state(NOW), key)

    def told():
        return [each["occasions"][0]["id"] for each in client.get("/api/news.json?list=12").json()]

    assert told() == [8001, 8005]
    Occasion.objects.filter(pk=8005).delete()
    Event.objects.filter(pk=JAZZ).update(status=Status.DRAFT)
    assert told() == [8001, 8005]
