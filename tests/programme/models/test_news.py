"""Tests of what is news: which changes of an occasion readers are told."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from feeds.news import NewsState
from programme.models.news import NewsKind, find_news

NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LATER = NewsState(NOW + 2 * HOUR, NOW + 3 * HOUR, location=1)
GOING_ON = replace(LATER, start=NOW - HOUR, end=NOW + HOUR)
OVER = replace(LATER, start=NOW - 2 * HOUR, end=NOW)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, LATER, NewsKind.NEW),
        (LATER, None, NewsKind.WITHDRAWN),
        (LATER, replace(LATER, cancelled=True), NewsKind.CANCELLED),
        (replace(LATER, cancelled=True), LATER, NewsKind.REINSTATED),
        (LATER, replace(LATER, start=LATER.start + HOUR / 60), NewsKind.MOVED),
        (LATER, replace(LATER, end=LATER.end + HOUR / 60), NewsKind.MOVED),
        (LATER, replace(LATER, location=2), NewsKind.MOVED),
        (LATER, replace(LATER, room=2), NewsKind.MOVED),
        (LATER, replace(LATER, location=2, cancelled=True), NewsKind.CANCELLED),
        (GOING_ON, replace(GOING_ON, location=2), NewsKind.MOVED),
        (OVER, LATER, NewsKind.MOVED),
        (LATER, OVER, NewsKind.MOVED),
        (LATER, LATER, None),
        (LATER, replace(LATER, start=LATER.start + HOUR / 3600), None),
        (OVER, replace(OVER, cancelled=True), None),
        (None, OVER, None),
        (OVER, None, None),
        (None, None, None),
    ],
)
def test_what_is_seen_and_not_over_is_news(before, after, expected):
    assert find_news(before, after, NOW) == expected
