"""Rows of a form by keyboard alone, and the end of an occasion, which follows its start."""

import datetime as dt

from playwright.sync_api import Locator, Page, expect

from programme.models import Event, Occasion
from tests.browser import browser, in_a_browser, live_server
from tests.programmes import JAZZ, utc

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"


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
    # What only the server can read moves it, too, and a span is both.
    for typed, begins, ends in (("6 pm", "18:00", "19:30"), ("10am-1pm", "10:00", "13:00")):
        start.fill(typed)
        start.press("Tab")
        expect(start).to_have_value(begins)
        expect(end).to_have_value(ends)
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
    # A new row has the length of the last one.
    page.locator("#occasions-group .add-row a").click()
    end = page.locator("#id_occasions-3-end_time")
    before = end.input_value()
    page.locator("#id_occasions-3-start_time").fill("00:30")
    page.locator("#id_occasions-3-start_time").press("Tab")
    expect(end).not_to_have_value(before)


def test_a_delay_moves_both_where_the_clock_shows_an_hour_twice(page: Page) -> None:
    # From 23:00 to the second 02:00, and from the second 02:00 on.
    for begins, hours, later, ends in (
        (utc(2026, 10, 24, 21), 4, "01:00", "04:00"),
        (utc(2026, 10, 25, 1), 1, "04:00", "05:00"),
    ):
        occasion = Occasion.objects.filter(event=JAZZ).earliest("pk")
        Occasion.objects.filter(pk=occasion.pk).update(start=begins, end=begins + dt.timedelta(hours=hours))
        page.goto(f"/admin/programme/occasion/{occasion.pk}/change/")
        start = page.locator("#id_start_time")
        start.fill("+2 h")
        start.press("Tab")
        expect(start).to_have_value(later)
        expect(page.locator("#id_end_time")).to_have_value(ends)
