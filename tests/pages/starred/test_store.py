"""What writes to the database waits for others briefly only."""

import threading
import time

import pytest
from django.db import connection, connections, transaction

from pages.starred import limits, store
from pages.starred.limits import RateLimit
from pages.starred.models import StarredList, sweep_lists
from tests.conftest import NOW

TODAY = NOW.date()


@pytest.mark.django_db
def test_lists_that_nobody_has_read_for_a_year_are_swept():
    old, young = (store.create([8001], TODAY).address for _ in range(2))
    lists = {each.address_digest: each for each in StarredList.objects.all()}
    for address, day in ((old, TODAY.replace(year=2025, day=28)), (young, TODAY.replace(year=2025))):
        StarredList.objects.filter(pk=lists[store.digest(address)].pk).update(last_read=day)
    assert sweep_lists(NOW) == 1
    assert [each.address_digest for each in StarredList.objects.all()] == [store.digest(young)]


@pytest.mark.django_db(transaction=True)
def test_a_change_does_not_wait_for_a_long_transaction(monkeypatch):
    monkeypatch.setattr(store, "CHANGE_TIMEOUT", 100)
    secrets = store.create([8001], TODAY)
    is_locked, may_end = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            StarredList.objects.update(occasions=[1])
            is_locked.set()
            may_end.wait(20)
        connections.close_all()

    thread = threading.Thread(target=hold)
    thread.start()
    assert is_locked.wait(20)
    try:
        with pytest.raises(store.ListsUnavailable):
            store.change(secrets.secret, [8002], [])
        # Calendars are answered meanwhile; that they have asked is noted another time.
        assert store.read(secrets.address, NOW.date().replace(year=2027)) == (8001,)
    finally:
        may_end.set()
        thread.join()
    assert StarredList.objects.get().last_read == TODAY
    assert store.change(secrets.secret, [8002], []) == [1, 8002]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA busy_timeout").fetchone() == (20_000,)


@pytest.mark.django_db(transaction=True)
def test_two_changes_at_the_same_moment_are_both_kept():
    secrets = store.create([], TODAY)
    begin = threading.Barrier(2)

    def add(occasion):
        begin.wait(20)
        store.change(secrets.secret, [occasion], [])
        connections.close_all()

    for turn in range(5):
        threads = [threading.Thread(target=add, args=(2 * turn + each,)) for each in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert store.change(secrets.secret, [], []) == [*range(1, 11)]


@pytest.fixture
def pass_seconds(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def pass_seconds(seconds):
        now[0] += seconds

    return pass_seconds


def test_a_burst_then_a_rate(pass_seconds):
    limit = RateLimit(per_minute=6, burst=3)
    assert [limit.take("a") for _ in range(4)] == [0, 0, 0, 10]
    assert limit.take("b") == 0
    pass_seconds(9)
    assert limit.take("a") == 1
    pass_seconds(1)
    assert [limit.take("a"), limit.take("a")] == [0, 10]
    pass_seconds(1_000)
    assert [limit.take("a") for _ in range(4)] == [0, 0, 0, 10]


def test_keys_are_not_remembered_without_end(monkeypatch, pass_seconds):
    monkeypatch.setattr(limits, "MAX_KEYS", 2)
    limit = RateLimit(per_minute=1, burst=1)
    for key in "abc":
        assert limit.take(key) == 0
    assert len(limit._buckets) == 2
    assert [limit.take("c"), limit.take("a")] == [60, 0]
