"""WebSub: feeds name their hub, which is notified of the feeds that an edit has changed, and of no others."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from django.db import connection
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from programme import models
from programme.publishing import loading, websub
from programme.publishing.websub import HubNotifier
from tests import hub as hubs
from tests import news, programmes
from tests.conftest import NOW

HUB = "https://hub.example/"
BASE = "https://program.example/api/events"


@pytest.fixture
def _with_hub(settings: Any, sample: None, at: Any) -> None:
    settings.WEBSUB_HUB = HUB


# --- The links of feeds ---------------------------------------------------------------------------


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
def test_other_feeds_do_not_name_the_hub(client: Client, address: str) -> None:
    response = client.get(address)
    assert "hub" not in response.get("Link", "")
    assert HUB not in response.content.decode()


@pytest.mark.usefixtures("sample", "at")
def test_without_a_hub_feeds_name_none(client: Client) -> None:
    response = client.get("/api/events.atom")
    assert "Link" not in response.headers
    assert b'rel="hub"' not in response.content


# --- The notifications -------------------------------------------------------------------


@pytest.fixture
def notified(monkeypatch: pytest.MonkeyPatch, db: None) -> list[str]:
    """The topics of which hubs were notified."""
    topics: list[str] = []
    monkeypatch.setattr(websub.Hub, "notify", lambda _self, topic: topics.append(topic))
    return topics


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
        # Feeds contain nothing of these.
        (lambda: models.Event.objects.filter(id=programmes.DRAFT).update(title="Annat utkast"), ()),
        (lambda: models.AreaDay.objects.update(title="Sista dagen"), ()),
        (lambda: models.Area.objects.create(name="Ny"), ()),
    ],
)
def test_the_hub_is_notified_of_the_feeds_that_an_edit_has_changed(
    sample: None, notified: list[str], edit: Any, areas: tuple[str, ...]
) -> None:
    notifier = HubNotifier(websub.Hub(HUB))
    notifier.update(loading.load(), NOW)
    notifier.update(loading.load(), NOW)
    assert notified == []
    edit()
    programme = loading.load(notifier.latest)
    notifier.update(programme, NOW)
    assert set(notified) == feeds(*areas)
    assert len(notified) == len(set(notified))
    notifier.update(programme, NOW)
    assert len(notified) == len(set(notified))


@pytest.mark.django_db(transaction=True)
def test_news_is_notified_when_it_appears(sample: None, notified: list[str], tmp_path: Path) -> None:
    path, appears = tmp_path / "websub.kept", NOW + timedelta(minutes=5)
    notifier = HubNotifier(websub.Hub(HUB), path)
    notifier.update(loading.load(), NOW)
    held = news.build_state(NOW + news.HOUR)
    news.write(1, "cancelled", held, held | {"cancelled": True}, appears_at=appears)
    programme = loading.load()
    notifier.update(programme, appears - timedelta(microseconds=1))
    assert notified == []
    notifier.update(programme, appears)
    told = {each.replace("/api/events", "/api/news") for each in feeds("", "Ångtorget")}
    assert set(notified) == told
    notifier.update(programme, appears + timedelta(days=60))
    assert len(notified) == len(told)
    # What appears at once has done so when the programme is loaded.
    news.write(2, "reinstated", held, held, appears_at=appears)
    notifier.update(loading.load(), appears + timedelta(seconds=1))
    assert len(notified) == 2 * len(told)


@pytest.mark.django_db(transaction=True)
def test_edits_between_two_runs_are_notified_afterwards(
    sample: None, notified: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "websub.kept"
    HubNotifier(websub.Hub(HUB), path).update(loading.load(), NOW)
    models.Event.objects.filter(id=programmes.ABROAD).update(title="Elsewhere")
    HubNotifier(websub.Hub(HUB), path).update(loading.load(), NOW)
    assert set(notified) == feeds("", PARKEN)
    HubNotifier(websub.Hub(HUB), path).update(loading.load(), NOW)
    assert len(notified) == 8


# --- With a hub -------------------------------------------------------------------------------


@pytest.fixture
def hub(settings: Any) -> Iterator[hubs.Hub]:
    settings.ALLOWED_PRIVATE_HOSTS = ["127.0.0.1"]
    with hubs.run_hub() as server:
        yield server


@pytest.mark.django_db(transaction=True)
def test_a_subscriber_gets_the_feed_when_it_has_changed(
    hub: hubs.Hub, settings: Any, live_server: LiveServer, sample: None, at: Any
) -> None:
    settings.WEBSUB_HUB, settings.BASE_URL = hub.url, live_server.url
    notifier = HubNotifier(websub.Hub(hub.url))
    notifier.update(loading.load(), NOW)
    with hubs.run_subscriber() as subscriber:
        topic = subscriber.subscribe(f"{live_server.url}/api/events.atom?area=tomten&language=en")
        assert topic == f"{live_server.url}/api/events.atom?area=Tomten&language=en"
        models.Event.objects.filter(id=programmes.JAZZ).update(title="Annat")
        notifier.update(loading.load(), NOW)
        assert subscriber.got == []
        models.Event.objects.filter(id=programmes.JAZZ).update(area_id=programmes.TOMTEN, sub_area=None)
        notifier.update(loading.load(), NOW)
        with urlopen(topic) as answer:
            feed = answer.read()
        links = f'<{hub.url}>; rel="hub", <{topic}>; rel="self"'
        assert subscriber.got == [(links, "application/atom+xml", feed)]
    assert feed.count(b"<entry>") == 3


@pytest.mark.django_db(transaction=True)
def test_an_unavailable_hub_is_tried_less_and_less_often_until_it_accepts_all(
    hub: hubs.Hub, sample: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = 1000.0
    monkeypatch.setattr(websub.time, "monotonic", lambda: now)
    notifier = HubNotifier(websub.Hub(hub.url))
    notifier.update(loading.load(), NOW)
    hub.answers = [503, 500, 429]
    models.Event.objects.filter(id=programmes.ABROAD).update(title="Elsewhere")
    programme = loading.load()
    notified_at = []
    while not hub.notified:
        before = len(hub.answers)
        notifier.update(programme, NOW)
        if len(hub.answers) < before or hub.notified:
            notified_at.append(now)
        now += 1
    assert notified_at == [1000.0, 1002.0, 1006.0, 1014.0]
    assert set(hub.notified) == feeds("", PARKEN)
    assert [record.getMessage() for record in caplog.records] == [
        f"The hub {hub.url} does not answer (it answered 503); it is notified later.",
        f"The hub {hub.url} answers again.",
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("status", [400, 404, 302])
def test_a_refused_notification_is_not_repeated(
    hub: hubs.Hub, sample: None, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    notifier = HubNotifier(websub.Hub(hub.url))
    notifier.update(loading.load(), NOW)
    hub.answers = [status]
    models.Event.objects.filter(id=programmes.ABROAD).update(title="Elsewhere")
    notifier.update(loading.load(), NOW)
    assert len(hub.notified) == 7
    assert notifier.pending == {}
    (record,) = caplog.records
    assert record.getMessage().endswith(f": it answered {status}.")


def test_a_refused_connection_is_worth_another_attempt(settings: Any) -> None:
    settings.ALLOWED_PRIVATE_HOSTS = ["127.0.0.1"]
    with hubs.run_hub() as server:
        url = server.url
    with pytest.raises(OSError):
        websub.Hub(url).notify("https://program.example/api/events.atom")
