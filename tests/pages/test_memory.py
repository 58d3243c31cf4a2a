"""No response keeps a snapshot in memory: it goes when the next one takes its place, without garbage collection."""

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from feeds.formats import FORMATS
from festival import clock
from festival.wsgi import application
from programme.publishing.current import current
from tests.wsgi import send_request

ADDRESSES = [
    *(f"/api/events.{each.extension}" for each in FORMATS),
    *("/api/areas", "/api/events.ics?area=Torget", "/api/programme", "/api/docs"),
    *("/api/changes?modified_since=2026-01-01T00:00:00Z", "/api/occations/8001.atom"),
    *(
        "/",
        "/en/",
        "/?date=today",
        "/?view=grid",
        "/tillfalle/8001",
        "/prenumerera",
        "/lista.html",
        "/sitemap.xml",
    ),
    "/mitt-program?occation=8001",
]


@pytest.fixture
def without_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_response_keeps_its_snapshot(
    sample: None, open_connection: None, without_collection: None, address: str
) -> None:
    # Without Django's test client, which keeps requests and what templates were given.
    for coding in ("identity", "gzip"):
        assert send_request(application, address, "GET", accept_encoding=coding).status == "200 OK"
    snapshot = current.at(clock.now())
    references = [ref(snapshot), ref(snapshot.programme)]
    del snapshot
    current.clear()
    assert [each() for each in references] == [None, None]
