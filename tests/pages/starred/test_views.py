"""A list is created, changed, read by calendars and deleted."""

import json
from datetime import timedelta
from secrets import token_hex

import pytest
from django.db import OperationalError

from festival.server.server_options import LIST_THREADS
from pages.starred import limits, requests, store
from pages.starred.models import StarredList
from programme.models import Event, Occasion, Revision
from programme.publishing.current import current
from tests.conftest import NOW
from tests.programmes import JAZZ

pytestmark = pytest.mark.usefixtures("sample", "at")

DAY = timedelta(days=1)
NO_LIST = "0" * 32


def uids(response):
    assert response.status_code == 200
    return response.content.decode().count("BEGIN:VEVENT")


@pytest.mark.parametrize("query", ["", "?language=en", "?language=en&cancelled=show"])
@pytest.mark.parametrize("occasions", [(8003,), (8013, 8002, 8001), (8001, 99), (99,), ()])
def test_it_is_the_calendar_of_its_occasions(client, create, query, occasions):
    ids = ".".join(map(str, occasions)) or "99"
    expected = client.get(f"/api/events.ics?occation={ids}{query.replace('?', '&')}")
    response = client.get(f"{create(*occasions).path}{query}")
    assert (response.status_code, response["Content-Type"]) == (200, expected["Content-Type"])
    assert response.content == expected.content
    assert response["ETag"] == expected["ETag"]


def test_it_follows_stars_and_the_programme(client, create):
    mine = create(8001)
    before = client.get(mine.path)
    assert mine.change(add=[8002]).json() == {"occasions": [8001, 8002]}
    after = client.get(mine.path, headers={"If-None-Match": before["ETag"]})
    assert uids(after) == 2
    Event.objects.filter(pk=JAZZ).update(title="Blues")
    current.clear()
    assert "SUMMARY:Blues" in client.get(mine.path).content.decode()
    Occasion.objects.get(pk=8002).delete()
    current.clear()
    assert uids(client.get(mine.path)) == 1


def test_calendars_revalidate_by_etag_alone(client, create):
    """A date would be the programme's, which stars do not change."""
    mine = create(8001, 8002)
    response = client.get(mine.path, headers={"Accept-Encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"
    assert response["Cache-Control"] == "private, no-cache"
    assert response["Vary"] == "Accept-Encoding"
    assert "Last-Modified" not in response
    again = {"If-None-Match": response["ETag"], "Accept-Encoding": "gzip"}
    assert client.get(mine.path, headers=again).status_code == 304
    mine.change(remove=[8001])
    assert client.get(mine.path, headers=again).status_code == 200
    dated = client.get(mine.path, headers={"If-Modified-Since": "Sat, 01 Jan 2050 00:00:00 GMT"})
    assert dated.status_code == 200
    assert client.get(mine.path.replace(".ics", ".atom"))["ETag"] != dated["ETag"]
    head = client.head(mine.path)
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", dated["ETag"])


def test_its_address_gets_into_no_search_engine_and_no_referrer(client, create):
    mine = create(8001)
    for path in (mine.path, f"/my-list/{NO_LIST}.ics", f"{mine.path}?language=de"):
        response = client.get(path)
        assert (response["Referrer-Policy"], response["X-Robots-Tag"]) == ("no-referrer", "noindex")
    assert mine.change()["Referrer-Policy"] == "no-referrer"
    assert mine.change()["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/my-list/{NO_LIST}.ics", 404),
        ("/my-list/8001.ics", 404),
        (f"/my-list/{'A' * 32}.ics", 404),
        (f"/my-list/{NO_LIST}.json", 404),
        ("/my-list", 405),
    ],
)
def test_other_addresses_lead_nowhere(client, path, status):
    assert client.get(path).status_code == status


@pytest.mark.parametrize("query", ["language=de", "cancelled=hide"])
def test_other_values_of_parameters_are_refused(client, create, query):
    assert client.get(f"{create(8001).path}?{query}").status_code == 400


def test_reading_takes_one_query_beside_the_revision(client, create, django_assert_num_queries):
    mine = create(8001)
    client.get(mine.path)
    with django_assert_num_queries(2):
        client.get(mine.path)


def test_that_it_was_read_is_kept_once_a_day(client, create, at, django_assert_num_queries):
    mine = create(8001)
    at(NOW + DAY)
    client.get(mine.path)
    assert StarredList.objects.get().last_read == (NOW + DAY).date()
    current.at(NOW + DAY)
    with django_assert_num_queries(2):
        client.head(mine.path)


def test_changes_may_be_repeated_and_do_not_overwrite_each_other(create):
    mine = create(8001)
    mine.change(add=[8002])
    mine.change(add=[8002, 8013], remove=[7])
    assert mine.change(remove=[8001]).json() == {"occasions": [8002, 8013]}
    assert mine.change(remove=[8001]).json() == {"occasions": [8002, 8013]}
    assert mine.change().json() == {"occasions": [8002, 8013]}


def test_a_list_holds_500_occasions_and_stays_as_it_was_beyond(send, create):
    mine = create(*range(1, 501))
    assert mine.change(add=[1, 500]).status_code == 200
    assert mine.change(add=[501], remove=[500]).status_code == 200
    assert mine.change(add=[502]).status_code == 422
    assert mine.change().json() == {"occasions": [*range(1, 500), 501]}
    assert send("POST", "new", {"occasions": [*range(1, 502)]}).status_code == 422


def test_no_change_moves_the_revision_or_is_in_the_history(client, create):
    before = Revision.objects.values_list("number", "moved_at").get()
    etag = client.get("/api/events")["ETag"]
    mine = create(8001)
    mine.change(add=[8002])
    client.get(mine.path)
    mine.send("DELETE", mine.secret)
    assert Revision.objects.values_list("number", "moved_at").get() == before
    assert client.get("/api/events")["ETag"] == etag
    assert not hasattr(StarredList, "history")


def test_what_is_deleted_is_gone_for_everybody(client, create):
    mine = create(8001)
    assert uids(client.get(mine.path)) == 1
    assert mine.send("DELETE", mine.secret).status_code == 204
    assert StarredList.objects.count() == 0
    assert store.memory.get(store.digest(mine.path[9:-4])) is None
    assert client.get(mine.path).status_code == 404
    assert mine.change(add=[1]).status_code == mine.send("DELETE", mine.secret).status_code == 410


def test_neither_secret_leads_to_the_other_or_is_stored(create):
    mine = create(8001)
    address = mine.path.removeprefix("/my-list/").removesuffix(".ics")
    assert len({mine.secret, address}) == 2
    stored = json.dumps([*StarredList.objects.values("secret_digest", "address_digest", "occasions")])
    assert mine.secret not in stored
    assert address not in stored
    assert mine.send("PATCH", address, {}).status_code == 410


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        # Programs that are no browsers.
        ({"Origin": "", "Sec-Fetch-Site": ""}, 201),
        # The proxy may have another name for the service than BASE_URL.
        ({"Origin": "https://program.example"}, 201),
        ({"X-Starred-List": ""}, 403),
        ({"X-Starred-List": "old"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "https://evil.example", "Sec-Fetch-Site": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://program.example.evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Transfer-Encoding": "chunked"}, 411),
    ],
)
def test_only_pages_of_the_service_create_lists(send, headers, status):
    response = send("POST", "new", {"occasions": [8001]}, **headers)
    assert response.status_code == status
    assert StarredList.objects.count() == (status == 201)
    if status != 201:
        assert response["Content-Type"] == "application/problem+json"
        assert response.json()["status"] == status


def test_other_websites_are_allowed_nothing(client, send):
    preflight = client.options(
        "/my-list", headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    )
    assert preflight.status_code == 405
    for response in (preflight, send("POST", "new", {"occasions": []})):
        assert "Access-Control-Allow-Origin" not in response


@pytest.mark.parametrize("secret", ["", "new", "x" * 32, "0" * 31, f"{NO_LIST}\n", NO_LIST.replace("0", "A")])
def test_no_list_is_changed_without_its_secret(send, create, secret):
    create(8001)
    assert send("PATCH", secret, {"add": [1]}).status_code == 403
    assert send("DELETE", secret).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        *(b" ", b"[]", b"{", b"null", b'{"occasions": [1]}', b'{"add": [0]}', b'{"add": [1.5]}', b"\xff"),
        *(b'{"add": ["1"]}', b'{"add": [1000000000000000000]}', b'{"add": null}', b'{"add":' + b"[" * 9_000),
        *(b'{"add": [], "name": "Anna"}', b'{"add": [true]}', b'{"add": [-1]}'),
    ],
)
def test_only_ids_are_taken(create, body):
    mine = create(8001)
    assert mine.send("PATCH", mine.secret, body).status_code == 400
    assert mine.change().json() == {"occasions": [8001]}


def test_only_small_bodies_are_read(create):
    mine = create(8001)
    largest = b'{"add": [8002]' + b" " * 19_985 + b"}"
    assert len(largest) == 20_000
    assert mine.send("PATCH", mine.secret, largest).status_code == 200
    assert mine.send("PATCH", mine.secret, largest + b" ").status_code == 413


def test_few_bodies_are_read_at_a_time(create):
    """A client that does not send what it has announced keeps a thread."""
    mine = create(8001)
    for _ in range(requests.BODIES):
        requests._bodies.acquire()
    try:
        response = mine.change(add=[8002])
        assert (response.status_code, response["Retry-After"]) == (503, "1")
    finally:
        for _ in range(requests.BODIES):
            requests._bodies.release()
    assert mine.change(add=[8002]).status_code == 200
    # Readers have others.
    assert LIST_THREADS == requests.BODIES + store.SLOTS


def test_limits_go_by_list_and_altogether_and_say_when_to_try_again(client, create, monkeypatch):
    for name, burst in (("CREATIONS", 2), ("CHANGES_OF_LIST", 3), ("CHANGES", 5), ("READS_OF_LIST", 2)):
        monkeypatch.setattr(getattr(limits, name), "burst", burst)
        monkeypatch.setattr(getattr(limits, name), "per_second", 1e-6)
    one, other = create(8001), create(8002)
    refused = one.send("POST", "new", {"occasions": []})
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (429, True)
    assert [one.change().status_code for _ in range(4)] == [200, 200, 200, 429]
    # The other list has changes left until all changes are too many.
    assert [other.change().status_code for _ in range(3)] == [200, 200, 429]
    assert [client.get(one.path).status_code for _ in range(3)] == [200, 200, 429]
    assert client.get(other.path).status_code == 200


def test_no_sender_uses_up_what_is_for_everybody(client, create, send, monkeypatch):
    mine = create(8001)
    for name in ("CREATIONS", "CHANGES", "READS"):
        assert getattr(limits, name).of_sender.burst * 2 == getattr(limits, name).burst
        for limit, burst in ((getattr(limits, name), 4), (getattr(limits, name).of_sender, 2)):
            monkeypatch.setattr(limit, "burst", burst)
            monkeypatch.setattr(limit, "per_second", 1e-6)
            limit.clear()

    def ask_all(sender: str) -> list[int]:
        from_there = {"X-Forwarded-For": sender}
        return [
            send("POST", "new", {"occasions": [8001]}, **from_there).status_code,
            send("PATCH", mine.secret, {"add": [8002]}, **from_there).status_code,
            client.get(f"/my-list/{token_hex(16)}.ics", headers=from_there).status_code,
        ]

    # A device changes the end of its IPv6 address.
    assert [ask_all(f"2001:db8::{number}") for number in range(3)] == [[201, 200, 404]] * 2 + [
        [429, 429, 503]
    ]
    assert [ask_all("192.0.2.1") for _ in range(2)] == [[201, 200, 404]] * 2
    # For everybody there is an end, too.
    assert ask_all("192.0.2.2") == [429, 429, 503]


def test_beyond_what_the_database_should_be_asked_the_last_known_answer_is_given(client, create, monkeypatch):
    mine, unread = create(8001), f"/my-list/{NO_LIST}.ics"
    monkeypatch.setattr(limits.READS, "burst", 0)
    assert uids(client.get(mine.path)) == 1
    assert client.get(unread).status_code == 503


@pytest.fixture
def away(monkeypatch):
    """Return a function that lets the database of lists be away."""

    def leave():
        def fail(*_arguments, **_options):
            raise OperationalError("the connection was refused")

        monkeypatch.setattr(store, "consistent_read", fail)
        monkeypatch.setattr(store.transaction, "atomic", fail)

    return leave


def test_the_last_known_answer_is_given_while_the_database_is_away(client, create, away):
    mine, other = create(8001), create(8002)
    other.change(add=[8013])
    before = client.get(mine.path)
    store.memory.delete(store.digest(other.path[9:-4]))
    away()
    assert client.get(mine.path).content == before.content
    unknown = client.get(other.path)
    assert (unknown.status_code, unknown["Retry-After"], unknown["Cache-Control"]) == (503, "5", "no-store")
    for response in (mine.change(add=[1]), mine.change(), mine.send("DELETE", mine.secret)):
        assert (response.status_code, response["Retry-After"]) == (503, "5")


def test_nobody_asks_while_the_database_is_known_to_be_away(client, create, monkeypatch):
    mine = create(8001)
    monkeypatch.setattr(type(current), "offline_since", 1.0)
    monkeypatch.setattr(store, "consistent_read", pytest.fail)
    assert uids(client.get(mine.path)) == 1
    assert mine.change().status_code == 503


def test_a_few_wait_for_the_database_and_the_others_do_not(client, create, monkeypatch):
    mine = create(8001)
    monkeypatch.setattr(store, "SLOT_TIMEOUT", 0)
    taken = [store._slots.acquire(blocking=False) for _ in range(store.SLOTS)]
    try:
        assert taken == [True] * store.SLOTS
        assert uids(client.get(mine.path)) == 1
        assert mine.change(add=[1]).status_code == 503
    finally:
        for _ in taken:
            store._slots.release()
    assert mine.change(add=[1]).status_code == 200
