"""What an added format has without another line: run by tests/feeds/test_formats.py."""

from http import HTTPStatus

import pytest
from django.test import Client
from lxml import html

pytestmark = pytest.mark.usefixtures("sample", "at")


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/api/events.toy?room=Källaren", "image/png"),
        ("/api/events?room=Källaren&format=toy", "text/html"),
        ("/api/events?room=Källaren", "text/x-toy"),
    ],
)
def test_it_is_found_by_extension_parameter_and_accept(client: Client, path: str, accept: str) -> None:
    response = client.get(path, headers={"Accept": accept})
    assert response["Content-Type"] == "text/x-toy; charset=utf-8"
    assert response["Cache-Control"] == "public, max-age=60, stale-if-error=86400"
    assert response.content.decode() == "8002;14:00\n"


def test_it_writes_one_occasion(client: Client) -> None:
    assert client.get("/api/occations/8001.toy").content.decode() == "8001;14:00\n"


def test_errors_offer_it(client: Client) -> None:
    refused = client.get("/api/events", headers={"Accept": "image/png"})
    assert refused.status_code == HTTPStatus.NOT_ACCEPTABLE
    assert refused.json()["available"][-1] == {"extension": "toy", "media_types": ["text/x-toy"]}
    assert client.get("/api/events.xml").json()["detail"].endswith("csv, toy.")
    assert client.get("/api/areas.toy").status_code == HTTPStatus.NOT_FOUND


def test_the_api_describes_it(client: Client) -> None:
    events = client.get("/api/schema").json()["paths"]["/api/events"]
    content = events["get"]["responses"]["200"]["content"]
    assert content["text/x-toy"] == {"schema": {"type": "string", "description": "Spreadsheet"}}


@pytest.mark.parametrize(
    ("path", "query", "text"),
    [
        ("/utvecklare", "", "Kalkylblad för tabeller"),
        ("/en/developers", "?language=en", "Spreadsheet for tables"),
    ],
)
def test_the_developers_page_says_what_it_is_for(client: Client, path: str, query: str, text: str) -> None:
    page = html.fromstring(client.get(path).content)
    (link,) = page.xpath("//a[contains(@href, '.toy')]")
    assert link.get("href") == f"/api/events.toy{query}"
    assert link.getparent().text_content() == text
