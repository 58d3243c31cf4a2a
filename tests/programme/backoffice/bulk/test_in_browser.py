"""The storm of 11 in a real browser: chosen by area and hours, moved by two hours, and seen by readers."""

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from programme.models import Event, Occasion
from tests.browser import DESKTOP, PHONE, barriers, browser, in_a_browser, live_server, signed_in, thorough
from tests.conftest import NOW, SetClock
from tests.programmes import TOMTEN, utc

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

SCREENS = [(DESKTOP, "light", "en-GB"), (PHONE, "dark", "sv-SE")]
WORDS = {
    "en-GB": {
        "open": "Change many occasions",
        "find": "Find them",
        "show": "Show what happens",
        "do": "Change 11 occasions",
        "done": "11 occasions were changed.",
        "news": "CHANGED. Moved from 15:00. Thunder",
        "page": "/en/occasion/",
    },
    "sv-SE": {
        "open": "Ändra många tillfällen",
        "find": "Sök fram dem",
        "show": "Visa vad som händer",
        "do": "Ändra 11 tillfällen",
        "done": "11 tillfällen ändrades.",
        "news": "ÄNDRAT. Flyttad från 15:00. Thunder",
        "page": "/tillfalle/",
    },
}


@pytest.fixture
def storm(transactional_db: None, sample: None, at: SetClock) -> list[int]:
    """Eleven occasions from three o'clock on, and one before them."""
    at(NOW)
    keys = []
    for number in range(12):
        event = Event.objects.create(
            title=f"Under bar himmel {number}", area_id=TOMTEN, type_id=4001, status="published"
        )
        start = utc(2026, 7, 29, 12, 50) + dt.timedelta(minutes=10 * number)
        end = start + dt.timedelta(minutes=45)
        keys.append(Occasion.objects.create(event=event, start=start, end=end).pk)
    return keys[1:]


@pytest.fixture(
    params=[SCREENS[0], *thorough(SCREENS[1])], ids=["desktop, light, English", "phone, dark, Swedish"]
)
def page(browser: Browser, storm: list[int], live_server: Any, anna: User, request: Any) -> Iterator[Page]:
    viewport, scheme, locale = request.param
    options = {"viewport": viewport, "color_scheme": scheme, "locale": locale, "base_url": live_server.url}
    shown = signed_in(browser, live_server.url, anna, **options).new_page()
    shown.on("pageerror", lambda error: pytest.fail(str(error)))
    yield shown
    shown.context.close()


@pytest.fixture
def words(page: Page) -> dict[str, str]:
    return WORDS[page.evaluate("navigator.language")]


def find(page: Page, words: dict[str, str]) -> None:
    page.goto("/admin/")
    page.get_by_role("link", name=words["open"]).click()
    page.locator("[name=area]").select_option(str(TOMTEN))
    page.locator("[name=starts_from]").fill("15")
    page.locator("[name=starts_before]").fill("18")
    page.get_by_role("button", name=words["find"]).click()


def test_a_storm_of_eleven(page: Page, words: dict[str, str], storm: list[int]) -> None:
    find(page, words)
    expect(page.locator("[name=occasion]")).to_have_count(11)
    assert barriers(page) == []
    page.locator("[name=shift]").fill("+2 h")
    # Readers know when they are.
    expect(page.locator("[name=tell]")).to_have_value("occasions")
    page.locator("[name=note]").fill("Thunder")
    page.get_by_role("button", name=words["show"]).click()
    first = page.locator("tbody tr", has_text=re.compile("Under bar himmel 1\\b"))
    expect(first.locator(".then")).to_contain_text("17:00–17:45")
    expect(first.locator(".news")).to_have_text(words["news"])
    expect(page.locator("#what-happens")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    assert barriers(page) == []
    page.get_by_role("button", name=words["do"]).click()
    expect(page.locator(".messagelist .success")).to_contain_text(words["done"])
    page.goto(f"{words['page']}{storm[0]}")
    expect(page.locator("main")).to_contain_text(words["news"].partition(" ")[2])
    starts = Occasion.objects.filter(pk__in=storm).order_by("start").values_list("start", flat=True)
    assert starts[0] == utc(2026, 7, 29, 15)
    assert Occasion.objects.filter(event__area=TOMTEN).exclude(pk__in=storm).get().changed_at is None


def test_rows_are_ticked_and_counted(page: Page, words: dict[str, str], storm: list[int]) -> None:
    find(page, words)
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


def test_readers_are_notified_unless_the_editor_says_no(
    page: Page, words: dict[str, str], storm: list[int]
) -> None:
    find(page, words)
    tell = page.locator("[name=tell]")
    page.locator("[name=cancelled]").select_option("cancel")
    expect(tell).to_have_value("occasions")
    # A reinstatement is no news by itself.
    page.locator("[name=cancelled]").select_option("reinstate")
    expect(tell).to_have_value("")
    page.locator("[name=shift]").fill("15")
    tell.select_option("")
    page.locator("[name=shift]").fill("20")
    expect(tell).to_have_value("")
    page.get_by_role("button", name=words["show"]).click()
    # What was chosen stays, whatever is typed then.
    for minutes in ("25", "20"):
        page.locator("[name=shift]").fill(minutes)
        expect(tell).to_have_value("")
    page.get_by_role("button", name=words["do"]).click()
    expect(page.locator(".messagelist .success")).to_contain_text(words["done"])
    assert not Occasion.objects.filter(pk__in=storm).exclude(changed_at=None).exists()
