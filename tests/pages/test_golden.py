"""Whole pages, byte for byte: what visitors and machines get of the sample.

`pytest tests/pages/test_golden.py --regolden` writes them; read what has changed before you commit it.
"""

from http import HTTPStatus

import pytest
from django.test import Client

from tests.golden_files import assert_golden, list_golden
from tests.pages.reading import parse

FILTERS = "area=stora ångtorget&type=konsert&room=Sal 2&highlighted=1&signinterpreted&q=jazz&q=blues"
PATHS = {
    "today.html": "/",
    "day.en.html": "/en/?during=2026-07-31",
    "all-days.en.html": "/en/?days=all&utm_source=x",
    "timetable.html": "/?view=grid&during=2026-07-29",
    "timetable-of-long.en.html": "/en/?view=grid&during=2026-07-31",
    "search.html": "/?q=jazz",
    "filtered.html": f"/?{FILTERS}",
    "filtered-timetable.en.html": f"/en/?{FILTERS}&view=grid&language=sv&during=2026-07-29",
    "several-days.html": "/?during=2026-07-30/2026-08-01",
    "all-days-narrowed.html": "/?days=all&spoken=sv&spoken=en&q=b&q=a&occation=8001.8002",
    "empty-day.html": "/?during=2026-12-24",
    "tomorrow-as-timetable.html": "/?date=TOMORROW&view=grid",
    "timetable-of-cancelled.en.html": "/en/?view=grid&during=2026-08-01",
    "occasion.html": "/tillfalle/8001",
    "occasion.en.html": "/en/occasion/8001",
    "bare-occasion.html": "/tillfalle/8012",
    "night.en.html": "/en/occasion/8004",
    "only-english.html": "/tillfalle/8005",
    "cancelled-occasion.html": "/tillfalle/8003",
    "cancelled-event.en.html": "/en/occasion/8009",
    "place.html": "/plats/5001/biblioteket",
    "place.en.html": "/en/place/5002",
    "subscribe.html": "/prenumerera",
    "subscribe-to-part.en.html": "/en/subscribe?date=today&during=2026-07-30/2026-07-31&area=parken; norr, söder %26 \\mitt&q=a",
    "developers.html": "/utvecklare",
    "developers-of-part.en.html": "/en/developers?area=parken; norr, söder %26 \\mitt",
    "my-programme.html": "/mitt-program",
    "my-programme-chosen.en.html": "/en/my-programme?occation=8001.8013.8002.99",
    "list.html": "/lista?during=2026-07-29/2026-08-02",
    "list.en.html": "/en/list?area=ångtorget&accent=008080&paper=fff",
    "list-fragment.html": "/lista.html?area=ångtorget",
    "offline.html": "/utan-nat",
    "namespace.html": "/ns/programme",
    "robots.txt": "/robots.txt",
    "manifest.en.webmanifest": "/en/manifest.webmanifest",
    "schema.json": "/api/schema",
}

pytestmark = pytest.mark.usefixtures("sample", "at")


@pytest.mark.parametrize("name", PATHS)
def test_a_page_is_its_golden_file(name: str, client: Client, request: pytest.FixtureRequest) -> None:
    response = client.get(PATHS[name])
    assert response.status_code == HTTPStatus.OK
    if response.content.startswith(b"<!DOCTYPE"):
        parse(response)
    assert_golden(request, f"pages/{name}", response.content)


def test_there_is_no_other_golden_file() -> None:
    assert list_golden("pages") == set(PATHS)
