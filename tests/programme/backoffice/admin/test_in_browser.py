"""Lists in a real browser: a row that is edited by keyboard, a place that is chosen by typing, and a phone."""

from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from programme.models import Area, Festival, Location, Occasion
from tests.browser import DESKTOP, PHONE, barriers, in_a_browser
from tests.programmes import ABROAD, JAZZ, NIGHT, TORGET

pytestmark = in_a_browser

EVENTS, OCCASIONS = "/admin/programme/event/", "/admin/programme/occasion/"
# Of Jazz, today at 16:00.
TODAY = 8001
LAPTOP = {"width": 1280, "height": 800}
KALLAREN = 6002


@pytest.fixture
def laptop(page: Page) -> Page:
    page.set_viewport_size(LAPTOP)
    return page


def type_into(page: Page, field: Locator, text: str) -> Locator:
    """Type into a box of places; return what it offers."""
    field.locator(".select2-selection").click()
    page.locator(".select2-search__field").last.fill(text)
    offered = page.locator(".select2-results__option[role=option]:not(.loading-results)")
    expect(page.locator(".select2-results__option.loading-results")).to_have_count(0)
    return offered


def choose(page: Page, field: Locator, text: str) -> None:
    type_into(page, field, text).first.click()


def test_a_list_is_filtered_by_a_place_that_is_typed(laptop: Page) -> None:
    laptop.goto(f"{OCCASIONS}?event__status__exact=published")
    laptop.get_by_role("button", name="Filter").click()
    assert barriers(laptop) == []
    # The rows stay in sight beside it.
    bottoms = "all => all.map(each => each.getBoundingClientRect().bottom)"
    ends = laptop.locator("#result_list tbody tr").evaluate_all(bottoms)
    assert sum(each <= LAPTOP["height"] for each in ends) >= 6
    choose(laptop, laptop.locator(".box-filter").first, "Biblioteket")
    laptop.wait_for_url("**place=l5001*")
    assert "event__status__exact=published" in laptop.url
    rows = laptop.locator("#result_list tbody tr")
    expect(rows).not_to_have_count(0)
    shown = {int(key) for key in rows.locator(".action-select").evaluate_all("all => all.map(e => e.value)")}
    held = Occasion.objects.filter(location=5001, event__status="published")
    assert shown == {each.pk for each in held}
    # It stays open while choices are made in it.
    offered = type_into(laptop, laptop.locator(".box-filter").first, "bibl")
    expect(offered).to_have_text(["Biblioteket", "Biblioteket, Källaren", "Biblioteket, Sal 2"])
    offered.nth(1).click()
    laptop.wait_for_url(f"**place=r{KALLAREN}*")
    expect(rows).to_have_count(1)
    choose(laptop, laptop.locator(".box-filter").first, "all places")
    laptop.wait_for_url("**?event__status__exact=published")
    laptop.get_by_role("button", name="Filter").click()
    expect(laptop.locator(".box-filter").first).to_be_hidden()
    # A place for many is chosen likewise.
    laptop.locator(".action-select").first.check()
    laptop.locator("select[name=action]").first.select_option("place")
    laptop.locator("button[name=index]").first.click()
    choose(laptop, laptop.locator(".field-place"), "Källaren")
    expect(laptop.locator("[name=place]")).to_have_value(f"r{KALLAREN}")
    assert barriers(laptop) == []


def test_a_place_and_its_room_are_chosen_in_one_field(laptop: Page) -> None:
    laptop.goto(EVENTS)
    laptop.get_by_role("button", name="Filter").click()
    # No status is broken beside filters and a long title, such as the longest one in Swedish.
    laptop.locator(".field-title a").first.evaluate("each => (each.textContent = 'Om '.repeat(99))")
    lines = "each => (each.innerHTML = '<i>publicerat,</i>') && each.firstChild.getClientRects().length"
    assert laptop.locator("td.field-state").first.evaluate(lines) == 1
    laptop.goto(f"{EVENTS}{NIGHT}/change/")
    field = laptop.locator("#occasions-0 td.field-place")
    expect(type_into(laptop, field, "bibl")).to_have_text(
        ["Biblioteket – Källaren", "Biblioteket – Sal 2", "Biblioteket, Storgatan 1, Åsunda"]
    )
    laptop.keyboard.press("Escape")
    choose(laptop, field, "käll bibl")
    expect(laptop.locator("#id_occasions-0-place")).to_have_value(f"r{KALLAREN}")


def test_what_to_do_with_ticked_rows_is_in_view_at_the_last_of_them(laptop: Page) -> None:
    laptop.set_viewport_size({"width": 1280, "height": 400})
    laptop.goto(OCCASIONS)
    laptop.locator(".action-select").last.check()
    go = laptop.locator("button[name=index]").first
    expect(go).to_be_in_viewport(ratio=1)
    laptop.locator("select[name=action]").first.select_option("cancel")
    go.click()
    expect(laptop.get_by_role("button", name="Cancel them: 1 occasion")).to_be_visible()
    assert barriers(laptop) == []


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


def test_nothing_of_a_list_is_cut_off(page: Page) -> None:
    Location.objects.filter(pk=5001).update(name="Stadsbibliotekets stora föreläsningssal och foajé")
    for size, address in product((DESKTOP, PHONE), (EVENTS, OCCASIONS)):
        page.set_viewport_size(size)
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert page.locator(".results").evaluate("box => box.scrollWidth <= box.clientWidth")
        heading = page.locator("#content > h1").bounding_box()
        tools = page.locator(".object-tools").bounding_box()
        assert heading["y"] + heading["height"] <= tools["y"] or heading["x"] + heading["width"] <= tools["x"]
        title = page.locator("#result_list tbody th").first.bounding_box()
        assert title["width"] >= 160
        assert title["y"] < size["height"] / 2


def test_an_event_is_cancelled_on_a_phone_with_one_thumb(phone: Page) -> None:
    phone.goto(f"{EVENTS}{ABROAD}/change/")
    expect(phone.locator("[name=_save]")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    expect(phone.get_by_role("button", name="Cancel them")).to_be_hidden()
    phone.get_by_role("checkbox", name="Occasion 1", exact=True).tap()
    phone.get_by_role("button", name="Cancel them").tap()
    expect(phone.get_by_role("button", name="Cancel them: 1 occasion")).to_be_in_viewport()
    assert barriers(phone) == []
    phone.get_by_role("button", name="Cancel them: 1 occasion").tap()
    expect(phone.locator(".messagelist", has_text="Cancelled occasions: 1.")).to_be_in_viewport()
    assert f"{EVENTS}{ABROAD}/change/" in phone.url
    assert Occasion.objects.filter(event=ABROAD, cancelled=True).count() == 1


PATH = "/admin/programme/festival/1/change/"


def test_what_is_typed_is_shown_in_light_and_dark_with_what_had_to_be_helped(page: Page) -> None:
    page.goto(PATH)
    shown = page.frame_locator(".face iframe")
    page.fill("#id_name_en", "Nya namnet")
    page.fill("#id_color", "#ffe600")
    page.fill("#id_background", "#ffffff")
    expect(shown.locator("h1")).to_have_text("Nya namnet")
    expect(shown.locator(".filters [type=submit]").first).to_have_css("background-color", "rgb(255, 230, 0)")
    expect(shown.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator(".face-note")).to_have_count(1)
    page.locator("label[for=face-dark]").click()
    expect(shown.locator("body")).to_have_css("background-color", "rgb(22, 21, 19)")
    page.locator("label[for=face-occasion]").click()
    expect(shown.locator("article.occasion")).to_be_visible()
    assert barriers(page) == []
    assert Festival.objects.get().color == ""


# Of Jazz, today at 16:00.
BUTTON = "a[href*='/occasion/8001/fact/']"
EVENT = f"/admin/programme/event/{JAZZ}/change/"


def tap_twice(phone: Page, label: str) -> None:
    button = phone.locator(BUTTON)
    expect(button).to_have_text(label)
    button.tap()
    sure = phone.locator(".submit-row .default")
    box = sure.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= PHONE["height"]
    assert barriers(phone) == []
    sure.tap()
    expect(phone.locator(".messagelist .success")).to_contain_text(f"{label}. Readers see it:")


def list_full(phone: Page, site: str) -> list[int]:
    found = phone.request.get(f"{site}/api/events.json?booking=full").json()
    return [each["occation"]["id"] for each in found]


def test_full_takes_two_taps_and_so_does_taking_it_back(phone: Page, site: str) -> None:
    for start in (f"{OCCASIONS}?day=2026-07-29", "/admin/timetable/2026-07-29/", EVENT):
        phone.goto(start)
        tap_twice(phone, "Full")
        assert list_full(phone, site) == [8001]
        tap_twice(phone, "Places left")
        assert list_full(phone, site) == []
