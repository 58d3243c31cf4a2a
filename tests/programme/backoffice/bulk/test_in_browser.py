"""The storm of 11 in a real browser: chosen by area and hours, moved by two hours, and seen by readers."""

import datetime as dt
import re

import pytest
from playwright.sync_api import Page, expect

from programme.models import Event, Occasion
from tests.browser import PHONE, barriers, barriers_in_both_widths, in_a_browser
from tests.conftest import NOW
from tests.programme.backoffice.marks import list_told
from tests.programmes import TOMTEN, utc

pytestmark = in_a_browser


@pytest.fixture
def storm(site: str) -> list[int]:
    """Eleven occasions from three o'clock on, and one before them."""
    keys = []
    for number in range(12):
        event = Event.objects.create(
            title=f"Under bar himmel {number}", area_id=TOMTEN, type_id=4001, status="published"
        )
        start = utc(2026, 7, 29, 12, 50) + dt.timedelta(minutes=10 * number)
        end = start + dt.timedelta(minutes=45)
        keys.append(Occasion.objects.create(event=event, start=start, end=end).pk)
    return keys[1:]


def find(page: Page) -> None:
    page.goto("/admin/")
    page.get_by_role("link", name="Change many occasions").click()
    page.locator("[name=area]").select_option(str(TOMTEN))
    page.locator("[name=starts_from]").fill("15")
    page.locator("[name=starts_before]").fill("18")
    page.get_by_role("button", name="Find them").click()


def test_a_storm_of_eleven(page: Page, storm: list[int]) -> None:
    find(page)
    expect(page.locator("[name=occasion]")).to_have_count(11)
    assert barriers(page) == []
    page.locator("[name=shift]").fill("+2 h")
    # Readers know when they are.
    expect(page.locator("[name=tell]")).to_have_value("yes")
    page.locator("[name=note]").fill("Thunder")
    page.get_by_role("button", name="Show what happens").click()
    first = page.locator("tbody tr", has_text=re.compile("Under bar himmel 1\\b"))
    expect(first.locator(".then")).to_contain_text("17:00–17:45")
    expect(first.locator(".news")).to_have_text("CHANGED. Moved from 15:00. Thunder")
    expect(page.locator("#what-happens")).to_be_in_viewport()
    assert barriers_in_both_widths(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_role("button", name="Move 11 occasions").click()
    expect(page.locator(".messagelist .success")).to_contain_text("11 occasions were changed.")
    page.goto(f"/en/occasion/{storm[0]}")
    expect(page.locator("main")).to_contain_text("Moved from 15:00. Thunder")
    starts = Occasion.objects.filter(pk__in=storm).order_by("start").values_list("start", flat=True)
    assert starts[0] == utc(2026, 7, 29, 15)
    assert {key for _kind, key, _note in list_told(NOW)} == {*storm}


def test_rows_are_ticked_and_counted(page: Page, storm: list[int]) -> None:
    find(page)
    every, count = page.locator("[data-every]"), page.locator("[data-ticked]")
    expect(count).to_have_text("11")
    every.uncheck()
    expect(count).to_have_text("0")
    page.locator(f"#occasion-{storm[2]}").check()
    expect(page.get_by_role("status").and_(page.locator(".count *"))).to_have_text(re.compile(r"^1\s"))
    assert every.evaluate("box => box.indeterminate")
    # Enter in a field shows what happens, and does nothing yet.
    page.locator("[name=shift]").fill("18:00")
    page.keyboard.press("Enter")
    expect(page.locator("[name=apply]")).to_have_count(1)
    page.locator("[name=shift]").press("Enter")
    expect(page.locator("[name=apply]")).to_have_count(1)
    assert Occasion.objects.get(pk=storm[2]).start == utc(2026, 7, 29, 13, 20)
