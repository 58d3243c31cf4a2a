"""Tests of what is news: which changes of an occasion readers are told."""

from datetime import UTC, datetime, timedelta

import pytest

from programme.models.news import NewsKind, OccasionState, find_news

NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LATER = OccasionState(NOW + 2 * HOUR, NOW + 3 * HOUR, 1, None, cancelled=False)
GOING_ON = LATER._replace(start=NOW - HOUR, end=NOW + HOUR)
OVER = LATER._replace(start=NOW - 2 * HOUR, end=NOW)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, LATER, NewsKind.NEW),
        (LATER, None, NewsKind.WITHDRAWN),
        (LATER, LATER._replace(cancelled=True), NewsKind.CANCELLED),
        (LATER._replace(cancelled=True), LATER, NewsKind.REINSTATED),
        (LATER, LATER._replace(start=LATER.start + HOUR / 60), NewsKind.MOVED),
        (LATER, LATER._replace(end=LATER.end + HOUR / 60), NewsKind.MOVED),
        (LATER, LATER._replace(location=2), NewsKind.MOVED),
        (LATER, LATER._replace(room=2), NewsKind.MOVED),
        (LATER, LATER._replace(location=2, cancelled=True), NewsKind.CANCELLED),
        (GOING_ON, GOING_ON._replace(location=2), NewsKind.MOVED),
        (OVER, LATER, NewsKind.MOVED),
        (LATER, OVER, NewsKind.MOVED),
        (LATER, LATER, None),
        (LATER, LATER._replace(start=LATER.start + HOUR / 3600), None),
        (OVER, OVER._replace(cancelled=True), None),
        (None, OVER, None),
        (OVER, None, None),
        (None, None, None),
    ],
)
def test_what_is_seen_and_not_over_is_news(before, after, expected):
    assert find_news(before, after, NOW) == expected
