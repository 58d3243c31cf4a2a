"""The timetable in a real browser: dragged by mouse and by finger, moved by keyboard, undone."""

import datetime as dt
import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from feeds.marks import NO_MARK
from feeds.vocabulary import Text
from programme.models import Edit, Location, Occasion, Room
from tests.browser import barriers, in_a_browser
from tests.conftest import NOW
from tests.programme.backoffice.marks import read_mark
from tests.programme.backoffice.timetable.reading import DAY
from tests.programme.backoffice.timetable.screen import (
    Finger,
    held,
    hold,
    in_sight,
    occasion,
    opened,
    page,
    phone,
    said,
    take_edge,
)
from tests.programmes import BARE, utc

__all__ = ["page", "phone"]

pytestmark = in_a_browser

JAZZ_AT_FOUR, NIGHT_AT_TEN = 8001, 8004


def test_an_occasion_is_dragged_by_mouse_to_another_time_and_room_and_back(page):
    before = held(JAZZ_AT_FOUR)
    hold(page, JAZZ_AT_FOUR, "Övre, golvet", 92)
    # In steps of five minutes, and the message says where it would be.
    expect(page.locator(".shadow")).to_have_text("17:30–18:30 Magasinet; kaj 3, port B, Övre, golvet")
    page.mouse.up()
    said(page, "Moved to 17:30–18:30, Magasinet; kaj 3, port B, Övre, golvet.")
    assert held(JAZZ_AT_FOUR) == (utc(2026, 7, 29, 15, 30), utc(2026, 7, 29, 16, 30), 5003, 6003)
    # No form was opened by letting go, and what clashed before does no longer.
    assert page.url.endswith(DAY)
    expect(page.locator(".occasion.clash")).to_have_count(0)
    # It may be said why without a click, and Ctrl+Z is the move's as long as nothing is typed.
    expect(page.locator("#id_note")).to_be_focused()
    page.keyboard.press("Control+z")
    said(
        page, "Undone: 16:00–17:00, Biblioteket, Sal 2. It clashes with När klockan ställs om (16:00–17:00)."
    )
    assert held(JAZZ_AT_FOUR) == before
    expect(page.locator(".occasion.clash")).to_have_count(2)
    expect(page.locator("#move-status")).to_have_class("move-status warned")
    # Escape lets go of it.
    hold(page, JAZZ_AT_FOUR, "Övre, golvet", 60)
    page.keyboard.press("Escape")
    expect(page.locator(".shadow")).to_have_count(0)
    page.mouse.up()
    expect(page.locator("#announcement")).to_have_text("It stays where it was.")
    assert held(JAZZ_AT_FOUR) == before


def test_what_is_shown_can_be_narrowed_and_leads_to_the_form_and_back(page, site):
    link = occasion(page, NIGHT_AT_TEN).locator("a:not(.button)")
    link.hover()
    expect(link).to_have_attribute("title", re.compile("22:00–03:00\n.*Nattpoesi\nMagasinet; kaj 3"))
    occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)").click()
    page.wait_for_url(f"{site}/admin/programme/event/*/change/?back={DAY}*#id_occasions-0-day")
    page.locator("[name=_save]").click()
    page.wait_for_url(f"{site}{DAY}#*")
    # Choices are taken at once.
    page.get_by_label("Drafts").select_option("only")
    page.wait_for_url(f"{site}{DAY}?*drafts=only*")
    expect(page.locator(".occasion strong")).to_have_text(["Utkast"])


def test_an_occasion_is_moved_by_keyboard_and_back(page):
    before = held(JAZZ_AT_FOUR)
    announcement = page.locator("#announcement")
    occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)").focus()
    page.keyboard.press("m")
    expect(announcement).to_contain_text("Arrow keys move it")
    for key, expected in [
        ("ArrowDown", "16:05, Biblioteket, Sal 2"),
        ("Shift+ArrowDown", "17:05, Biblioteket, Sal 2"),
        ("ArrowUp", "17:00, Biblioteket, Sal 2"),
        ("ArrowRight", "17:00, Magasinet; kaj 3, port B, Övre, golvet"),
        ("ArrowRight", "17:00, Nätet"),
        # There is nothing further to the right.
        ("ArrowRight", "17:00, Nätet"),
    ]:
        page.keyboard.press(key)
        expect(announcement).to_have_text(expected)
    page.evaluate("focused = []; addEventListener('focusin', ({ target }) => focused.push(target.id))")
    page.keyboard.press("Enter")
    said(page, "Moved to 17:00–18:00, Nätet.")
    assert held(JAZZ_AT_FOUR) == (utc(2026, 7, 29, 15), utc(2026, 7, 29, 16), 5002, None)
    # It may be said why, as after dragging; a screen reader names that field alone, and Escape leads on.
    expect(page.locator("#id_note")).to_be_focused()
    assert page.evaluate("focused") == ["id_note"]
    page.keyboard.press("Escape")
    expect(occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)")).to_be_focused()
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    said(page, "Moved to 17:05–18:05, Nätet.")
    page.keyboard.press("Control+z")
    said(page, "Undone: 17:00–18:00, Nätet.")
    page.keyboard.press("Control+z")
    expect(page.locator("#move-status span")).to_contain_text("Undone: 16:00")
    assert held(JAZZ_AT_FOUR) == before
    page.keyboard.press("Control+z")
    expect(announcement).to_have_text("There is nothing to undo.")
    occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)").focus()
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".shadow")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".shadow")).to_have_count(0)
    expect(occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)")).to_be_focused()
    assert held(JAZZ_AT_FOUR) == before


def test_what_cannot_be_saved_is_said_and_stays_where_it_is(page):
    page.route("**/timetable/**", lambda route: route.abort())
    hold(page, JAZZ_AT_FOUR, "Nätet", 60)
    page.mouse.up()
    said(page, "It could not be saved: the service does not answer. It is where it was.")
    expect(page.locator(".shadow")).to_have_count(0)
    expect(occasion(page, JAZZ_AT_FOUR).locator(".when")).to_have_text("16:00–17:00")
    page.unroute_all()
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(start=utc(2026, 7, 29, 9), end=utc(2026, 7, 29, 10))
    hold(page, JAZZ_AT_FOUR, "Nätet", 60)
    page.mouse.up()
    said(page, "Someone else has changed this occasion in the meantime. Here it is as it is now.")
    expect(occasion(page, JAZZ_AT_FOUR).locator(".when")).to_have_text("11:00–12:00")
    assert held(JAZZ_AT_FOUR) == (utc(2026, 7, 29, 9), utc(2026, 7, 29, 10), 5001, 6001)


def test_whose_session_ended_is_led_to_sign_in(page):
    Session.objects.all().delete()
    hold(page, JAZZ_AT_FOUR, "Nätet", 60)
    page.mouse.up()
    said(page, "It is not saved: you are signed out. Everything is where it was.")
    expect(page.locator(".shadow")).to_have_count(0)
    assert held(JAZZ_AT_FOUR)[2:] == (5001, 6001)
    page.locator("#move-status").get_by_role("link", name="Sign in").click()
    expect(page.locator("#login-form [name=next]")).to_have_value(DAY)


def test_a_finger_drags_by_the_handle_and_stretches_by_the_edge(browser, site, anna):
    page = opened(browser, site, anna, has_touch=True, viewport={"width": 1024, "height": 768})
    in_sight(page, JAZZ_AT_FOUR)
    box = occasion(page, JAZZ_AT_FOUR).locator(".mover").bounding_box()
    assert box
    x, y = box["x"] + 5, box["y"] + 5
    Finger(page).drag((x, y), *((x, y - part) for part in (10, 30, 45)))
    expect(page.locator("#move-status span")).to_contain_text("Moved to 15:30–16:30, Biblioteket, Sal 2.")
    x, y = take_edge(page, JAZZ_AT_FOUR)
    Finger(page).drag((x, y), (x, y - 20), (x, y - 45))
    expect(page.locator("#move-status span")).to_contain_text("New length: 15:30–16:00")
    page.context.close()


def test_on_a_phone_the_day_is_a_list_and_occasions_are_moved_by_a_button(phone):
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    expect(phone.locator(".rooms")).to_be_hidden()
    item, bar = occasion(phone, JAZZ_AT_FOUR), phone.locator("#moving")
    expect(item.locator(".where")).to_have_text("Biblioteket, Sal 2 · Ångtorget")
    tops = [box.bounding_box()["y"] for box in phone.locator(".occasion").all()]
    assert tops == sorted(tops)
    item.get_by_role("button").tap()
    assert barriers(phone) == []
    bar.get_by_label("Start", exact=True).fill("25.00")
    phone.get_by_role("button", name="Save", exact=True).tap()
    expect(phone.locator("#announcement")).to_have_text("Write it as 19:00. Midnight is 00:00.")
    assert (
        bar.get_by_label("Start", exact=True).evaluate("field => field.validationMessage")
        == "Write it as 19:00. Midnight is 00:00."
    )
    bar.get_by_label("Start", exact=True).fill("19.30")
    bar.get_by_label("Room", exact=True).select_option(label="Biblioteket, Källaren")
    phone.get_by_role("button", name="Save", exact=True).tap()
    said(phone, "Moved to 19:30–20:30, Biblioteket, Källaren.")
    assert held(JAZZ_AT_FOUR) == (utc(2026, 7, 29, 17, 30), utc(2026, 7, 29, 18, 30), 5001, 6002)
    # A wrong time first: readers know neither it nor a move from it.
    item.get_by_role("button").tap()
    bar.get_by_label("Start", exact=True).fill("20.30")
    # The end follows while one types.
    expect(bar.get_by_label("End", exact=True)).to_have_value("21:30")
    phone.get_by_role("button", name="Save", exact=True).tap()
    said(phone, "Moved to 20:30–21:30, Biblioteket, Källaren.")
    expect(phone.locator("#id_note:focus")).to_have_count(0)
    phone.get_by_label("Why, in Swedish").fill("Åska")
    assert barriers(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    phone.get_by_role("button", name="Say why").tap()
    said(phone, "Readers are told why.")
    expect(phone.locator("#move-news")).to_be_hidden()
    assert read_mark(JAZZ_AT_FOUR) == (NOW, Text("Åska"), utc(2026, 7, 29, 14), "Biblioteket, Sal 2")
    item.get_by_role("button").tap()
    bar.get_by_label("Day", exact=True).select_option("2026-07-30")
    phone.get_by_role("button", name="Save", exact=True).tap()
    said(phone, "Moved to Thu 30 Jul 20:30–21:30, Biblioteket, Källaren.")


def test_on_a_phone_today_opens_at_what_is_on_or_comes_next(phone, site, at):
    at(utc(2026, 7, 29, 16, 30))
    phone.emulate_media(reduced_motion="no-preference")
    Occasion.objects.filter(pk=NIGHT_AT_TEN).update(start=utc(2026, 7, 29, 17))
    phone.goto(f"{site}{DAY}")
    night = occasion(phone, NIGHT_AT_TEN)
    expect(night).to_have_attribute("data-now", "Now 18:30")
    expect(night).to_be_in_viewport(ratio=1)
    # What went before peeps out above.
    expect(occasion(phone, 8013)).to_be_in_viewport()
    phone.evaluate("scrollTo(0, 0)")
    # Who comes back finds the list where it was left.
    phone.reload()
    expect(night).to_have_attribute("data-now", "Now 18:30")
    expect(phone.locator("h1").last).to_be_in_viewport()
    # Another day opens at its head.
    phone.goto(f"{site}/admin/timetable/2026-07-30/")
    expect(occasion(phone, 8002)).to_be_visible()
    expect(phone.locator("[data-now]")).to_have_count(0)
    assert phone.evaluate("scrollY") == 0


def top_of(page: Page) -> float:
    return float(page.locator(".scroller").evaluate("table => table.scrollTop"))


def below_the_heads(page: Page, what: str) -> float:
    heads, box = page.locator(".heads").bounding_box(), page.locator(what).bounding_box()
    assert heads
    assert box
    return box["y"] - heads["y"] - heads["height"]


def test_the_day_opens_at_the_present_or_at_what_comes_first(page, site):
    # All hours: from midnight on. It is two in the afternoon.
    page.goto(f"{site}{DAY}?hours=on")
    assert below_the_heads(page, ".now") == pytest.approx(60, abs=2)
    # What is left of the evening before comes first, and is not what the day begins with.
    Occasion.objects.filter(pk=NIGHT_AT_TEN).update(end=utc(2026, 7, 29, 23))
    page.goto(f"{site}/admin/timetable/2026-07-30/?hours=on")
    assert below_the_heads(page, '[data-occasion="8002"]') == pytest.approx(60, abs=2)
    # Heads and hours stay in sight, and the page itself does not scroll aside.
    page.locator(".scroller").evaluate("table => table.scrollTo(400, 500)")
    table, hours = page.locator(".scroller").bounding_box(), page.locator(".body .side").bounding_box()
    heads = page.locator(".heads").bounding_box()
    assert table
    assert heads
    assert hours
    assert heads["y"] == pytest.approx(table["y"], abs=2)
    assert hours["x"] == pytest.approx(table["x"], abs=2)
    assert page.evaluate("document.documentElement.scrollWidth") == 1440
    # What was moved stays where it is seen.
    page.locator(".scroller").evaluate("table => table.scrollTo(0, 900)")
    hold(page, 8002, "Övre, golvet", 60)
    before = top_of(page)
    page.mouse.up()
    expect(page.locator("#move-status span")).to_contain_text("Moved to")
    assert top_of(page) == before
    # What began the evening before keeps its time.
    begins, ends = utc(2026, 7, 28, 20), utc(2026, 7, 29, 4)
    Occasion.objects.filter(pk=NIGHT_AT_TEN).update(start=begins, end=ends)
    page.goto(f"{site}{DAY}")
    hold(page, NIGHT_AT_TEN, "Nätet", 60)
    expect(page.locator(".shadow")).to_have_text("22:00–06:00 Nätet")
    page.mouse.up()
    said(page, "Moved to Tue 28 Jul 22:00–06:00, Nätet.")
    assert held(NIGHT_AT_TEN)[:2] == (begins, ends)


def test_a_laptop_shows_more_than_nine_places_in_more_than_half_of_its_window(page, site):
    hall = Location.objects.create(name="Hallen")
    for number in range(14):
        room = Room.objects.create(location=hall, name=f"Rum {number:02}")
        start = utc(2026, 9, 1, 8) + dt.timedelta(minutes=5 * number)
        end = start + dt.timedelta(minutes=5)
        Occasion.objects.create(event_id=BARE, start=start, end=end, location=hall, room=room)
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{site}/admin/timetable/2026-09-01/")
    frame = page.locator(".scroller").bounding_box()
    assert frame
    assert min(frame["y"] + frame["height"], 768) - frame["y"] > 768 / 2
    shown = [head.bounding_box() for head in page.locator(".rooms .head").all()]
    assert sum(1 for box in shown if box and box["x"] + box["width"] <= frame["x"] + frame["width"]) > 9
    # However short something is, it can be hit.
    sizes = [link.bounding_box() for link in page.locator(".occasion > a:not(.button)").all()]
    assert all(box and min(box["width"], box["height"]) >= 24 for box in sizes)


def test_what_is_told_is_taken_back_and_the_next_moves_are_not_told(page):
    quiet = page.locator("#move-quiet")
    hold(page, JAZZ_AT_FOUR, "Övre, golvet", 90)
    page.mouse.up()
    expect(quiet).to_be_hidden()
    page.get_by_role("button", name="Do not tell them").dblclick()
    said(page, "Readers are not told.")
    expect(quiet).to_contain_text("Readers are told nothing of what you move, until you leave this page.")
    expect(page.locator("#move-news")).to_be_hidden()
    assert barriers(page) == []
    assert read_mark(JAZZ_AT_FOUR) == NO_MARK
    # What was pressed twice was sent once, and the keyboard goes on with what was moved.
    assert Edit.objects.filter(user__isnull=False).count() == 2
    expect(occasion(page, JAZZ_AT_FOUR).locator("a:not(.button)")).to_be_focused()
    for key in ("m", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    said(page, "Moved to 17:35–18:35, Magasinet; kaj 3, port B, Övre, golvet.")
    expect(quiet).to_be_visible()
    assert read_mark(JAZZ_AT_FOUR) == NO_MARK
    # The way back tells of both.
    quiet.get_by_role("button").click()
    said(page, "Readers are told.")
    expect(quiet).to_be_hidden()
    assert read_mark(JAZZ_AT_FOUR)[:3] == (NOW, Text(), utc(2026, 7, 29, 14))
    assert held(JAZZ_AT_FOUR)[0] == utc(2026, 7, 29, 15, 35)
    # What is half typed stays while the same occasion is moved on.
    page.fill("#id_note", "Reg")
    hold(page, JAZZ_AT_FOUR, "Nätet", 5)
    page.mouse.up()
    said(page, "Moved to 17:40–18:40, Nätet.")
    expect(page.locator("#id_note")).to_have_value("Reg")
    # And the page that is opened next tells again.
    page.locator("#move-news").get_by_role("button", name="Do not tell them").click()
    expect(quiet).to_be_visible()
    page.reload()
    expect(quiet).to_be_hidden()
