"""Editions that are not the current one: loaded once, kept for a while, and given while the database is away."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError, connection

from programme import models
from programme.publishing import loading, other_editions
from programme.publishing.current import Current, DatabaseUnavailable, UnknownEdition
from programme.publishing.other_editions import OtherEditions
from tests import programmes
from tests.conftest import NOW
from tests.editions import make_editions

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def current(sample: None) -> Current:
    """A process with a thread that renews, and the current edition of three."""
    make_editions()
    current = Current()
    current.renew()
    return current


def titles(current: Current, edition: str) -> set[str]:
    return {each.event.title for each in current.at(NOW, edition).programme.occasions}


@pytest.fixture
def loading_2025(current, monkeypatch) -> Iterator[Callable[[], Any]]:
    """Another thread loads an edition, for as long as the test; yield what lets it end and returns what it got."""
    begun, may_end = Event(), Event()
    load = loading.load

    def load_slowly(*asked: Any) -> Any:
        begun.set()
        assert may_end.wait(30)
        return load(*asked)

    def ask() -> Any:
        try:
            return current.at(NOW, "2025")
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(loading, "load", load_slowly)
        asked = pool.submit(ask)
        assert begun.wait(30)
        monkeypatch.setattr(loading, "load", lambda *_: pytest.fail("a second one is loaded"))

        def end() -> Any:
            may_end.set()
            return asked.result(30)

        yield end
        end()


def test_while_one_is_loaded_nobody_waits(current, loading_2025):
    for ask in (lambda: current.at(NOW, "2025"), lambda: current.at(NOW, "2027")):
        with pytest.raises(DatabaseUnavailable):
            ask()
    assert 8001 in current.at(NOW).programme.by_id
    assert current.at(NOW, "2026") is current.at(NOW)
    # Then it is there for all.
    assert loading_2025() is current.at(NOW, "2025")


def test_while_one_is_loaded_those_in_memory_are_given_as_they_are(current, request):
    kept = current.at(NOW, "2027")
    models.Event.objects.filter(id=programmes.BARE).update(title="Ny titel")
    current.renew()
    request.getfixturevalue("loading_2025")
    assert current.at(NOW, "2027") is kept


def test_eight_stay_in_memory(current, monkeypatch):
    for year in range(2010, 2017):
        day = date(year, 1, 1)
        models.Edition(slug=str(year), name_sv=str(year), first_day=day, last_day=day).save()
    current.renew()
    asked = ["2025", *map(str, range(2010, 2017))]
    assert len(asked) == 8
    kept = [current.at(NOW, each) for each in asked]
    assert [current.at(NOW, each) for each in asked] == kept
    # One more takes the place of the one that nobody has asked for the longest.
    current.at(NOW, "2027")
    monkeypatch.setattr(loading, "load", lambda *_: pytest.fail("it is loaded again"))
    assert [current.at(NOW, each) for each in asked[1:]] == kept[1:]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/api/events.ics?edition=2025", "application/problem+json"),
        ("/?edition=2025", "text/html; charset=utf-8"),
    ],
)
@pytest.mark.usefixtures("sample", "at")
def test_who_asks_while_another_is_loaded_is_told_when_to_come_again(client, monkeypatch, path, kind):
    make_editions()
    monkeypatch.setattr(
        OtherEditions, "_load", Mock(side_effect=OperationalError("An edition is being loaded."))
    )
    response = client.get(path)
    assert (response.status_code, response["Retry-After"], response["Content-Type"]) == (503, "5", kind)


def test_an_edit_reaches_one_that_is_in_memory(current):
    former = current.at(NOW, "2025")
    models.Event.objects.filter(id=programmes.BARE).update(title="Ny titel")
    # Readers get it with the present programme, not before it.
    assert current.at(NOW, "2025") is former
    current.renew()
    assert titles(current, "2025") == {"Ny titel"}


def test_one_that_nobody_asks_for_is_forgotten(current, monkeypatch):
    kept = current.at(NOW, "2025")
    asked_at = time.monotonic()
    # A request keeps it for as long again.
    for passed, is_kept in ((590, True), (1180, True), (1790, False)):
        clock = SimpleNamespace(monotonic=partial(float, asked_at + passed))
        monkeypatch.setattr(other_editions, "time", clock)
        current.renew()
        assert (current.at(NOW, "2025") is kept) == is_kept, passed


@pytest.mark.usefixtures("at")
def test_while_the_database_is_away_what_is_in_memory_is_given(current, break_down):
    kept = current.at(NOW, "2025")
    models.Event.objects.filter(id=programmes.BARE).update(title="Ny titel")
    current.renew()
    break_down()
    assert not current.renew()
    with connection.execute_wrapper(lambda *_: pytest.fail("a reader has asked")):
        assert current.at(NOW, "2025").programme == kept.programme
        assert current.holding(8011, NOW).programme == kept.programme
        assert 8001 in current.at(NOW, "2026").programme.by_id
        for ask in (lambda: current.at(NOW, "2027"), lambda: current.holding(8012, NOW)):
            with pytest.raises(DatabaseUnavailable):
                ask()
    with pytest.raises(UnknownEdition):
        current.at(NOW, "2019")
