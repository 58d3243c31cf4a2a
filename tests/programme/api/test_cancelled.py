"""The parameter `cancelled`: calendars whose titles say what is cancelled, with or without the status."""

from http import HTTPStatus

import pytest
from django.test import Client

from tests.feeds.parsers import parse_ics
from tests.problems import assert_problem, problem
from tests.programme.api.formats import SENT_AS

pytestmark = pytest.mark.usefixtures("sample", "at")

CALENDARS = ["ics", "ics-text"]
ALONE, CANCELLED = 8001, 8003


@pytest.mark.parametrize("extension", CALENDARS)
@pytest.mark.parametrize(("way", "status"), [("show", "CONFIRMED"), ("mark", "CANCELLED")])
@pytest.mark.parametrize(("language", "word"), [("sv", "INSTÄLLT"), ("en", "CANCELLED")])
@pytest.mark.parametrize(
    "path", ["events.{}?", f"events.{{}}?occation={ALONE}.{CANCELLED}&", f"occations/{CANCELLED}.{{}}?"]
)
def test_titles_say_what_is_cancelled(  # noqa: PLR0917 - each with each
    client: Client, path: str, language: str, word: str, way: str, status: str, extension: str
) -> None:
    path = f"/api/{path.format(extension)}language={language}"
    events = parse_ics(client.get(path).content)
    named = [{"status": status, "title": f"{word}. {each['title']}"} for each in events]
    pairs = zip(events, named, strict=True)
    expected = [each | (said if each["status"] == "CANCELLED" else {}) for each, said in pairs]
    assert expected != events
    for query in (f"cancelled={way}", f"cancelled={way.upper()}&cancelled="):
        assert parse_ics(client.get(f"{path}&{query}").content) == expected


@pytest.mark.parametrize("path", ["events", f"occations/{CANCELLED}"])
def test_other_formats_ignore_it(client: Client, path: str) -> None:
    for extension in SENT_AS.keys() - {*CALENDARS}:
        expected = client.get(f"/api/{path}.{extension}").content
        for value in ("show", "", "hide"):
            assert client.get(f"/api/{path}.{extension}?cancelled={value}").content == expected


@pytest.mark.parametrize("path", ["events", f"occations/{ALONE}"])
@pytest.mark.parametrize("extension", CALENDARS)
def test_other_values_are_refused_and_an_empty_one_is_none(client: Client, path: str, extension: str) -> None:
    path = f"/api/{path}.{extension}"
    for query, message in {
        "cancelled=hide": "'hide' is not available. Use show or mark.",
        "cancelled=show&cancelled=mark": "Only one value is allowed.",
    }.items():
        expected = problem(
            HTTPStatus.BAD_REQUEST, "Invalid query parameters.", errors={"cancelled": [message]}
        )
        assert_problem(client.get(f"{path}?{query}"), expected)
    assert client.get(f"{path}?cancelled=").content == client.get(path).content


def test_other_pages_of_the_calendar_show_it_too(client: Client) -> None:
    links = client.get("/api/events.ics?cancelled=show&limit=10")["Link"]
    assert "/api/events.ics?cancelled=show&limit=10&offset=10" in links
