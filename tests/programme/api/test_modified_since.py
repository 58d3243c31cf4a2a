"""What was modified since a moment, and tombstones: a copy that follows them is always the selection."""

import json
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import icalendar
import pytest
from django.http import QueryDict
from django.test import Client
from lxml import etree

from feeds.formats.json import JsonFormat
from feeds.programme import Programme
from feeds.snapshot import Snapshot
from programme import models
from programme.api.filters import EventFilterSet
from programme.models import Status
from programme.publishing import loading
from tests import programmes
from tests.conftest import NOW
from tests.problems import assert_problem, problem
from tests.programme.api.formats import GONE_AT, SENT_AS
from tests.programme.publishing.histories import RandomEdits

SINCE = "2026-07-21T00:00:00Z"


def fetch(client: Client, extension: str, query: str = "") -> bytes:
    response = client.get(f"/api/events.{extension}?modified_since={SINCE}&{query}")
    assert response.status_code == HTTPStatus.OK
    body: bytes = response.content
    return body


@pytest.mark.usefixtures("edited")
def test_changes_have_an_address_of_their_own(client: Client) -> None:
    for query in ("", "area=Tomten&language=en"):
        assert client.get(f"/api/changes?modified_since={SINCE}&{query}").content == fetch(
            client, "json", query
        )
    for query in ("", "modified_since=", "date=2026-07-29"):
        missing = client.get(f"/api/changes.json?{query}")
        errors = {"modified_since": ["Required. Begin with 1970-01-01T00:00:00Z."]}
        expected = problem(HTTPStatus.BAD_REQUEST, missing.json()["detail"], errors=errors)
        assert_problem(missing, expected)
    assert client.get(f"/api/changes.ics?modified_since={SINCE}").status_code == HTTPStatus.NOT_FOUND


@pytest.mark.usefixtures("edited")
def test_json_has_what_was_modified_and_then_tombstones(client: Client) -> None:
    elements = json.loads(fetch(client, "json"))
    whole = [each for each in client.get("/api/events").json() if each["id"] == programmes.JAZZ]
    assert elements[:3] == whole
    assert elements[3:] == [
        {"id": event, "occation": {"id": key}, "removed": "gone", "lastModified": f"2026-07-28T{hour}:00:00.000000+02:00"}
        for event, key, hour in ((7006, 8012, 11), (7003, 8005, 12), (7003, 8006, 12))
    ]  # fmt: skip


@pytest.mark.usefixtures("edited")
def test_the_instant_itself_counts_for_tombstones(client: Client) -> None:
    def removed_since(instant: datetime) -> set[int]:
        since = f"{instant:%Y-%m-%dT%H:%M:%S.%fZ}"
        elements = client.get(f"/api/events?modified_since={since}").json()
        return {each["occation"]["id"] for each in elements if each.get("removed") == "gone"}

    assert removed_since(GONE_AT) == {8005, 8006, 8012}
    assert removed_since(GONE_AT + timedelta(microseconds=1)) == {8005, 8006}


@pytest.mark.usefixtures("edited")
def test_what_is_not_selected_any_more_has_a_tombstone_too(client: Client) -> None:
    elements = json.loads(fetch(client, "json", "date=2026-07-30"))
    assert [(each["occation"]["id"], each.get("removed")) for each in elements] == [
        (8002, None),
        (8012, "gone"),
        (8005, "gone"),
        (8006, "gone"),
        (8001, "unselected"),
        (8003, "unselected"),
    ]


@pytest.mark.usefixtures("edited")
def test_a_feed_has_deleted_entries(client: Client) -> None:
    feed = etree.fromstring(fetch(client, "atom", "area=parken; norr, söder %26 \\mitt"))
    names = {"a": "http://www.w3.org/2005/Atom", "at": "http://purl.org/atompub/tombstones/1.0"}
    assert feed.xpath("a:entry", namespaces=names) == []
    tombstones = [dict(each.attrib) for each in feed.xpath("at:deleted-entry", namespaces=names)]
    page = "https://program.example/tillfalle/"
    assert tombstones == [
        {"ref": f"{page}8012", "when": "2026-07-28T09:00:00.000000Z"},
        {"ref": f"{page}8005", "when": "2026-07-28T10:00:00.000000Z"},
        {"ref": f"{page}8006", "when": "2026-07-28T10:00:00.000000Z"},
        *({"ref": f"{page}{each}", "when": "2026-07-28T12:03:12.483000Z"} for each in (8001, 8002, 8003)),
    ]
    (itself,) = feed.xpath("a:link[@rel='self']/@href", namespaces=names)
    assert itself.endswith("&modified_since=2026-07-21T00:00:00.000000Z")
    assert feed.findtext("a:id", namespaces=names) == itself.partition("&")[0]
    assert feed.findtext("a:updated", namespaces=names) == "2026-07-28T14:03:12.483000+02:00"


@pytest.mark.usefixtures("edited")
@pytest.mark.parametrize("extension", ["atom", "rss", "rss-wp"])
@pytest.mark.parametrize(
    "query",
    [
        *("", "date=now&date=2026-07-30", "area=stora ångtorget&highlighted", "subarea=none&language=EN-gb"),
        *("organizer=<åsa> %26 CO; ek., för.", "room=finns inte & <aldrig>", f"modified_since={SINCE}"),
        f"modified_since={SINCE}&area=parken;%20norr,%20s%C3%B6der%20%2526%20%5Cmitt&language=en_US",
        f"modified_since={SINCE}&date=2026-07-29/2026-08-01",
    ],
)
def test_at_its_own_address_a_feed_is_the_same(client: Client, extension: str, query: str) -> None:
    body = client.get(f"/api/events.{extension}?{query}").content
    [itself] = etree.fromstring(body).xpath("//*[local-name()='link'][@rel='self']/@href")
    assert itself.startswith(f"https://program.example/api/events.{extension}")
    assert client.get(itself.removeprefix("https://program.example")).content == body


@pytest.mark.usefixtures("edited")
def test_a_calendar_has_cancelled_events(client: Client) -> None:
    calendar = icalendar.Calendar.from_ical(fetch(client, "ics", "date=2026-08-01"))
    found = {
        int(str(each["UID"]).replace("-", ""), 16): (str(each["STATUS"]), each.decoded("DTSTART"))
        for each in calendar.walk("VEVENT")
    }
    assert found == {
        8003: ("CANCELLED", programmes.utc(2026, 8, 1, 14)),
        8012: ("CANCELLED", GONE_AT),
        8005: ("CANCELLED", GONE_AT + timedelta(hours=1)),
        8006: ("CANCELLED", GONE_AT + timedelta(hours=1)),
        8001: ("CANCELLED", programmes.utc(2026, 7, 29, 14)),
        8002: ("CANCELLED", programmes.utc(2026, 7, 30, 14)),
    }


@pytest.mark.usefixtures("edited")
@pytest.mark.parametrize("extension", ["rss", "rss-wp", "bbcode", "qx1"])
def test_the_other_formats_leave_tombstones_out(client: Client, extension: str) -> None:
    assert fetch(client, extension).count(b"/tillfalle/") == 3 * (3 if extension.startswith("rss") else 1)


@pytest.mark.usefixtures("edited")
@pytest.mark.parametrize("extension", SENT_AS)
def test_every_format_says_what_to_ask_with_next(client: Client, extension: str) -> None:
    response = client.get(f"/api/events.{extension}?modified_since={SINCE}")
    moved = loading.fetch_revision().moved_at
    assert response["Modified-Until"] == f"{moved:%Y-%m-%dT%H:%M:%S.%f}Z"
    assert response["Access-Control-Expose-Headers"] == "ETag, Modified-Until"
    assert "Modified-Until" not in client.get(f"/api/events.{extension}").headers


@pytest.mark.usefixtures("edited")
@pytest.mark.parametrize(
    "since",
    [
        *("2026-07-28T12:03:12.483Z", "2026-07-28t12:03:12.483z", "2026-07-28T14:03:12.483+02:00"),
        *("2026-07-28T14:03:12.483%2B02:00", "2026-07-28T07:03:12.4830000-05:00"),
    ],
)
def test_the_moment_itself_counts_however_it_is_written(client: Client, since: str) -> None:
    elements = client.get(f"/api/events?modified_since={since}").json()
    assert [each["occation"]["id"] for each in elements] == [8001, 8002, 8003]
    assert client.get("/api/events?modified_since=2026-07-28T12:03:12.483001Z").json() == []


@pytest.mark.usefixtures("sample", "at")
@pytest.mark.parametrize("path", ["events", "changes", "events.ics"])
def test_moments_that_utc_has_none_for_are_the_first_and_the_last(client: Client, path: str) -> None:
    def get(since: str) -> bytes:
        response = client.get(f"/api/{path}?modified_since={since}")
        assert response.status_code == HTTPStatus.OK
        return response.content

    assert get("0001-01-01T00:00:00%2B02:00") == get("0001-01-01T00:00:00Z")
    assert get("9999-12-31T23:59:59-02:00") == get("9999-12-31T23:59:59.999999Z")


@pytest.mark.usefixtures("sample", "at")
@pytest.mark.parametrize(
    "since",
    [
        *("2026-07-28", "2026-07-28T12:00:00", "12:00", "now", "0", "2026-07-28 12:00:00Z"),
        "2026-02-30T00:00:00Z",
        *("2026-07-28T25:00:00Z", "%00", "9" * 5000),
        *("2026-07-28T12:00:00+25:00", "٢٠٢٦-07-28T12:00:00Z"),
    ],
)
def test_what_is_no_moment_is_refused(client: Client, since: str) -> None:
    response = client.get(f"/api/events?modified_since={since}")
    assert response.status_code == HTTPStatus.BAD_REQUEST
    (message,) = response.json()["errors"]["modified_since"]
    assert message.endswith("Use 2026-07-29T12:00:00Z or 2026-07-29T14:00:00+02:00.")


@pytest.mark.usefixtures("sample", "at")
@pytest.mark.parametrize(
    ("query", "because"),
    [
        ("limit=5", "Cannot be combined with limit or offset."),
        (
            "date=today",
            "Cannot be combined with today, tomorrow, now or upcoming: occasions leave those with time,"
            " without a modification. Name days instead, or select by time yourself.",
        ),
    ],
)
def test_what_cannot_be_followed_is_refused(client: Client, query: str, because: str) -> None:
    detail = "Invalid query parameters."
    expected = problem(HTTPStatus.BAD_REQUEST, detail, errors={"modified_since": [because]})
    assert_problem(client.get(f"/api/events.ics?modified_since={SINCE}&{query}"), expected)


SELECTIONS = [
    *("", "area=Ångtorget", "area=stora ångtorget&highlighted", "date=2026-07-29"),
    *("organizer=3001", "q=a", "subarea=none"),
]
# What follows from other events, from entered days or from the clock, and moves no event.
FOLLOWS = ("eventCount", "occationCount", "subAreaEventCount", "subAreaOccationCount", "days", "streams")


def fetch_elements(programme: Programme, query: str, since: str = "") -> tuple[list[Any], str]:
    """Return the elements of an answer, and what to ask with next."""
    if since:
        query += f"&modified_since={since}"
    parameters = EventFilterSet(QueryDict(query))
    assert parameters.is_valid(), parameters.errors
    listing = parameters.form.build_listing(Snapshot(programme, NOW), parameters.qs)
    elements = json.loads(JsonFormat().write_events(listing))
    for element in elements:
        for part in (element.get("area"), element.get("subArea"), element.get("organizer")):
            for name in FOLLOWS if part else ():
                part.pop(name, None)
    return elements, listing.headers("json").get("Modified-Until", "")


class Copy:
    """An app's copy of a selection, kept in step."""

    def __init__(self, query: str, programme: Programme) -> None:
        self.query = query
        self.held: dict[int, Any] = {}
        self.until = "1970-01-01T00:00:00Z"
        self.follow(programme)

    def follow(self, programme: Programme) -> None:
        elements, self.until = fetch_elements(programme, self.query, self.until)
        for element in elements:
            if "removed" in element:
                self.held.pop(element["occation"]["id"], None)
            else:
                self.held[element["occation"]["id"]] = element


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(2))
def test_a_copy_that_follows_is_the_selection(sample: None, tmp_path: Path, seed: int) -> None:
    edits, programme = RandomEdits(seed, tmp_path), loading.load()
    # By hand, the moments of what is gone can be set to anything.
    by_hand = ("edit_by_sql", "edit_what_triggers_write", "edit_without_triggers")
    edits.edits = [each for each in edits.edits if each.__name__ not in by_hand]
    copies = [Copy(query, programme) for query in SELECTIONS]
    for _ in range(40):
        edits.edit()
        programme = loading.load(programme)
        for copy in edits.random.sample(copies, 3):
            copy.follow(programme)
            elements, _ = fetch_elements(programme, copy.query)
            assert copy.held == {each["occation"]["id"]: each for each in elements}, copy.query


@pytest.mark.django_db(transaction=True)
def test_one_that_comes_back_in_a_draft_is_still_known_to_have_been_there(sample: None) -> None:
    occasion = models.Occasion.objects.get(id=8005)
    occasion.delete()
    models.Event.objects.filter(id=programmes.ABROAD).update(status=Status.DRAFT)
    occasion.id, occasion.published_at = 8005, None
    occasion.save(force_insert=True)
    elements, _ = fetch_elements(loading.load(), "", "2026-07-30T00:00:00Z")
    assert (8005, "gone") in [(each["occation"]["id"], each.get("removed")) for each in elements]
