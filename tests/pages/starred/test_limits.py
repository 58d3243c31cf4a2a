"""Token buckets."""

import time

import pytest

from pages.starred import limits
from pages.starred.limits import RateLimit


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
