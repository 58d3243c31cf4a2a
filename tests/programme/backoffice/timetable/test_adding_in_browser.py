"""Adding, stretching and moving to another day in a real browser: by mouse, finger and keyboard, undone."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from programme.models import Event, Occasion
from tests.browser import PHONE, barriers, in_a_browser
from tests.programme.backoffice.timetable.reading import BARE_AT_FOUR, DAY, unplace
from tests.programme.backoffice.timetable.screen import (
    MINUTE,
    drag_to,
    held,
    hold,
    occasion,
    page,
    phone,
    said,
    slot,
    take_edge,
)
from tests.programmes import BARE, JAZZ, utc

__all__ = ["page", "phone"]

pytestmark = in_a_browser

JAZZ_AT_FOUR, NEXT_DAY = 8001, "2026-07-30"


def newest() -> tuple[Any, ...]:
    return Occasion.objects.order_by("pk").values_list("event__title", "start", "end", "event__status").last()


def choose_event(page: Page, typed: str, title: str) -> None:
    """Type a part of an event's title, and choose it among those that the browser offers."""
    event = page.get_by_role("combobox", name="Event")
    event.press_sequentially(typed)
    option = page.locator("#adding-events option", has_text=title)
    expect(option).to_be_attached()
    # The browser's own list is in no page.
    event.fill(option.text_content() or "")


def test_a_click_in_an_empty_slot_adds_an_occasion_of_an_event_and_undo_removes_it(page: Page) -> None:
    count = Occasion.objects.count()
    page.mouse.click(*slot(page, "Sal 2", 90))
    expect(page.locator("#adding").get_by_label("Start", exact=True)).to_have_value("13:30")
    expect(page.locator("#adding").get_by_label("End", exact=True)).to_have_value("14:30")
    expect(page.locator("#adding").get_by_label("Room", exact=True)).to_have_value("r6001")
    assert barriers(page) == []
    choose_event(page, "bara", "Bara en titel")
    expect(page.locator("#adding-area")).to_be_hidden()
    page.get_by_role("button", name="Add", exact=True).click()
    said(page, "Added Bara en titel: 13:30–14:30, Biblioteket, Sal 2.")
    assert newest() == ("Bara en titel", utc(2026, 7, 29, 11, 30), utc(2026, 7, 29, 12, 30), "published")
    # The keyboard is where it is now.
    expect(page.locator(".occasion.moved a:not(.button)")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    said(page, "Undone: Bara en titel is not here any more.")
    assert Occasion.objects.count() == count
    # What is refused stays in the dialog with all that was typed.
    page.mouse.click(*slot(page, "Sal 2", 90))
    choose_event(page, "bara", "Bara en titel")
    Event.objects.filter(pk=BARE).delete()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#adding [role=alert]")).to_have_text("This event has been deleted by someone else.")
    expect(page.get_by_role("combobox", name="Event")).to_have_value(re.compile("Bara en titel"))
    page.keyboard.press("Escape")
    expect(page.locator("#adding")).to_be_hidden()


def test_an_occasion_is_drawn_and_a_title_makes_a_draft(page: Page) -> None:
    x, y = slot(page, "Sal 2", 60)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + MINUTE * 100, steps=4)
    expect(page.locator(".shadow")).to_have_text("13:00–14:40 Biblioteket, Sal 2")
    page.mouse.up()
    event = page.get_by_role("combobox", name="Event")
    event.fill("Yoga i gräset")
    # The area is that of most of the room's occasions.
    expect(page.locator("#adding-area")).to_have_value(str(Event.objects.get(pk=JAZZ).area_id))
    # It waits for what only the server can read.
    page.locator("#adding-time").fill("kl 13-14.30")
    page.locator("#adding-time").press("Enter")
    said(page, "Added the draft Yoga i gräset: 13:00–14:30, Biblioteket, Sal 2.")
    assert newest() == ("Yoga i gräset", utc(2026, 7, 29, 11), utc(2026, 7, 29, 12, 30), "draft")
    # A draft fills its slot as others do: it is no box of its own.
    expect(page.locator(".occasion.draft").last).to_have_css("display", "list-item")
    expect(page.locator(".occasion.draft").last).to_have_css("border-left-width", "0px")
    page.get_by_role("link", name="Open the draft").click()
    page.locator("[name=_save]").click()
    page.wait_for_url(f"**{DAY}")


def test_an_occasion_is_added_by_keyboard_alone(page: Page) -> None:
    page.get_by_role("button", name="New occasion").focus()
    page.keyboard.press("Enter")
    event = page.get_by_role("combobox", name="Event")
    expect(event).to_be_focused()
    # Nothing is sent without an event or a title.
    page.keyboard.press("Enter")
    expect(page.locator("#adding [role=alert]")).to_have_text("Write a title, or choose an event.")
    choose_event(page, "bara", "Bara en titel")
    expect(page.locator("#adding-area")).to_be_hidden()
    page.keyboard.press("Tab")
    page.keyboard.type("25")
    page.keyboard.press("Enter")
    expect(page.locator("#adding [role=alert]")).to_have_text("Write it as 19:00. Midnight is 00:00.")
    page.locator("#adding").get_by_label("Start", exact=True).fill("19")
    page.keyboard.press("Enter")
    expect(page.locator("#move-status span")).to_contain_text("Added Bara en titel: 19:00–20:00")


def test_on_a_phone_a_button_adds_an_occasion_and_the_bar_places_one(phone: Page) -> None:
    unplace()
    phone.reload()
    phone.get_by_text("To place").tap()
    phone.locator(".shelved", has_text="Bara en titel").tap()
    phone.locator("#moving").get_by_label("Start", exact=True).fill("19.30")
    phone.locator("#moving").get_by_label("Room", exact=True).select_option("r6002")
    phone.get_by_role("button", name="Save", exact=True).tap()
    said(phone, "Moved to 19:30–20:30, Biblioteket, Källaren.")
    phone.get_by_role("button", name="New occasion").tap()
    assert barriers(phone) == []
    phone.get_by_role("combobox", name="Event").fill("Yoga")
    phone.locator("#adding").get_by_label("Start", exact=True).fill("19.30")
    phone.keyboard.press("Tab")
    phone.locator("#adding").get_by_label("End", exact=True).fill("20.15")
    phone.locator("#adding").get_by_label("Room", exact=True).select_option(label="Biblioteket, Källaren")
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    phone.get_by_role("button", name="Add", exact=True).tap()
    expect(phone.locator("#move-status span")).to_contain_text(
        "Added the draft Yoga: 19:30–20:15, Biblioteket"
    )
    assert newest() == ("Yoga", utc(2026, 7, 29, 17, 30), utc(2026, 7, 29, 18, 15), "draft")


def test_an_occasion_is_stretched_by_its_lower_edge_and_back(page: Page) -> None:
    before = held(JAZZ_AT_FOUR)
    x, y = take_edge(page, JAZZ_AT_FOUR)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + MINUTE * 31, steps=3)
    expect(page.locator(".shadow")).to_have_text("16:00–17:30 Biblioteket, Sal 2")
    page.mouse.up()
    expect(page.locator("#move-status span")).to_contain_text("New length: 16:00–17:30, Biblioteket, Sal 2.")
    assert held(JAZZ_AT_FOUR) == (utc(2026, 7, 29, 14), utc(2026, 7, 29, 15, 30), 5001, 6001)
    assert page.url.endswith(DAY)
    page.keyboard.press("Control+z")
    expect(page.locator("#move-status span")).to_contain_text("Undone: 16:00–17:00")
    assert held(JAZZ_AT_FOUR) == before


def test_an_occasion_gets_another_length_by_keyboard(page: Page) -> None:
    occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)").focus()
    page.keyboard.press("m")
    for key, expected in (("+", "16:00–17:05"), ("+", "16:00–17:10"), ("-", "16:00–17:05")):
        page.keyboard.press(key)
        expect(page.locator("#announcement")).to_have_text(f"{expected}, Biblioteket, Sal 2")
    page.keyboard.press("Enter")
    expect(page.locator("#move-status span")).to_contain_text("New length: 16:00–17:05")
    # From the field for the reason back to the occasion.
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.locator("#moving").get_by_label("End", exact=True).fill("18")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#move-status span")).to_contain_text("New length: 16:00–18:00")
    # What lasts for days keeps its length when its start is typed.
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(end=utc(2026, 8, 1, 15))
    page.reload()
    occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)").focus()
    page.keyboard.press("m")
    page.locator("#moving").get_by_label("Start", exact=True).fill("18")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#move-status span")).to_contain_text("Moved to 18:00")
    assert held(JAZZ_AT_FOUR)[:2] == (utc(2026, 7, 29, 16), utc(2026, 8, 1, 17))


def test_an_occasion_is_put_on_another_day_by_mouse_and_keyboard(page: Page, site: str) -> None:
    before = held(JAZZ_AT_FOUR)
    tab = page.locator(f'.days [data-day="{NEXT_DAY}"]')
    count = int(tab.locator(".count").inner_text())
    hold(page, JAZZ_AT_FOUR, "Nätet", 30)
    box = tab.bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20, steps=3)
    expect(tab).to_have_class("target")
    page.mouse.up()
    said(page, "Moved to Thu 30 Jul 16:00–17:00, Biblioteket, Sal 2.")
    assert held(JAZZ_AT_FOUR) == (utc(2026, 7, 30, 14), utc(2026, 7, 30, 15), 5001, 6001)
    expect(tab.locator(".count")).to_have_text(str(count + 1))
    expect(occasion(page, JAZZ_AT_FOUR)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#move-status span")).to_contain_text("Undone: 16:00–17:00")
    assert held(JAZZ_AT_FOUR) == before
    # By keyboard, and the message leads there.
    occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)").focus()
    page.keyboard.press("m")
    page.keyboard.press("PageDown")
    expect(page.locator("#announcement")).to_contain_text("16:00, Biblioteket, Sal 2")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Show that day").click()
    page.wait_for_url(f"{site}/admin/timetable/{NEXT_DAY}/")
    expect(occasion(page, JAZZ_AT_FOUR)).to_be_visible()


def test_what_is_on_the_shelf_is_dragged_into_the_timetable(page: Page) -> None:
    unplace()
    page.reload()
    page.get_by_text("To place").click()
    assert barriers(page) == []
    for name, message in (
        ("Utkast", "Added Utkast: 13:00–14:00, Biblioteket, Sal 2."),
        ("Bara en titel", "Moved to 13:00–14:00, Biblioteket, Sal 2. It clashes with Utkast (13:00–14:00)."),
    ):
        shelved = page.locator(".shelved", has_text=name)
        shelved.hover()
        page.mouse.down()
        drag_to(page, *slot(page, "Sal 2", 60))
        said(page, message)
        # The shelf stays open.
        expect(shelved).to_have_count(0)
    assert newest()[:3] == ("Utkast", utc(2026, 7, 29, 11), utc(2026, 7, 29, 12))
    assert held(BARE_AT_FOUR) == (utc(2026, 7, 29, 11), utc(2026, 7, 29, 12), 5001, 6001)


def test_what_is_let_go_elsewhere_stays_on_the_shelf_and_is_placed_by_keyboard(page: Page) -> None:
    unplace()
    page.reload()
    summary = page.get_by_text("To place")
    summary.click()
    page.locator(".shelved", has_text="Utkast").hover()
    page.mouse.down()
    drag_to(page, 300, 20)
    expect(page.locator("#announcement")).to_have_text("It stays where it was.")
    expect(page.locator(".shelved")).to_have_count(2)
    summary.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    start = page.locator("#moving").get_by_label("Start", exact=True)
    expect(start).to_be_focused()
    start.fill("19.30")
    page.locator("#moving").get_by_label("Room", exact=True).select_option("r6002")
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    said(page, "Added Utkast: 19:30–20:30, Biblioteket, Källaren.")
