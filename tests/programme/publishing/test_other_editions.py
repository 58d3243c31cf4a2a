"""Editions that are not the current one: loaded once, kept for a while, and given while the database is away."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from programme import models
from programme.publishing import loading, other_editions
from programme.publishing.current import Current, DatabaseUnavailable, UnknownEdition
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


def test_threads_that_ask_at_once_share_one_load(current, monkeypatch):
    loads: list[str] = []
    load = loading.load
    monkeypatch.setattr(loading, "load", lambda *asked: loads.append(asked[1]) or load(*asked))

    def ask(_number: int) -> Any:
        try:
            return current.at(NOW, "2025")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        snapshots = list(pool.map(ask, range(8)))
    assert (len({*map(id, snapshots)}), loads) == (1, ["2025"])


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
