"""How ready answers are sent: codings, validators, and for how long they may be kept."""

import gzip
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from itertools import product
from typing import Any

import brotli
import pytest
import zstandard

from programme import models
from programme.publishing.current import current
from tests.conftest import NOW
from tests.problems import assert_problem, problem

pytestmark = pytest.mark.usefixtures("db", "at", "sample", "long_ago")

READERS = {"gzip": gzip.decompress, "br": brotli.decompress, "zstd": zstandard.ZstdDecompressor().decompress}
# The first transition after NOW in the sample programme: an occasion starts.
NEXT_TRANSITION = datetime(2026, 7, 29, 12, 30, tzinfo=UTC)
MOVED = datetime(2026, 7, 29, 12, 0, 30, 250_000, tzinfo=UTC)
STANDS_AT = NOW + timedelta(minutes=1)


@pytest.fixture
def long_ago(sample: None, at: Any) -> None:
    """The last edit was half a minute ago, and the clock has changed nothing since."""
    at(STANDS_AT)
    models.Revision.objects.update(moved_at=MOVED)


def test_the_sample_has_its_transitions_where_these_tests_expect(client):
    present = current.at(STANDS_AT)
    assert (present.begins, present.ends) == (NOW, NEXT_TRANSITION)


@pytest.mark.parametrize("path", ["/api/events", "/api/events.ics", "/api/areas", "/", "/tillfalle/8001"])
@pytest.mark.parametrize("coding", READERS)
def test_an_answer_is_compressed_as_asked(client, path, coding):
    plain = client.get(path)
    coded = client.get(path, headers={"Accept-Encoding": coding})
    assert READERS[coding](coded.content) == plain.content
    assert coded["Content-Length"] == str(len(coded.content))
    expected = dict(plain.headers) | {
        "Content-Encoding": coding,
        "Content-Length": coded["Content-Length"],
        "ETag": f'{plain["ETag"][:-1]}-{coding}"',
    }
    assert dict(coded.headers) == expected


def test_validators_belong_to_their_coding(client):
    def ask(coding: str, **headers: str) -> Any:
        return client.get("/api/events.ics", headers={"Accept-Encoding": coding} | headers)

    etags = {coding: ask(coding)["ETag"] for coding in ("identity", *READERS)}
    for one, (other, etag) in product(etags, etags.items()):
        assert ask(one, **{"If-None-Match": etag}).status_code == (304 if one == other else 200)


def test_what_no_coding_can_serve_is_refused_with_what_there_is(client):
    for path, vary in (("/api/events.ics", "Accept-Encoding"), ("/api/areas", "Accept, Accept-Encoding")):
        response = client.get(path, headers={"Accept-Encoding": "identity;q=0"})
        detail = (
            "No available content coding matches the Accept-Encoding header."
            " Available codings: zstd, br, gzip, identity."
        )
        assert_problem(response, problem(HTTPStatus.NOT_ACCEPTABLE, detail))
        assert response["Vary"] == vary
    assert client.get("/", headers={"Accept-Encoding": "*;q=0"}).status_code == HTTPStatus.NOT_ACCEPTABLE


def test_the_last_modification_is_that_of_the_programme_or_the_clock(client, at):
    assert client.get("/api/events")["Last-Modified"] == "Wed, 29 Jul 2026 12:00:30 GMT"
    at(NEXT_TRANSITION + timedelta(minutes=1))
    assert client.get("/api/events")["Last-Modified"] == "Wed, 29 Jul 2026 12:30:00 GMT"


@pytest.mark.parametrize(
    ("path", "depends_on_time"),
    [
        *((f"events.{each}", False) for each in ("ics", "rss-wp", "bbcode", "qx1", "csv", "frab-xml")),
        *(("events.ics-text?area=Tomten", False), ("events.qx1?date=2026-07-29&date=upcoming", True)),
        *((each, False) for each in ("areas", "lists", "programme", "occations/8001.ics")),
        *((each, True) for each in ("events", "events.atom", "events.rss", "news", "events.ics?date=now")),
    ],
)
def test_what_does_not_depend_on_the_clock_is_of_the_programme_and_may_be_given_when_the_service_is_away(
    client, at, path, depends_on_time
):
    at(NEXT_TRANSITION)
    before = client.get(f"/api/{path}").get("Last-Modified")
    at(NEXT_TRANSITION + timedelta(minutes=1))
    answer = client.get(f"/api/{path}")
    after = answer["Last-Modified"]
    programme = "Wed, 29 Jul 2026 12:00:30 GMT"
    turned = (None, "Wed, 29 Jul 2026 12:30:00 GMT")
    assert (before, after) == (turned if depends_on_time else (programme, programme))
    assert answer["Cache-Control"].endswith(f", stale-if-error={0 if depends_on_time else 86_400}")


def test_a_second_that_is_not_over_is_no_validator(client, at):
    at(NEXT_TRANSITION + timedelta(milliseconds=999))
    conditional = {"If-Modified-Since": "Wed, 29 Jul 2026 12:30:00 GMT"}
    response = client.get("/api/events", headers=conditional)
    assert (response.status_code, "Last-Modified" in response.headers) == (HTTPStatus.OK, False)
    at(NEXT_TRANSITION + timedelta(seconds=1))
    response = client.get("/api/events", headers=conditional)
    assert response.status_code == HTTPStatus.NOT_MODIFIED


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"If-Modified-Since": "Wed, 29 Jul 2026 12:00:30 GMT"}, 304),
        ({"If-Modified-Since": "Wed, 29 Jul 2026 12:00:29 GMT"}, 200),
        ({"If-Modified-Since": "yesterday"}, 200),
        # The clock stands at 12:01:00: of the future, so it is none.
        ({"If-Modified-Since": "Wed, 29 Jul 2026 12:01:00 GMT"}, 304),
        ({"If-Modified-Since": "Wed, 29 Jul 2026 12:01:01 GMT"}, 200),
        ({"If-Modified-Since": "Wed, 29 Jul 2026 12:00:30 GMT", "If-None-Match": '"x"'}, 200),
        ({"If-Modified-Since": "Wed, 29 Jul 2026 12:00:30 GMT", "If-None-Match": 'w/"x"'}, 200),
        ({"If-Modified-Since": "Wed, 29 Jul 2026 12:00:30 GMT", "If-None-Match": "x"}, 200),
        ({"If-Unmodified-Since": "Wed, 29 Jul 2026 12:00:30 GMT"}, 200),
        ({"If-Unmodified-Since": "Wed, 29 Jul 2026 12:00:29 GMT"}, 412),
        ({"Range": "bytes=0-9"}, 200),
    ],
)
def test_moments_are_compared_where_no_tag_decides(client, headers, status):
    response = client.get("/api/events.ics", headers=headers)
    assert response.status_code == status
    if status == HTTPStatus.OK:
        assert response.content == client.get("/api/events.ics").content


def test_what_is_gone_is_said_again_whatever_is_known(client):
    models.Occasion.objects.filter(id=8001).delete()
    models.Revision.objects.update(moved_at=MOVED)
    first = client.get("/tillfalle/8001")
    conditional = {"If-None-Match": first["ETag"], "If-Modified-Since": "Wed, 29 Jul 2026 12:01:00 GMT"}
    assert (
        first.status_code == client.get("/tillfalle/8001", headers=conditional).status_code == HTTPStatus.GONE
    )


@pytest.mark.parametrize(("before", "age"), [(1700, 60), (60.999, 59), (1.999, 0)])
def test_an_answer_may_be_kept_until_a_second_before_the_clock_changes_it(client, at, before, age):
    at(NEXT_TRANSITION - timedelta(seconds=before))
    assert client.get("/api/events")["Cache-Control"] == f"public, max-age={age}, stale-if-error=0"


def test_after_the_last_turn_the_setting_alone_decides(client, at, settings):
    at(datetime(2040, 1, 1, tzinfo=UTC))
    settings.CACHE_SECONDS = 600
    assert client.get("/api/events")["Cache-Control"] == "public, max-age=600, stale-if-error=0"


def test_caching_can_be_switched_off(client, settings):
    settings.CACHE_SECONDS = 0
    assert client.get("/api/events")["Cache-Control"] == "public, no-cache, stale-if-error=0"


def test_all_ways_of_asking_for_the_same_share_one_answer(client):
    for query in ("", "?area=", "?utm_source=x", "?language=sv-SE", "?highlighted=0", "?format=json"):
        client.get(f"/api/events.json{query}")
    kept = current.at(STANDS_AT).responses.size
    client.get("/api/events", headers={"Accept": "application/json;q=0.3"})
    assert current.at(STANDS_AT).responses.size == kept


@pytest.mark.parametrize(
    "query",
    [
        "area=invented{}",
        "area=Tomten&room={}",
        "organizer=x{}&date=today",
        "subarea=x{}",
        "date=2031-01-01/{}",
        "area={}&area=x",
        # All but the first are there, but no request names so many.
        "date={}&highlighted&area=Tomten&"
        + "&".join(f"date=2026-07-{n % 31 + 1:02}/2026-08-{n // 31 + 1:02}" for n in range(60)),
    ],
)
def test_what_is_invented_fills_nothing(client, query):
    kept = current.at(STANDS_AT).responses.size
    for name in ("3031-01-01", "3032-01-01"):
        answer = client.get(f"/api/events.json?{query.format(name)}")
        again = {"Accept-Encoding": "gzip", "If-None-Match": f'{answer["ETag"][:-1]}-gzip"'}
        assert answer.content == b"[]"
        assert client.get(f"/api/events.json?{query.format(name)}", headers=again).status_code == 304
    assert current.at(STANDS_AT).responses.size == kept


@pytest.mark.parametrize(
    "query", ["area=Tomten", "area=Tomten&area=x", "date=now", "date=2020-01-01/2031-01-01"]
)
def test_what_is_there_is_kept(client, query):
    client.get(f"/api/events.json?{query}")
    kept = current.at(STANDS_AT).responses.size
    client.get(f"/api/events.json?{query}")
    assert current.at(STANDS_AT).responses.size == kept > 0


def test_an_answer_that_is_too_large_to_be_kept_is_given_all_the_same(client, settings):
    kept = client.get("/api/events.json", headers={"Accept-Encoding": "br"})
    current.clear()
    settings.ANSWERS_MB = 0
    for _ in range(2):
        again = client.get("/api/events.json", headers={"Accept-Encoding": "br"})
        assert (again.content, again["ETag"]) == (kept.content, kept["ETag"])
    known = client.get("/api/events.json", headers={"Accept-Encoding": "br", "If-None-Match": kept["ETag"]})
    assert known.status_code == HTTPStatus.NOT_MODIFIED
