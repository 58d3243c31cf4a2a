"""The day on which the next edition becomes the current one, as planned: once, and what followers see of it."""

import datetime as dt
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import icalendar
import pytest
from django.db import connection
from django.test import Client

from feeds.formats import BY_EXTENSION
from programme.backoffice import schedule
from programme.models import Edit, Edition, News, Occasion
from programme.publishing.current import current
from tests.conftest import NOW
from tests.feeds.parsers import COUNTS
from tests.programmes import utc
from tests.together import run_together

pytestmark = pytest.mark.usefixtures("at", "_editions")
# PostgreSQL moves the revision once in a transaction.
in_transactions = pytest.mark.django_db(transaction=True)

SECOND = dt.timedelta(seconds=1)
# Friday 31 July 2026, 05:00 in Stockholm: the first moment of the festival day.
FIVE = utc(2026, 7, 31, 3)
# Occasions of the sample in three years, the last of them alone in its year.
LAST_YEAR, THIS_YEAR, NEXT_YEAR = 8011, 8001, 8012


def carry_out(instant: dt.datetime) -> None:
    schedule.carry_out(instant, lambda _key: None)


def make_editions() -> None:
    for year in (2025, 2026, 2027):
        days = {"first_day": dt.date(year, 1, 1), "last_day": dt.date(year, 12, 31)}
        Edition.objects.create(slug=str(year), name_sv=f"Natten {year}", **days)
    Edition.objects.filter(slug="2026").update(current_since=NOW)
    Edition.objects.filter(slug="2027").update(current_from=FIVE.date())


@pytest.fixture
def _editions(sample: None, settings: Any) -> Iterator[None]:
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    # Later than half past midnight on 1 January 2027, which is a night of 2026 now.
    start = utc(2027, 7, 30, 18)
    Occasion.objects.filter(pk=NEXT_YEAR).update(start=start, end=start + dt.timedelta(hours=1))
    make_editions()
    yield
    current.clear()


def find_current() -> str:
    return next(each.slug for each in Edition.objects.all() if each.is_current)


def test_it_becomes_current_when_its_day_begins_and_once() -> None:
    edits = Edit.objects.count()
    carry_out(FIVE - SECOND)
    assert (find_current(), Edit.objects.count()) == ("2026", edits)
    for later in (dt.timedelta(), SECOND, dt.timedelta(days=40)):
        carry_out(FIVE + later)
        assert (find_current(), Edit.objects.count()) == ("2027", edits + 1)
    edit = Edit.objects.first()
    assert edit is not None
    assert (edit.name, edit.reason, edit.moment) == ("", "the edition became current as planned", FIVE)


def test_what_is_chosen_by_hand_since_then_stays() -> None:
    carry_out(FIVE)
    Edition.objects.get(slug="2025").make_current(FIVE + SECOND)
    carry_out(FIVE + 2 * SECOND)
    assert find_current() == "2025"
    # What is planned later comes all the same, and of several that are due the last.
    Edition.objects.filter(slug="2026").update(current_from=dt.date(2026, 8, 2))
    carry_out(FIVE + dt.timedelta(days=2))
    assert find_current() == "2026"


@pytest.mark.parametrize(("chosen", "expected"), [(FIVE - SECOND, "2027"), (FIVE, "2025")])
def test_what_was_chosen_before_does_not_keep_it_from_coming(chosen: dt.datetime, expected: str) -> None:
    Edition.objects.get(slug="2025").make_current(chosen)
    carry_out(FIVE + SECOND)
    assert find_current() == expected


@in_transactions
@pytest.mark.skipif(connection.vendor == "sqlite", reason="the tests' SQLite is in memory, for one writer")
def test_several_processes_do_it_once() -> None:
    before = Edit.objects.count()
    run_together(lambda: carry_out(FIVE))
    assert (find_current(), Edit.objects.count()) == ("2027", before + 1)


def fetch(client: Client, path: str) -> bytes:
    response = client.get(path)
    assert response.status_code == HTTPStatus.OK
    body: bytes = response.content
    return body


def read_uids(document: bytes) -> set[str]:
    return {str(each["UID"]) for each in icalendar.Calendar.from_ical(document).walk("VEVENT")}


@in_transactions
def test_a_plain_address_changes_over_in_every_format_and_says_nothing_else(client: Client) -> None:
    told = fetch(client, "/api/news.json")
    next_uids = read_uids(fetch(client, "/api/events.ics?edition=2027"))
    held = read_uids(fetch(client, "/api/events.ics"))
    carry_out(FIVE)
    for extension in BY_EXTENSION:
        document = fetch(client, f"/api/events.{extension}")
        assert COUNTS[extension](document) == 1, extension
        for word in ("INSTÄLLT", "CANCELLED", '"cancelled":true'):
            assert word.encode() not in document, extension
    assert read_uids(fetch(client, "/api/events.ics")) == next_uids
    assert read_uids(fetch(client, "/api/events.ics?edition=2026")) == held
    assert fetch(client, "/api/news.json") == told == b"[]"
    assert not News.objects.filter(edit_id__gt=0).exists()


@in_transactions
@pytest.mark.parametrize("occasion_id", [LAST_YEAR, THIS_YEAR, NEXT_YEAR])
def test_an_occasion_stays_the_same_in_every_format(client: Client, occasion_id: int) -> None:
    paths = [f"/api/occations/{occasion_id}.{extension}" for extension in BY_EXTENSION]
    before = [fetch(client, path) for path in paths]
    carry_out(FIVE)
    assert [fetch(client, path) for path in paths] == before


@in_transactions
def test_a_copy_drops_the_old_edition_and_gets_the_new_one(client: Client) -> None:
    held = {each["occation"]["id"] for each in client.get("/api/events").json()}
    until = client.get("/api/changes?modified_since=1970-01-01T00:00:00Z")["Modified-Until"]
    carry_out(FIVE)
    elements = client.get("/api/changes", {"modified_since": until}).json()
    assert [each["occation"]["id"] for each in elements if "removed" not in each] == [NEXT_YEAR]
    left = {each["occation"]["id"]: each["removed"] for each in elements if "removed" in each}
    assert left == dict.fromkeys({*held, LAST_YEAR}, "unselected")
