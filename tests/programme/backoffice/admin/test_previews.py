"""The preview of an event: it shows what readers would see, and stores nothing."""

import re
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from feeds.formats import FORMATS
from pages.occasions import write_occasion_page
from programme.backoffice.preview import Preview
from programme.models import Event, GoneOccasion, Occasion, Revision, Status
from programme.publishing import loading
from programme.publishing.current import current
from tests import programmes
from tests.conftest import NOW
from tests.programme.backoffice.requests import parse, row_fields, submission
from tests.programmes import DRAFT, JAZZ, NEVER

EVENTS = "/admin/programme/event/"
# What a page says of the whole programme, of which a preview has one event: when the clock changes it, and the
# dates of the festival.
WHOLE = re.compile(r'\sdata-until="[^"]*"|(?<="superEvent":)\{[^{}]*\}')

pytestmark = pytest.mark.usefixtures("sample")


def texts(page: BeautifulSoup, language: str) -> dict[str, str]:
    """Return the text in each representation."""
    return {
        each.extension: page.select_one(f".in-{language} .as-{each.extension} pre").text.removeprefix("\n")
        for each in FORMATS
    }


def find_frame(page: BeautifulSoup, language: str) -> BeautifulSoup:
    return BeautifulSoup(page.select_one(f".in-{language} iframe")["srcdoc"], "lxml")


def read_tables() -> list[Any]:
    """Return the revision, what was first published when, all identities, and what the log says."""
    return [
        list(rows.order_by("pk").values())
        for rows in (Revision.objects, Event.objects, Occasion.objects, GoneOccasion.objects)
    ]


def test_the_preview_of_a_published_event_is_what_readers_get(office, client):
    """Of an area that holds one event, so that the API can be asked for just that."""
    Event.objects.filter(pk=DRAFT).update(area=programmes.TOMTEN, status=Status.PUBLISHED)
    shown = parse(office.get(f"{EVENTS}{DRAFT}/preview/"))
    occasion = Occasion.objects.get(event=DRAFT)
    for language, path in (("sv", f"/tillfalle/{occasion.pk}"), ("en", f"/en/occasion/{occasion.pk}")):
        read = WHOLE.sub("", client.get(path).content.decode())
        shown_page = shown.select_one(f".in-{language} iframe")["srcdoc"]
        assert WHOLE.sub("", shown_page) == read
    alone = Preview(loading.load_events(Event.objects.filter(pk=DRAFT)), NOW, write_occasion_page)
    Event.objects.exclude(pk=DRAFT).update(status=Status.DRAFT)
    Revision.objects.update(withdrawn_at=None)
    # On PostgreSQL a transaction, which the test is, has one revision.
    current.clear()
    for language in ("sv", "en"):
        read = {
            each.extension: client.get(f"/api/events.{each.extension}", {"language": language}).content
            for each in FORMATS
        }
        assert {name: text.encode() for name, text in alone.representations(language).items()} == read


def test_a_draft_is_shown_as_it_will_be_and_looking_leaves_nothing_behind(office, client):
    client.get("/api/events.json")
    before, present = read_tables(), current.at(NOW)
    response = office.get(f"{EVENTS}{DRAFT}/preview/")
    assert (read_tables(), current.at(NOW)) == (before, present)
    assert b"Utkast" not in client.get("/api/events.json").content
    page = parse(response)
    assert "no-store" in response["Cache-Control"]
    for language in ("sv", "en"):
        assert find_frame(page, language).h1.text == "Utkast"
        assert {extension: "Utkast" in text for extension, text in texts(page, language).items()} == {
            each.extension: True for each in FORMATS
        }
    assert find_frame(page, "en").html["lang"] == "en"


def test_the_next_occasion_is_shown_and_the_last_when_all_are_over():
    instants = (NOW, programmes.utc(2026, 7, 30, 14, 30), programmes.utc(2026, 9, 1))
    programme = loading.load_events(Event.objects.filter(pk=JAZZ))
    found = [Preview(programme, instant, write_occasion_page).occasion.id for instant in instants]
    assert found == [8001, 8002, 8003]


def fill_in(office: Client, address: str, **fields: Any) -> dict[str, Any]:
    sent = submission(office.get(address)) | {"title": "Inte sparad", "intro_en": "Not saved"}
    return sent | fields


def test_what_is_typed_is_shown_and_taken_back(office):
    sent = fill_in(office, f"{EVENTS}{JAZZ}/change/", **{"occasions-0-start_time": "21:15"})
    sent |= {"occasions-0-end_time": "22:30", "note": "Åska"}
    before = read_tables()
    page = parse(office.post(f"{EVENTS}{JAZZ}/preview/", sent))
    assert read_tables() == before
    assert find_frame(page, "sv").h1.text == "Inte sparad"
    assert "21:15–22:30" in find_frame(page, "sv").select_one(".when").text
    notice = find_frame(page, "en").select_one(".notice.changed").get_text(" ", strip=True)
    assert notice.endswith("Moved from 16:00. Åska")
    assert "Flyttad från 16:00. Åska" in texts(page, "sv")["atom"]
    assert all("Inte sparad" in text for text in texts(page, "en").values())


def test_a_new_event_is_shown_before_it_is_saved(office):
    sent = fill_in(office, f"{EVENTS}add/", area=programmes.TORGET, **{"occasions-TOTAL_FORMS": "1"})
    sent |= row_fields("occasions", 0, day="2026-07-30", start_time="20", end_time="21")
    before = read_tables()
    page = parse(office.post(f"{EVENTS}add/preview/", sent))
    assert read_tables() == before
    assert find_frame(page, "en").h1.text == "Inte sparad"
    assert "Not saved" in texts(page, "en")["ics"]
    assert office.get(f"{EVENTS}add/preview/").status_code == 404


def test_what_cannot_be_shown_yet_is_said_by_the_field(office):
    sent = fill_in(office, f"{EVENTS}{DRAFT}/change/", title="", **{"occasions-0-end_time": "x"})
    before = read_tables()
    page = parse(office.post(f"{EVENTS}{DRAFT}/preview/", sent))
    assert [each.get_text() for each in page.select(".refused li")] == [
        "Title: This field is required.",
        "Occasion 1, End: Write it as 21:00, or how long it lasts: 2 h, 90 min.",
    ]
    assert page.select("iframe") == []
    assert read_tables() == before
    page = parse(office.get(f"{EVENTS}{NEVER}/preview/"))
    assert page.select_one(".only-read").text.startswith("Readers see an event once it has an occasion.")
    assert office.get(f"{EVENTS}4711/preview/").status_code in {302, 404}
