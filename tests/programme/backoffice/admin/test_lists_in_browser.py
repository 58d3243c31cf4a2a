"""Lists in a real browser: a row that is edited by keyboard, a place that is chosen by typing, and a phone."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, expect

from programme.models import Area, Edit, Event, Location, Occasion
from programme.models.locations import format_place
from tests.browser import DESKTOP, PHONE, barriers, browser, in_a_browser, live_server, thorough
from tests.conftest import NOW
from tests.programme.backoffice.screens import open_page
from tests.programmes import ABROAD, JAZZ, NIGHT, TORGET, utc

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENTS, OCCASIONS = "/admin/programme/event/", "/admin/programme/occasion/"
# Of Jazz, today at 16:00.
TODAY = 8001
LAPTOP, WIDE = {"width": 1280, "height": 800}, {"width": 1600, "height": 900}
KALLAREN = 6002


@pytest.fixture
def laptop(page: Page) -> Page:
    page.set_viewport_size(LAPTOP)
    return page


def find_button(page: Page, model: str, key: int) -> Locator:
    return page.locator(f"button.edit-row[data-address$='/{model}/{key}/row/']")


def open_row(page: Page, model: str, key: int) -> Locator:
    """Open a row by keyboard; return it."""
    find_button(page, model, key).press("Enter")
    row = page.locator("tr.row-editing")
    expect(row).to_be_visible()
    return row


# --- By keyboard ----------------------------------------------------------------------------------


def test_an_occasion_is_edited_in_its_row_by_keyboard(laptop: Page) -> None:
    laptop.goto(f"{OCCASIONS}?day=2026-07-29")
    row = open_row(laptop, "occasion", TODAY)
    start = laptop.locator("#row_start_time")
    expect(start).to_be_focused()
    laptop.keyboard.press("Escape")
    expect(row).to_have_count(0)
    button = find_button(laptop, "occasion", TODAY)
    expect(button).to_be_focused()
    laptop.keyboard.press("F2")
    expect(row).to_be_visible()
    expect(start).to_be_focused()
    laptop.keyboard.type("17")
    expect(laptop.locator("#row_tell")).to_have_value("")
    laptop.keyboard.press("Tab")
    expect(laptop.locator("#row_end_time")).to_be_focused()
    laptop.keyboard.type("16:30")
    laptop.keyboard.press("Enter")
    # In the night after: refused by nothing but common sense.
    expect(row).to_have_count(0)
    expect(button).to_be_focused()
    expect(laptop.locator("#row-status .success").first).to_contain_text("Saved")
    moved = laptop.locator("#result_list tr", has=laptop.locator(f"[value='{TODAY}']"))
    expect(moved.locator(".field-time")).to_have_text("17:00–16:30")
    occasion = Occasion.objects.get(pk=TODAY)
    assert (occasion.start, occasion.changed_at, occasion.previous_start) == (
        utc(2026, 7, 29, 15),
        NOW,
        utc(2026, 7, 29, 14),
    )
    edits = Edit.objects.count()
    laptop.get_by_role("link", name="Undo").click()
    assert Edit.objects.count() == edits
    expect(laptop.locator("#content")).to_contain_text("17:00")


def test_what_is_refused_or_saved_by_another_stands_beside_the_field_and_nothing_is_lost(
    laptop: Page,
) -> None:
    laptop.goto(f"{OCCASIONS}?day=2026-07-29")
    row = open_row(laptop, "occasion", TODAY)
    start = laptop.locator("#row_start_time")
    start.fill("25")
    laptop.locator("#row_cancelled").check()
    laptop.keyboard.press("Enter")
    expect(row.locator(".field-start_time .errorlist")).to_have_text("Write it as 19:00. Midnight is 00:00.")
    expect(start).to_be_focused()
    expect(laptop.locator("#row_cancelled")).to_be_checked()
    Occasion.objects.filter(pk=TODAY).update(start=utc(2026, 7, 29, 13))
    start.fill("18")
    laptop.locator("#row_end_time").fill("19")
    laptop.keyboard.press("Enter")
    expect(row.get_by_role("alert")).to_contain_text("Somebody else has saved this meanwhile")
    expect(row.locator(".field-day .theirs")).to_have_text("Now saved: 2026-07-29, 15:00, 17:00")
    assert barriers(laptop) == []
    expect(start).to_have_value("18")
    assert not Occasion.objects.get(pk=TODAY).cancelled
    start.press("Enter")
    expect(row).to_have_count(0)
    occasion = Occasion.objects.get(pk=TODAY)
    assert (occasion.start, occasion.cancelled) == (utc(2026, 7, 29, 16), True)


def test_arrows_go_from_row_to_row_and_an_open_row_is_saved_by_opening_another(laptop: Page) -> None:
    laptop.goto(f"{OCCASIONS}?day=2026-07-29")
    buttons = laptop.locator("button.edit-row")
    buttons.first.focus()
    laptop.keyboard.press("ArrowDown")
    expect(buttons.nth(1)).to_be_focused()
    laptop.keyboard.press("ArrowUp")
    laptop.keyboard.press("Enter")
    first = int(re.search(r"/(\d+)/row/", str(buttons.first.get_attribute("data-address")))[1])
    laptop.locator("#row_cancelled").check()
    buttons.nth(2).click()
    expect(laptop.locator("#row_cancelled")).not_to_be_checked()
    expect(laptop.locator("tr.row-editing")).to_have_count(1)
    assert Occasion.objects.get(pk=first).cancelled


def test_a_row_that_no_longer_fits_the_filter_says_so(laptop: Page) -> None:
    laptop.goto(f"{OCCASIONS}?day=2026-07-29&cancelled__exact=0")
    open_row(laptop, "occasion", TODAY)
    laptop.locator("#row_cancelled").check()
    laptop.keyboard.press("Enter")
    status = laptop.locator("#row-status")
    expect(status).to_contain_text("The row is no longer in this list")
    expect(status).to_contain_text("Cancelled, and readers see it:")
    expect(find_button(laptop, "occasion", TODAY)).to_have_count(0)


def test_an_event_is_edited_in_its_row_with_a_room_of_its_location(laptop: Page) -> None:
    Location.objects.get(pk=5003).rooms.create(name="Sal 9")
    laptop.goto(EVENTS)
    row = open_row(laptop, "event", JAZZ)
    expect(row.get_by_role("link", name="Open the form, for its occasions too")).to_be_visible()
    # Another location: its rooms are others.
    choose(laptop, row.locator(".field-location"), "Magasinet")
    type_into(laptop, row.locator(".field-room"), "").first.click()
    former = format_place(Occasion.objects.select_related("event").get(pk=8001))
    laptop.locator("#row_note_en").fill("A bigger hall")
    laptop.locator("#row_note").fill("Större sal")
    laptop.locator("#row_note").press("Enter")
    expect(row).to_have_count(0)
    event = Event.objects.get(pk=JAZZ)
    assert (str(event.room), event.change_info) == ("Magasinet; kaj 3, port B, Sal 9", "")
    # The others have places of their own, or are over.
    assert [each.change_info for each in event.occasions.order_by("pk")] == ["Större sal", "", ""]
    told = Occasion.objects.get(pk=8001)
    assert (told.change_info_en, told.previous_place) == ("A bigger hall", former)


def type_into(page: Page, field: Locator, text: str) -> Locator:
    """Type into a box of places; return what it offers."""
    field.locator(".select2-selection").click()
    page.locator(".select2-search__field").last.fill(text)
    offered = page.locator(".select2-results__option[role=option]:not(.loading-results)")
    expect(page.locator(".select2-results__option.loading-results")).to_have_count(0)
    return offered


def choose(page: Page, field: Locator, text: str) -> None:
    type_into(page, field, text).filter(has_text=text).first.click()


# --- Places ---------------------------------------------------------------------------------------


def test_a_list_is_filtered_by_a_place_that_is_typed(laptop: Page) -> None:
    laptop.goto(f"{OCCASIONS}?event__status__exact=published")
    laptop.get_by_role("button", name="Filter").click()
    assert barriers(laptop) == []
    choose(laptop, laptop.locator(".place-filter"), "Biblioteket")
    laptop.wait_for_url("**place=l5001*")
    assert "event__status__exact=published" in laptop.url
    rows = laptop.locator("#result_list tbody tr")
    expect(rows).not_to_have_count(0)
    shown = {int(key) for key in rows.locator(".action-select").evaluate_all("all => all.map(e => e.value)")}
    held = Occasion.objects.with_venue().filter(venue_location=5001, event__status="published")
    assert shown == {each.pk for each in held}
    offered = type_into(laptop, laptop.locator(".place-filter"), "bibl")
    expect(offered).to_have_text(["Biblioteket", "Biblioteket, Källaren", "Biblioteket, Sal 2"])
    offered.nth(1).click()
    laptop.wait_for_url(f"**place=r{KALLAREN}*")
    expect(rows).to_have_count(1)
    choose(laptop, laptop.locator(".place-filter"), "all places")
    laptop.wait_for_url("**?event__status__exact=published")
    # A place for many is chosen likewise.
    laptop.goto("/admin/change-many/?day=2026-07-29&area=1001")
    choose(laptop, laptop.locator(".doing .field-place"), "Källaren")
    expect(laptop.locator(".doing [name=place]")).to_have_value(f"r{KALLAREN}")
    assert barriers(laptop) == []


def test_the_rooms_in_a_form_and_in_its_rows_are_those_of_the_location_beside(laptop: Page) -> None:
    laptop.goto(f"{EVENTS}{NIGHT}/change/")
    choose(laptop, laptop.locator(".form-row .field-location").first, "Biblioteket")
    expect(laptop.locator("#id_room")).to_have_value("")
    expect(type_into(laptop, laptop.locator(".form-row .field-room").first, "")).to_have_text(
        ["Biblioteket, Källaren", "Biblioteket, Sal 2"]
    )
    laptop.keyboard.press("Escape")
    laptop.locator("#occasions-group .add-row a").click()
    added = laptop.locator("#occasions-1")
    choose(laptop, added.locator("td.field-location"), "Magasinet")
    expect(type_into(laptop, added.locator("td.field-room"), "")).to_have_text(
        ["Magasinet; kaj 3, port B, Övre, golvet"]
    )


# --- Many rows ------------------------------------------------------------------------------------


def test_what_to_do_with_ticked_rows_is_in_view_at_the_last_of_them(laptop: Page) -> None:
    laptop.set_viewport_size({"width": 1280, "height": 400})
    laptop.goto(OCCASIONS)
    laptop.locator(".action-select").last.check()
    go = laptop.locator("button[name=index]").first
    expect(go).to_be_in_viewport(ratio=1)
    laptop.locator("select[name=action]").first.select_option("cancel")
    go.click()
    assert barriers(laptop) == []
    expect(laptop.locator("select[name=tell]")).to_have_value("occasions")
    laptop.locator("#id_note").fill("Åska över parken")
    laptop.get_by_role("button", name="Yes, do it").click()
    expect(laptop.locator(".messagelist")).to_contain_text("1 occasion was cancelled. Readers see it: ")


# --- Deleting, publishing, colours ------------------------------------------------------------------


def test_what_is_published_is_cancelled_instead_of_deleted(laptop: Page) -> None:
    laptop.goto(f"{EVENTS}{JAZZ}/change/")
    laptop.get_by_role("link", name="Delete", exact=True).last.click()
    offer = laptop.locator(".instead")
    expect(offer).to_contain_text("Occasions in the programme: 3. Still to come: 3.")
    offer.get_by_role("button", name="Cancel instead").click()
    laptop.locator("input[name=note]").fill("Åska")
    laptop.get_by_role("button", name="Yes, do it").click()
    expect(laptop.locator(".messagelist")).to_contain_text("1 event was cancelled. Readers see it:")
    assert Event.objects.get(pk=JAZZ).cancelled


def test_a_colour_is_picked_or_typed(laptop: Page) -> None:
    laptop.goto(f"/admin/programme/area/{TORGET}/change/")
    code, picker = laptop.locator("#id_color"), laptop.locator(".field-color [type=color]").first
    expect(picker).to_have_value("#2f6f4e")
    picker.fill("#aa0011")
    expect(code).to_have_value("#aa0011")
    code.fill("#00bb22")
    expect(picker).to_have_value("#00bb22")
    laptop.get_by_role("button", name="Save", exact=True).click()
    expect(laptop.locator(".messagelist .success")).to_be_visible()
    assert Area.objects.get(pk=TORGET).color == "#00bb22"


# --- Widths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE, *thorough(LAPTOP, WIDE)])
def test_nothing_of_a_list_is_cut_off(browser: Browser, site: str, anna: User, size: Any) -> None:
    Location.objects.filter(pk=5001).update(name="Stadsbibliotekets stora föreläsningssal och foajé")
    page = open_page(browser, site, anna, viewport=size)
    for address in (EVENTS, OCCASIONS):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert page.locator(".results").evaluate("box => box.scrollWidth <= box.clientWidth")
        heading = page.locator("#content > h1").bounding_box()
        tools = page.locator(".object-tools").bounding_box()
        assert heading["y"] + heading["height"] <= tools["y"] or heading["x"] + heading["width"] <= tools["x"]
        title = page.locator("#result_list tbody th").first.bounding_box()
        assert title["width"] >= 160
        assert title["y"] < size["height"] / 2
    page.context.close()


# --- A phone --------------------------------------------------------------------------------------


def test_an_event_is_cancelled_on_a_phone_with_one_thumb(phone: Page) -> None:
    phone.goto(f"{EVENTS}{ABROAD}/change/")
    bar = phone.locator(".thumb-bar")
    expect(bar).to_be_in_viewport()
    bar.get_by_text("Times").click()
    expect(phone.locator("#occasions-0-start_time, #id_occasions-0-start_time").first).to_be_in_viewport()
    bar.get_by_text("Cancel it").click()
    expect(phone.locator("#id_cancelled")).to_be_checked()
    expect(phone.locator("#id_note")).to_be_in_viewport()
    assert barriers(phone) == []
    bar.get_by_role("button", name="Save").click()
    message = phone.locator(".messagelist", has_text="Cancelled, and readers see it:")
    expect(message).to_be_in_viewport()
    assert Event.objects.get(pk=ABROAD).cancelled


def test_a_row_is_a_card_on_a_phone_which_says_what_is_known_without_its_network(phone: Page) -> None:
    phone.goto(f"{OCCASIONS}?day=2026-07-29")
    card = phone.locator("#result_list tbody tr", has=phone.locator(f"[value='{TODAY}']"))
    expect(card.locator(".field-place")).to_be_visible()
    find_button(phone, "occasion", TODAY).click()
    start, end, said = (phone.locator(name) for name in ("#row_start_time", "#row_end_time", "#row-status"))
    ends = end.input_value()
    start.fill("soon")
    phone.context.set_offline(True)
    save = phone.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_in_viewport()
    save.click()
    # The request may have arrived, and only its answer been lost.
    expect(said).to_contain_text("it may not be saved")
    phone.context.set_offline(False)
    save.click()
    expect(phone.locator(".field-start_time .errorlist")).to_be_visible()
    expect(said).to_be_empty()
    start.fill("17:00")
    start.press("Tab")
    # An hour later, as if the start before had not been mistyped.
    expect(end).not_to_have_value(ends)
    save.click()
    expect(said.locator(".success").first).to_be_visible()
    occasion = Occasion.objects.get(pk=TODAY)
    assert (occasion.start, occasion.end) == (utc(2026, 7, 29, 15), utc(2026, 7, 29, 16))
    # A delay is typed as one, and goes past midnight: from 17:00, with the length that it has.
    find_button(phone, "occasion", TODAY).click()
    start.fill("+8 h 30 min")
    start.press("Enter")
    expect(phone.locator("tr.row-editing")).to_have_count(0)
    occasion = Occasion.objects.get(pk=TODAY)
    assert (occasion.start, occasion.end) == (utc(2026, 7, 29, 23, 30), utc(2026, 7, 30, 0, 30))
