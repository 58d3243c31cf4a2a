"""The end of an occasion follows its start in a real browser, in the form and in a row of the list."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from programme.models import Occasion
from tests.browser import browser, in_a_browser, live_server, signed_in
from tests.conftest import NOW, SetClock
from tests.programmes import JAZZ, utc

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

# Of Jazz, today from 16:00 to 17:00.
TODAY = 8001


@pytest.fixture
def page(  # noqa: PLR0917 - fixtures
    browser: Browser, transactional_db: None, sample: None, at: SetClock, live_server: Any, anna: User
) -> Iterator[Page]:
    at(NOW)
    shown = signed_in(browser, live_server.url, anna, locale="en-GB", base_url=live_server.url).new_page()
    shown.on("pageerror", lambda error: pytest.fail(str(error)))
    yield shown
    shown.context.close()


def test_the_length_stays_until_an_end_is_typed(page: Page) -> None:
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    start, end = (page.locator(f"#id_occasions-0-{name}") for name in ("start_time", "end_time"))
    expect(end).to_have_value("17:00")
    start.fill("kl 18.30")
    start.press("Tab")
    # What is typed next replaces it.
    expect(end).to_be_focused()
    expect(end).to_have_value("19:30")
    page.keyboard.type("20")
    start.fill("23:30")
    start.press("Tab")
    expect(end).to_have_value("01:00")
    # What is typed as a length stays, and so does what may be one or a time.
    for typed, clock in (("2 h", "19"), ("120", "20")):
        end.fill(typed)
        start.fill(clock)
        start.press("Tab")
        expect(end).to_have_value(typed)
    end.fill("01:00")
    # What cannot be read moves nothing, and neither does what ends on a date of its own.
    start.fill("soon")
    start.press("Tab")
    expect(end).to_have_value("01:00")
    page.locator("#id_occasions-0-end_date").fill("2026-07-31")
    start.fill("18")
    start.press("Tab")
    start.fill("19")
    start.press("Tab")
    expect(end).to_have_value("01:00")


def test_a_new_row_and_an_empty_end_are_left_alone(page: Page) -> None:
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.locator("#occasions-group .add-row a").click()
    start = page.locator("#id_occasions-3-start_time")
    start.fill("18")
    start.press("Tab")
    expect(page.locator("#id_occasions-3-end_time")).to_have_value("")


def test_a_row_of_the_list_is_delayed_with_one_time(page: Page) -> None:
    page.goto("/admin/programme/occasion/?day=2026-07-29")
    page.locator(f"button.edit-row[data-address$='/{TODAY}/row/']").click()
    page.locator("#row_start_time").fill("18")
    page.locator("#row_start_time").press("Enter")
    expect(page.locator("#row-status .success").first).to_contain_text("Saved")
    occasion = Occasion.objects.get(pk=TODAY)
    assert (occasion.start, occasion.end) == (utc(2026, 7, 29, 16), utc(2026, 7, 29, 17))
