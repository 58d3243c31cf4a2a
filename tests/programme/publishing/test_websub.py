"""WebSub: feeds name their hub, and it is told of those that an edit has changed, and of no other."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from festival import websub_watcher
from programme import models
from programme.publishing import loading, websub
from programme.publishing.websub import Announcer
from tests import hub as hubs
from tests import programmes

HUB = "https://hub.example/"
BASE = "https://program.example/api/events"


@pytest.fixture
def _with_hub(settings: Any, sample: None, at: Any) -> None:
    settings.WEBSUB_HUB = HUB


# --- What feeds say ---------------------------------------------------------------------------


@pytest.mark.usefixtures("_with_hub")
@pytest.mark.parametrize("extension", ["atom", "rss"])
@pytest.mark.parametrize("query", ["", "language=en", "area=Tomten", "area=Tomten&language=en"])
def test_the_feeds_of_all_and_of_an_area_name_their_hub(client: Client, extension: str, query: str) -> None:
    response = client.get(f"/api/events.{extension}?{query.lower()}")
    itself = f"{BASE}.{extension}" + f"?{query}" * bool(query)
    assert response["Link"] == f'<{HUB}>; rel="hub", <{itself}>; rel="self"'
    assert client.head(f"/api/events.{extension}?{query}")["Link"] == response["Link"]
    escaped = itself.replace("&", "&amp;")
    inside = {
        "atom": [f'<link href="{escaped}" rel="self"/>', f'<link href="{HUB}" rel="hub"/>'],
        "rss": [
            f'<atom:link href="{escaped}" rel="self" type="application/rss+xml"/>',
            f'<atom:link href="{HUB}" rel="hub"/>',
        ],
    }
    text = response.content.decode()
    assert [text.count(each) for each in inside[extension]] == [1, 1]


@pytest.mark.usefixtures("_with_hub")
@pytest.mark.parametrize(
    "address",
    [
        *(f"/api/events.{extension}" for extension in ("json", "rss-wp", "ics", "ics-text", "bbcode", "qx1")),
        *("/api/events.atom?date=2026-07-29", "/api/events.rss?highlighted", "/api/events.atom?q=jazz"),
        *(
            "/api/events.atom?area=Tomten&area=Ångtorget",
            "/api/events.atom?modified_since=2026-07-01T00:00:00Z",
        ),
        *("/api/occations/8001.atom", "/api/events.atom?room=Sal 2"),
    ],
)
def test_nothing_else_does(client: Client, address: str) -> None:
    response = client.get(address)
    assert "hub" not in response.get("Link", "")
    assert HUB not in response.content.decode()


@pytest.mark.usefixtures("sample", "at")
def test_without_a_hub_nothing_is_said(client: Client) -> None:
    response = client.get("/api/events.atom")
    assert "Link" not in response.headers
    assert b'rel="hub"' not in response.content


# --- What the hub is told ---------------------------------------------------------------------


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, db: None) -> list[str]:
    """What the hub was told, of hubs that answer at once."""
    heard: list[str] = []
    monkeypatch.setattr(websub.Hub, "tell", lambda _self, topic: heard.append(topic))
    return heard


def feeds(*areas: str) -> set[str]:
    """Return the feeds of areas, '' being all of them."""
    queries = [f"area={quote(area)}" if area else "" for area in areas]
    return {
        f"{BASE}.{extension}" + ("?" + "&".join(filter(None, (query, language))) if query or language else "")
        for query in queries
        for extension in ("atom", "rss")
        for language in ("", "language=en")
    }


PARKEN = r"Parken; norr, söder & \mitt"


def _sql(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _rename(name: str) -> None:
    area = models.Area.objects.get(id=programmes.TORGET)
    area.name = name
    area.save()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("edit", "areas"),
    [
        (lambda: models.Event.objects.filter(id=programmes.JAZZ).update(title="Annat"), ("", "Ångtorget")),
        (lambda: _sql("UPDATE programme_event SET price = '5 kr' WHERE id = %s", 7003), ("", PARKEN)),
        (lambda: models.Occasion.objects.get(id=8012).delete(), ("", "Ångtorget")),
        (
            lambda: models.Event.objects.filter(id=7003).update(area_id=programmes.TOMTEN),
            ("", PARKEN, "Tomten"),
        ),
        (lambda: _rename("Gården"), ("", "Ångtorget", "Gården")),
        # Of these, feeds say nothing.
        (lambda: models.Event.objects.filter(id=programmes.DRAFT).update(title="Annat utkast"), ()),
        (lambda: models.AreaDay.objects.update(title="Sista dagen"), ()),
        (lambda: models.Area.objects.create(name="Ny"), ()),
    ],
)
def test_the_hub_is_told_of_the_feeds_that_an_edit_has_changed(
    sample: None, told: list[str], edit: Any, areas: tuple[str, ...]
) -> None:
    announcer = Announcer(websub.Hub(HUB))
    announcer.look(loading.load())
    announcer.look(loading.load())
    assert told == []
    edit()
    programme = loading.load(announcer.known)
    announcer.look(programme)
    assert set(told) == feeds(*areas)
    assert len(told) == len(set(told))
    announcer.look(programme)
    assert len(told) == len(set(told))


@pytest.mark.django_db(transaction=True)
def test_what_was_edited_while_nobody_watched_is_told_afterwards(
    sample: None, told: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "websub.kept"
    Announcer(websub.Hub(HUB), path).look(loading.load())
    models.Event.objects.filter(id=programmes.ABROAD).update(title="Elsewhere")
    Announcer(websub.Hub(HUB), path).look(loading.load())
    assert set(told) == feeds("", PARKEN)
    Announcer(websub.Hub(HUB), path).look(loading.load())
    assert len(told) == 8


# --- With a hub -------------------------------------------------------------------------------


@pytest.fixture
def hub() -> Iterator[hubs.Hub]:
    with hubs.hub() as server:
        yield server


@pytest.mark.django_db(transaction=True)
def test_a_subscriber_gets_the_feed_when_it_has_changed(
    hub: hubs.Hub, settings: Any, live_server: LiveServer, sample: None, at: Any
) -> None:
    settings.WEBSUB_HUB, settings.BASE_URL = hub.url, live_server.url
    announcer = Announcer(websub.Hub(hub.url))
    announcer.look(loading.load())
    with hubs.subscriber() as subscriber:
        topic = subscriber.subscribe(f"{live_server.url}/api/events.atom?area=tomten&language=en")
        assert topic == f"{live_server.url}/api/events.atom?area=Tomten&language=en"
        models.Event.objects.filter(id=programmes.JAZZ).update(title="Annat")
        announcer.look(loading.load())
        assert subscriber.got == []
        models.Event.objects.filter(id=programmes.JAZZ).update(area_id=programmes.TOMTEN, sub_area=None)
        announcer.look(loading.load())
        with urlopen(topic) as answer:
            feed = answer.read()
        links = f'<{hub.url}>; rel="hub", <{topic}>; rel="self"'
        assert subscriber.got == [(links, "application/atom+xml", feed)]
    assert feed.count(b"<entry>") == 3


@pytest.mark.django_db(transaction=True)
def test_a_hub_that_is_away_is_asked_less_and_less_often_and_told_everything_in_the_end(
    hub: hubs.Hub, sample: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = 1000.0
    monkeypatch.setattr(websub.time, "monotonic", lambda: now)
    announcer = Announcer(websub.Hub(hub.url))
    announcer.look(loading.load())
    hub.answers = [503, 500, 429]
    models.Event.objects.filter(id=programmes.ABROAD).update(title="Elsewhere")
    programme = loading.load()
    asked = []
    while not hub.told:
        before = len(hub.answers)
        announcer.look(programme)
        if len(hub.answers) < before or hub.told:
            asked.append(now)
        now += 1
    assert asked == [1000.0, 1002.0, 1006.0, 1014.0]
    assert set(hub.told) == feeds("", PARKEN)
    assert [record.getMessage() for record in caplog.records] == [
        f"The hub {hub.url} does not answer (it answered 503); it will be told later.",
        f"The hub {hub.url} answers again.",
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("status", [400, 404, 302])
def test_a_feed_that_the_hub_refuses_is_not_told_again(
    hub: hubs.Hub, sample: None, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    announcer = Announcer(websub.Hub(hub.url))
    announcer.look(loading.load())
    hub.answers = [status]
    models.Event.objects.filter(id=programmes.ABROAD).update(title="Elsewhere")
    announcer.look(loading.load())
    assert len(hub.told) == 7
    assert announcer.waiting == {}
    (record,) = caplog.records
    assert record.getMessage().endswith(f": it answered {status}.")


def test_nobody_at_the_hub_s_address_is_worth_another_try() -> None:
    with hubs.hub() as server:
        url = server.url
    with pytest.raises(OSError):
        websub.Hub(url).tell("https://program.example/api/events.atom")


# --- Who watches ------------------------------------------------------------------------------


def test_one_of_several_watches_and_another_takes_over(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(websub_watcher, "LOCK_INTERVAL", 0.01)
    begun: list[Event] = []

    def watched(ended: Event) -> None:
        begun.append(ended)
        ended.wait()

    monkeypatch.setattr(websub_watcher, "_notify_of_edits", watched)
    ends = [Event(), Event(), Event()]
    threads = [Thread(target=websub_watcher.watch, args=(end,)) for end in ends]
    for thread in threads:
        thread.start()
    for turns in (1, 2, 3):
        while len(begun) < turns:
            Event().wait(0.01)
        # The others try all the while.
        Event().wait(0.1)
        assert len(begun) == turns
        begun[-1].set()
    for thread in threads:
        thread.join()
    assert set(begun) == set(ends)


def test_the_command_wants_a_hub(settings: Any) -> None:
    settings.WEBSUB_HUB = ""
    with pytest.raises(CommandError, match="WEBSUB_HUB names no hub"):
        call_command("announce")


def test_without_a_hub_nobody_watches(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    monkeypatch.setattr(websub_watcher.Thread, "start", lambda self: started.append(self.name))
    for hub_url, announce in (("", True), (HUB, False), (HUB, True)):
        settings.WEBSUB_HUB, settings.WEBSUB_ANNOUNCE = hub_url, announce
        websub_watcher.start()
    assert started == ["websub"]
