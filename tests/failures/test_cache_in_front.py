"""A real cache in front of the service takes most requests, and is never behind the clock."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.failures import nginx
from tests.failures.sample_festival import DAY_ENDS
from tests.failures.service import Service, connect, get
from tests.failures.wait import wait_until
from tests.failures.workers import Workers

TORGET = "/api/events?area=Torget"
CALENDAR = "/api/events.ics"
OTHER = "/api/events?area=Redaktionen"

# When the event stops being an updated one; not at a whole second, like most edits.
UPDATED_ENDS = DAY_ENDS + timedelta(seconds=3.4)


class ShownState(NamedTuple):
    """The parts that depend on the clock: the occasions' days in words, and whether the last event is updated."""

    days: tuple[str, ...]
    updated: bool


# The states, by their beginning.
BEGINNING = datetime.min.replace(tzinfo=DAY_ENDS.tzinfo)
EXPECTED = {
    BEGINNING: ShownState(("idag", "idag", "imorgon"), updated=True),
    DAY_ENDS: ShownState(("igår", "igår", "idag"), updated=True),
    UPDATED_ENDS: ShownState(("igår", "igår", "idag"), updated=False),
}


def expected_state(instant: datetime) -> ShownState:
    return EXPECTED[max(since for since in EXPECTED if since <= instant)]


def read_state(body: bytes) -> ShownState:
    elements = json.loads(body)
    days = tuple(element["occation"]["timeSpan"].split()[0] for element in elements)
    return ShownState(days, elements[-1]["updated"])


@pytest.fixture
def cache(service: Service, tmp_path: Path) -> Iterator[int]:
    """The port of a cache in front of the service."""
    if nginx.BINARY is None:
        pytest.skip("nginx is not installed here (Debian: nginx-light)")
    with nginx.in_front_of(service.port, tmp_path) as port:
        yield port


def test_a_cache_is_never_behind_the_clock(service: Service, cache: int) -> None:
    changed = UPDATED_ENDS - timedelta(hours=36)
    service.sql(f"UPDATE programme_event SET changed_at = '{changed}' WHERE title = 'Frukost'")
    given: dict[ShownState, set[str]] = {content: set() for content in EXPECTED.values()}
    with closing(connect(cache)) as connection, service.connections() as connections:
        # The first answer after a start would take longer than the intervals below.
        Workers(service, connections).until_all(TORGET, lambda answer: read_state(answer.body).updated)
        service.set_clock(DAY_ENDS - timedelta(seconds=4.5), whole_seconds=True)
        for path in (CALENDAR, OTHER):
            assert get(connection, path).headers["X-Cache-Status"] == "MISS"

        def is_over() -> bool:
            asked = service.now()
            answer = get(connection, TORGET)
            content = read_state(answer.body)
            assert content in {expected_state(asked), expected_state(service.now())}, (
                asked,
                answer.headers.items(),
            )
            given[content].add(answer.headers["X-Cache-Status"])
            return asked > UPDATED_ENDS and "HIT" in given[expected_state(asked)]

        wait_until("the last change is in the cache", is_over)
        # Both were cached until the day ended; nothing in the calendar depends on the clock.
        service.stop()
        cached = [get(connection, path) for path in (CALENDAR, OTHER)]
    assert "HIT" in given[expected_state(BEGINNING)]
    assert [(answer.status, answer.headers["X-Cache-Status"]) for answer in cached] == [
        (HTTPStatus.OK, "STALE"),
        (HTTPStatus.BAD_GATEWAY, "EXPIRED"),
    ]
