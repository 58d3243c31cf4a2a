"""Repeats answered ahead of Django equal the responses of Django."""

import math
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any
from unittest.mock import Mock
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.handlers.wsgi import WSGIHandler

from feeds.formats import FORMATS
from feeds.response_cache import OVERHEAD, CachedBody
from festival import clock
from festival.http import replay_cache
from festival.http.replay_cache import ReplayCache
from programme import models
from programme.publishing.current import current
from tests.conftest import NOW, SetClock
from tests.wsgi import Response, send_request

pytestmark = pytest.mark.usefixtures("db", "sample", "settled")

INSTANT = NOW + timedelta(minutes=1)
ADDRESSES = [
    *(f"/api/events.{each.extension}" for each in FORMATS),
    *("/api/events", "/api/events/", "/api/areas", "/api/areas.json", "/", "/en/", "/ns/programme"),
    *("/tillfalle/8001", "/en/occasion/8001", "/api/events.ics?area=Tomten&language=en"),
    *("/api/events?date=now", "/api/occations/8001", "/api/occations/8001.ics"),
]
LATER = f"{INSTANT - timedelta(seconds=1):%a, %d %b %Y %H:%M:%S} GMT"
CODINGS = [None, "gzip", "br", "zstd"]


class CountingClient:
    """A WSGI client of the replay cache that counts the requests to Django."""

    def __init__(self) -> None:
        self.django = WSGIHandler()
        self.application = ReplayCache(self._count)
        self.asked = 0

    def _count(self, environ: Any, start_response: Any) -> Any:
        self.asked += 1
        return self.django(environ, start_response)

    def __call__(self, address: str, method: str = "GET", **headers: str | None) -> Response:
        return send_request(self.application, address, method, **headers)

    def get_from_django(self, address: str, method: str = "GET", **headers: str | None) -> Response:
        return send_request(self.django, address, method, **headers)


@pytest.fixture
def settled(sample: None, at: SetClock) -> None:
    """A programme whose last edit is past, renewed as by a thread."""
    models.Revision.objects.update(moved_at=datetime(2026, 7, 29, 11, 30, tzinfo=UTC))
    at(INSTANT)
    current.renew()


@pytest.fixture
def ask(open_connection: None) -> CountingClient:
    return CountingClient()


def validators(response: Response) -> list[dict[str, str]]:
    headers = dict(response.headers)
    return [
        {},
        {"if_none_match": headers["ETag"]},
        {"if_none_match": f'W/{headers["ETag"]}, "x"'},
        {"if_none_match": '"x"'},
        {"if_modified_since": headers["Last-Modified"]},
        {"if_modified_since": "Thu, 01 Jan 2026 00:00:00 GMT"},
        {"if_match": headers["ETag"]},
    ]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_repeat_equals_the_response_of_django(ask, at, address):
    for coding, method in product(CODINGS, ("GET", "HEAD")):
        for asked in validators(ask(address, accept_encoding=coding)):
            headers = {"accept_encoding": coding, "accept": "*/*", **asked}
            ask(address, method, **headers)
            ways = ask.asked
            at(INSTANT + timedelta(seconds=1))
            response = ask(address, method, **headers)
            assert ask.asked == ways
            assert response == ask.get_from_django(address, method, **headers)
            at(INSTANT)


@pytest.mark.parametrize(
    "address",
    [
        *("/api/events.json?q=jazz", "/api/events.ics?occation=8001", "/api/events.json?limit=2", "/?q=jazz"),
        "/api/events.json?modified_since=2026-07-01T00:00:00Z",
    ],
)
def test_of_what_is_not_cached_the_etag_is(ask, monkeypatch, address):
    etag = dict(ask(address).headers)["ETag"]
    written = Mock()
    monkeypatch.setattr("programme.api.responses.ResponseSpec._write", written)
    answer = ask(address, if_none_match=etag)
    assert (answer.status, dict(answer.headers)["ETag"]) == ("304 Not Modified", etag)
    ways = ask.asked
    assert ask(address, if_none_match=etag) == answer
    # A repeat is answered ahead of Django.
    assert (ask.asked, written.called) == (ways, False)


def test_what_knows_no_etag_of_what_is_not_cached_fills_nothing(ask):
    for name, headers in product("abc", ({"if_none_match": "*"}, {"if_modified_since": LATER})):
        assert ask(f"/api/events.json?q={name}", **headers).status == "304 Not Modified"
    assert not current.at(INSTANT).replays_at(INSTANT)


def test_what_is_of_the_future_is_not_for_ever(ask, at):
    headers = {"if_modified_since": f"{INSTANT + timedelta(seconds=1):%a, %d %b %Y %H:%M:%S} GMT"}
    assert ask("/api/areas", **headers).status == "200 OK"
    at(INSTANT + timedelta(seconds=1))
    assert ask("/api/areas", **headers).status == "304 Not Modified"


def test_the_max_age_of_a_repeat_is_the_time_left(ask, at):
    ask("/api/events")
    ends = current.at(INSTANT).ends
    assert ends
    for milliseconds in range(65_000, 56_000, -250):
        at(ends - timedelta(milliseconds=milliseconds))
        assert ask("/api/events") == ask.get_from_django("/api/events")
    at(ends - timedelta(seconds=10))
    response = ask("/api/events")
    assert (ask.asked, dict(response.headers)["Cache-Control"]) == (1, "public, max-age=9, stale-if-error=0")


def test_a_repeat_ends_with_its_snapshot(ask, at):
    before = ask("/api/events?date=now")
    ends = current.at(INSTANT).ends
    assert ends
    at(ends)
    after = ask("/api/events?date=now")
    assert (ask.asked, after.body == before.body) == (2, False)


def test_different_requests_share_no_response(ask):
    asked: list[tuple[str, str, dict[str, str]]] = [
        ("/api/events", "GET", {}),
        ("/api/events?", "HEAD", {}),
        ("/api/events?language=en", "GET", {}),
        ("/api/events/", "GET", {}),
        ("/api/events", "GET", {"accept": "text/calendar"}),
        ("/api/events", "GET", {"accept_encoding": "gzip"}),
        ("/api/events", "GET", {"if_none_match": '"x"'}),
        ("/api/events", "GET", {"if_modified_since": "Thu, 01 Jan 2026 00:00:00 GMT"}),
        ("/api/events", "GET", {"if_unmodified_since": "Thu, 01 Jan 2026 00:00:00 GMT"}),
        ("/api/events", "GET", {"host": "127.0.0.1"}),
        ("/api/events", "GET", {"host": "elsewhere.example"}),
    ]
    for address, method, headers in asked:
        ask(address, method, **headers)
    assert ask.asked == len(asked)


@pytest.mark.parametrize(
    ("address", "method"),
    [
        ("/api/events", "POST"),
        ("/api/events?date=x", "GET"),
        ("/api/nothing", "GET"),
        ("/tillfalle/1", "GET"),
        ("/admin/login/", "GET"),
        ("/static/pages/site.css", "GET"),
        ("/api/events?area=invented", "GET"),
        (f"/api/events?x={'y' * 2_000}", "GET"),
    ],
)
def test_responses_that_are_not_from_a_snapshot_are_not_cached(ask, address, method):
    ask(address, method)
    ask(address, method)
    assert ask.asked == 2
    assert current.at(INSTANT).replays_at(INSTANT) == {}


def test_methods_are_case_sensitive(ask):
    refused = ask("/api/events", "get")
    assert refused.status == "405 Method Not Allowed"
    assert dict(refused.headers)["Allow"] == "GET, HEAD, OPTIONS"


def test_a_request_with_a_body_is_not_answered_from_the_cache(ask):
    ask("/api/events")
    for field in ({"CONTENT_LENGTH": "2"}, {"HTTP_TRANSFER_ENCODING": "chunked"}):
        environ: dict[str, Any] = {"PATH_INFO": "/api/events", "HTTP_HOST": "localhost", **field}
        setup_testing_defaults(environ)
        ask.application(environ, lambda *_: None)
    assert ask.asked == 3


def test_an_evicted_body_is_rendered_again(ask):
    first = ask("/api/events")
    responses = current.at(INSTANT).responses
    responses.max_bytes = 1_000_000
    responses.get("another body", lambda: CachedBody.build(bytes(responses.max_bytes - OVERHEAD)))
    assert (ask("/api/events"), ask.asked) == (first, 2)


def test_the_oldest_responses_are_evicted_first(ask, monkeypatch):
    monkeypatch.setattr(replay_cache, "MAX_ENTRIES", 5)
    for number in range(20):
        ask(f"/api/areas?x={number}")
    assert len(current.at(INSTANT).replays_at(INSTANT)) == 5
    ask("/api/areas?x=19")
    assert ask.asked == 20


def test_a_repeat_within_the_second_of_an_edit_has_no_last_modified_until_it_is_over(ask, at):
    models.Revision.objects.update(moved_at=INSTANT)
    current.renew()
    headers = {"if_modified_since": f"{INSTANT:%a, %d %b %Y %H:%M:%S} GMT"}
    for milliseconds, asked, status in ((0, 1, "200 OK"), (999, 1, "200 OK"), (1000, 2, "304 Not Modified")):
        at(INSTANT + timedelta(milliseconds=milliseconds))
        response = ask("/api/events", **headers)
        assert (ask.asked, response.status) == (asked, status)
        assert response == ask.get_from_django("/api/events", **headers)


def test_an_earlier_request_is_not_answered_from_a_later_response(ask, at):
    models.Revision.objects.update(moved_at=INSTANT)
    current.renew()
    at(INSTANT + timedelta(seconds=2))
    assert "Last-Modified" in dict(ask("/api/events").headers)
    at(INSTANT + timedelta(milliseconds=500))
    assert "Last-Modified" not in dict(ask("/api/events").headers)
    assert ask.asked == 2


def test_the_clock_is_read_once(ask, monkeypatch):
    readings: list[datetime] = []

    def read() -> datetime:
        readings.append(INSTANT)
        return INSTANT

    monkeypatch.setattr(clock, "now", read)
    for expected, address in enumerate(("/api/events", "/api/events", "/", "/api/nothing"), start=1):
        ask(address)
        assert len(readings) == expected


def test_what_was_asked_for_is_written_before_readers_ask_again(ask):
    addresses = [("/api/events", {"accept_encoding": "gzip"}), ("/", {}), ("/api/areas", {"accept": "*/*"})]
    before = [ask(address, **headers) for address, headers in addresses]
    current.clear()
    current.renew()
    ask.application.warm_up(math.inf)
    written, asked = set(current.at(INSTANT).responses._entries), ask.asked
    assert [ask(address, **headers) for address, headers in addresses] == before
    assert ask.asked == asked
    assert set(current.at(INSTANT).responses._entries) == written


def test_only_what_was_asked_for_most_since_the_last_edit_is_written(ask, monkeypatch):
    monkeypatch.setattr(replay_cache, "MOST_WARMED_UP", 2)
    for times, address in enumerate(("/", "/api/areas", "/api/events", "/api/events.ics"), 1):
        for _ in range(times):
            ask(address)
    asked: list[str] = []
    answer = ask.application.application
    ask.application.application = lambda environ, start: (
        asked.append(environ["PATH_INFO"]) or answer(environ, start)
    )
    for until in (math.inf, math.inf):
        ask.application.warm_up(until)
    assert asked == ["/api/events.ics", "/api/events"]


def test_it_stops_when_readers_get_the_programme(ask):
    ask("/api/areas")
    ask.application.warm_up(0.0)
    assert ask.asked == 1


def test_refused_requests_and_those_for_editors_are_not_asked_again(ask):
    for address in ("/api/events?date=x", "/api/nothing", "/admin/login/", "/healthz"):
        ask(address)
    ask.application.warm_up(math.inf)
    assert ask.asked == 4
