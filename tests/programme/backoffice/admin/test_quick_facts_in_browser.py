"""On a phone an occasion is full after two taps, wherever one begins, and readers know; two take it back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, barriers, browser, in_a_browser, live_server
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

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


@pytest.mark.parametrize(
    "start", ["/admin/programme/occasion/?day=2026-07-29", "/admin/timetable/2026-07-29/", EVENT]
)
def test_full_takes_two_taps_and_so_does_taking_it_back(phone: Page, site: str, start: str) -> None:
    phone.goto(start)
    tap_twice(phone, "Full")
    assert list_full(phone, site) == [8001]
    tap_twice(phone, "Places left")
    assert list_full(phone, site) == []


def test_facts_are_stated_by_keyboard_and_kept_as_a_draft(phone: Page) -> None:
    phone.goto(EVENT)
    group = phone.locator("fieldset:has(> details > summary > h2:text('Facts that readers choose by'))")
    group.locator("summary").press("Enter")
    children = phone.locator("[name=audience-children]")
    children.press("Space")
    phone.locator("[name=age-first]").fill("6")
    phone.locator("[name=access-hearing-loop]").select_option("no-hearing-loop")
    assert barriers(phone) == []
    phone.wait_for_function(
        "Object.keys(localStorage).some((key) => localStorage[key].includes('access-hearing'))"
    )
    phone.on("dialog", lambda dialog: dialog.accept())
    phone.reload()
    phone.locator("[data-use]").tap()
    expect(children).to_be_checked()
    expect(phone.locator("[name=age-first]")).to_have_value("6")
    expect(phone.locator("[name=access-hearing-loop]")).to_have_value("no-hearing-loop")
