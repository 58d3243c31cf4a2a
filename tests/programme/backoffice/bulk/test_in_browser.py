"""The storm in a real browser: what goes on from 15 to 20 at one place is cancelled, one is full, and all go back."""

import datetime as dt

import pytest
from playwright.sync_api import Locator, Page, expect

from programme.models import Event, Location, Occasion
from tests.browser import PHONE, barriers, barriers_in_both_widths, in_a_browser
from tests.conftest import NOW
from tests.programme.backoffice.marks import list_told
from tests.programme.backoffice.screens import save
from tests.programmes import TOMTEN, utc

pytestmark = in_a_browser


class Mouse:
    """Counts its clicks. A choice of the browser's own takes two, a search box one, and what is typed none."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, target: Locator, typed: str = "") -> None:
        self.clicks += 1
        target.click()
        if typed:
            self.page.keyboard.type(typed)

    def choose(self, field: Locator, option: str) -> None:
        self.clicks += 2
        field.select_option(option)


@pytest.fixture
def storm(site: str) -> list[int]:
    """Eleven occasions at Torget that go on from three to eight; one is over by then, one is elsewhere."""
    square, hall = (Location.objects.create(name=name) for name in ("Stora torget", "Ladan"))
    event = Event.objects.create(
        title="Under bar himmel", area_id=TOMTEN, type_id=4001, status="published", audience="children"
    )
    starts = [utc(2026, 7, 29, 12), utc(2026, 7, 29, 11)] + [
        utc(2026, 7, 29, 12, 30) + number * dt.timedelta(minutes=30) for number in range(11)
    ]
    rows = [
        Occasion(event=event, start=start, end=start + dt.timedelta(hours=1), location=square)
        for start in starts
    ]
    rows[0].location = hall
    return [each.pk for each in Occasion.objects.bulk_create(rows)][2:]


def open_storm(page: Page) -> Mouse:
    """Find what goes on at the square, and tick all of it."""
    mouse = Mouse(page)
    page.goto("/admin/")
    mouse.click(page.locator(".days a").first)
    mouse.click(page.get_by_role("button", name="Filter"))
    mouse.click(page.get_by_label("Goes on from"), "15")
    page.keyboard.press("Tab")
    page.keyboard.type("20")
    page.keyboard.press("Enter")
    page.wait_for_url("**on_until=20*")
    # It stays open.
    mouse.click(page.locator(".box-filter .select2-selection").first, "Stora torg")
    page.keyboard.press("Enter")
    page.wait_for_url("**place=*")
    expect(page.locator("#result_list tbody tr")).to_have_count(11)
    expect(page.locator(".chosen-filters li")).to_have_text(["Today", "Goes on 15–20", "Stora torget"])
    assert barriers(page) == []
    mouse.click(page.locator("#action-toggle"))
    return mouse


def test_a_storm_is_cancelled_and_undone_whatever_else_is_said_of_it_meanwhile(page, storm):
    mouse = open_storm(page)
    mouse.choose(page.locator("select[name=action]").first, "cancel")
    mouse.click(page.locator("button[name=index]").first)
    expect(page.locator(".rows > li")).to_have_count(11)
    assert barriers_in_both_widths(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    mouse.click(page.locator("[name=note]"), "Thunder")
    mouse.click(page.get_by_role("button", name="Cancel them: 11 occasions"))
    expect(page.locator(".messagelist .success")).to_contain_text("Cancelled occasions: 11.")
    assert mouse.clicks <= 13
    assert list_told(NOW) == [("cancelled", key, "Thunder") for key in storm]
    undo = page.locator(".messagelist a.undo").get_attribute("href")
    # Of one it is said that it was full.
    page.goto(f"/admin/programme/occasion/{storm[3]}/change/")
    page.locator("tr:has(:target) [name$=booking]").select_option("full")
    save(page)
    page.goto(undo)
    expect(page.locator(".staying")).to_have_count(0)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".messagelist .success")).to_contain_text("Undone. As before: Under bar himmel.")
    assert not Occasion.objects.filter(cancelled=True, pk__in=storm).exists()
    assert Occasion.objects.get(pk=storm[3]).booking == "full"


def test_enter_in_a_field_shows_what_happens_and_does_nothing_yet(page, storm):
    open_storm(page)
    page.locator("select[name=action]").first.select_option("move")
    page.locator("button[name=index]").first.click()
    expect(page.locator("[name=shift]")).to_be_focused()
    page.keyboard.type("+2 h")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move: 11 occasions")).to_be_in_viewport()
    page.locator("[name=note]").fill("Thunder")
    page.locator("[name=note]").press("Enter")
    row = page.locator(".rows > li").first
    expect(row).to_contain_text("Readers see: CHANGED. Moved from 14:30. Thunder")
    page.go_back()
    expect(row).to_contain_text("Readers see: CHANGED. Moved from 14:30.")
    expect(row).not_to_contain_text("Thunder")
    page.go_forward()
    expect(row).to_contain_text("Thunder")
    assert barriers_in_both_widths(page) == []
    assert list_told(NOW) == []
    page.get_by_role("button", name="Move: 11 occasions").click()
    expect(page.locator(".messagelist .success")).to_contain_text("Moved occasions: 11.")
    page.goto(f"/en/occasion/{storm[1]}")
    expect(page.locator("main")).to_contain_text("Moved from 15:00. Thunder")
    assert {key for _kind, key, _note in list_told(NOW)} == {*storm}


def test_what_is_for_children_is_put_on_a_new_list(page, storm):
    page.goto("/admin/programme/occasion/?day=2026-07-29&audience=children")
    expect(page.locator("#result_list tbody tr")).to_have_count(13)
    page.locator("#action-toggle").check()
    page.locator("select[name=action]").first.select_option("put_on_list")
    page.locator("button[name=index]").first.click()
    page.locator("[name=new]").fill("Barnens onsdag")
    page.get_by_role("button", name="Show what happens").click()
    assert barriers(page) == []
    page.get_by_role("button", name="Put on a list: ").click()
    page.locator(".messagelist").get_by_role("link", name="Barnens onsdag").click()
    expect(page.locator("#items-group tr.has_original")).to_have_count(13)
