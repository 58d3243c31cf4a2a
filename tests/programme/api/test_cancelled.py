"""The parameter `cancelled`: calendars that mark what is cancelled in titles, not with a status."""

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from tests.feeds.parsers import parse_ics
from tests.problems import assert_problem, problem
from tests.programme.api.formats import SENT_AS

pytestmark = pytest.mark.usefixtures("sample", "at")

CALENDARS = ["ics", "ics-text"]
WORDS = {"sv": "INSTÄLLT.", "en": "CANCELLED."}
ALONE, CANCELLED = 8001, 8003


def show(events: list[dict[str, Any]], word: str) -> list[dict[str, Any]]:
    """Return the events of a calendar as they are to be with `cancelled=show`."""
    return [
        each | {"status": "CONFIRMED", "title": f"{word} {each['title']}"}
        if each["status"] == "CANCELLED"
        else each
        for each in events
    ]


@pytest.mark.parametrize("extension", CALENDARS)
@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize(
    "path", ["events.{}?", f"events.{{}}?occation={ALONE}.{CANCELLED}&", f"occations/{CANCELLED}.{{}}?"]
)
def test_what_is_cancelled_is_shown_with_the_word(
    client: Client, path: str, language: str, extension: str
) -> None:
    path = f"/api/{path.format(extension)}language={language}"
    events = parse_ics(client.get(path).content)
    expected = show(events, WORDS[language])
    assert expected != events
    assert parse_ics(client.get(f"{path}&cancelled=show").content) == expected
    assert parse_ics(client.get(f"{path}&cancelled=SHOW&cancelled=").content) == expected


@pytest.mark.parametrize("path", ["events", f"occations/{CANCELLED}"])
@pytest.mark.parametrize("extension", sorted(SENT_AS.keys() - set(CALENDARS)))
def test_other_formats_ignore_it(client: Client, path: str, extension: str) -> None:
    path = f"/api/{path}.{extension}"
    expected = client.get(path).content
    for value in ("show", "", "hide"):
        assert client.get(f"{path}?cancelled={value}").content == expected


@pytest.mark.parametrize("path", ["events", f"occations/{ALONE}"])
@pytest.mark.parametrize("extension", CALENDARS)
def test_other_values_are_refused_and_an_empty_one_is_none(client: Client, path: str, extension: str) -> None:
    path = f"/api/{path}.{extension}"
    errors = {"cancelled": ["'hide' is not available. Use show."]}
    expected = problem(HTTPStatus.BAD_REQUEST, "Invalid query parameters.", errors=errors)
    assert_problem(client.get(f"{path}?cancelled=show&cancelled=hide"), expected)
    assert client.get(f"{path}?cancelled=").content == client.get(path).content


def test_other_pages_of_the_calendar_show_it_too(client: Client) -> None:
    links = client.get("/api/events.ics?cancelled=show&limit=10")["Link"]
    assert "/api/events.ics?cancelled=show&limit=10&offset=10" in links
