"""A real cache in front of the service: it spares it most questions, and is never behind the clock."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.failures import nginx
from tests.failures.festival import DAY_ENDS
from tests.failures.service import Service, ask, connect
from tests.failures.wait import until
from tests.failures.workers import Workers

TORGET = "/api/events?area=Torget"
CALENDAR = "/api/events.ics"
OTHER = "/api/events?area=Redaktionen"

# When the event stops being an updated one; not on a whole second, as most changes are made.
UPDATED_ENDS = DAY_ENDS + timedelta(seconds=3.4)


class Says(NamedTuple):
    """What depends on the clock: the occasions' days in words, and whether the last event was updated."""

    days: tuple[str, ...]
    updated: bool


# What is true from when on.
BEGINNING = datetime.min.replace(tzinfo=DAY_ENDS.tzinfo)
TRUTH = {
    BEGINNING: Says(("idag", "idag", "imorgon"), updated=True),
    DAY_ENDS: Says(("igår", "igår", "idag"), updated=True),
    UPDATED_ENDS: Says(("igår", "igår", "idag"), updated=False),
}


def true_at(instant: datetime) -> Says:
    return TRUTH[max(since for since in TRUTH if since <= instant)]


def says(body: bytes) -> Says:
    elements = json.loads(body)
    days = tuple(element["occation"]["timeSpan"].split()[0] for element in elements)
    return Says(days, elements[-1]["updated"])


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
    given: dict[Says, set[str]] = {told: set() for told in TRUTH.values()}
    with closing(connect(cache)) as connection, service.connections() as connections:
        # So that what is timed below is the cache, and not the first answer after a start.
        Workers(service, connections).until_all(TORGET, lambda answer: says(answer.body).updated)
        service.set_clock(DAY_ENDS - timedelta(seconds=4.5), whole_seconds=True)
        for path in (CALENDAR, OTHER):
            assert ask(connection, path).headers["X-Cache-Status"] == "MISS"

        def is_over() -> bool:
            asked = service.now()
            answer = ask(connection, TORGET)
            told = says(answer.body)
            assert told in {true_at(asked), true_at(service.now())}, (asked, answer.headers.items())
            given[told].add(answer.headers["X-Cache-Status"])
            return asked > UPDATED_ENDS and "HIT" in given[true_at(asked)]

        until("the last change is in the cache", is_over)
        # Both were kept until the day ended; the calendar holds nothing that the clock makes untrue.
        service.stop()
        kept = [ask(connection, path) for path in (CALENDAR, OTHER)]
    assert "HIT" in given[true_at(BEGINNING)]
    assert [(answer.status, answer.headers["X-Cache-Status"]) for answer in kept] == [
        (HTTPStatus.OK, "STALE"),
        (HTTPStatus.BAD_GATEWAY, "EXPIRED"),
    ]
