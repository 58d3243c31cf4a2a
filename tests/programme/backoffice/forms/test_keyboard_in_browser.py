"""Rows of a form and what was refused in it, by keyboard alone: the focus is always where one goes on."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, expect

from programme.models import Event
from tests.browser import browser, in_a_browser, live_server, signed_in
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"


@pytest.fixture
def page(
    browser: Browser, transactional_db: None, sample: None, live_server: Any, anna: User
) -> Iterator[Page]:
    context = signed_in(browser, live_server.url, anna, locale="en", base_url=live_server.url)
    yield context.new_page()
    context.close()


def row(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=f"Occasion {number}", exact=True)


def test_rows_are_added_and_removed_and_each_has_its_number(page: Page) -> None:
    page.goto(f"{EVENTS}{JAZZ}/change/")
    before = page.locator("#occasions-group tr.form-row:not(.empty-form)").count()
    first, second = row(page, before + 1), row(page, before + 2)
    add = page.get_by_role("button", name="Add occasion")
    add.press("Space")
    expect(first.get_by_label("Day", exact=True)).to_be_focused()
    add.press("Enter")
    second.get_by_label("Start", exact=True).fill("20:20")
    first.get_by_role("button", name="Remove").press("Space")
    expect(add).to_be_focused()
    # The other one has its number now.
    expect(first.get_by_label("Start", exact=True)).to_have_value("20:20")
    expect(second).to_have_count(0)


def test_enter_in_a_field_saves(page: Page) -> None:
    before = Event.objects.count()
    page.goto(f"{EVENTS}{JAZZ}/change/")
    page.locator("#id_title").fill("Soul")
    page.keyboard.press("Enter")
    expect(page.locator(".messagelist")).to_contain_text("Saved: Soul")
    # The button for a copy stands before all others.
    assert Event.objects.count() == before


def test_what_was_refused_has_the_focus(page: Page) -> None:
    page.goto(f"{EVENTS}{JAZZ}/change/")
    address, start = page.locator("#id_external_url"), page.locator("#id_occasions-0-start_time")
    address.fill("nowhere")
    start.fill("25:99")
    page.evaluate("document.querySelector('#event_form').noValidate = true")
    start.press("Enter")
    page.locator(".errornote").wait_for()
    expect(start).to_be_focused()
