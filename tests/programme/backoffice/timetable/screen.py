"""The timetable on the screen of an editor, and what is done with mouse and finger."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, expect

from programme.models import Occasion
from tests.programme.backoffice.screens import open_page
from tests.programme.backoffice.timetable.reading import DAY

# In pixels.
MINUTE = 1.6


def opened(browser: Browser, site: str, editor: User, **options: Any) -> Page:
    """Return the timetable on the screen of an editor who is signed in."""
    page = open_page(browser, site, editor, **options)
    page.goto(DAY)
    return page


@pytest.fixture
def page(page: Page) -> Page:
    page.goto(DAY)
    return page


@pytest.fixture
def phone(phone: Page) -> Page:
    phone.goto(DAY)
    return phone


def occasion(page: Page, key: int) -> Locator:
    return page.locator(f'[data-occasion="{key}"]')


def in_sight(page: Page, key: int) -> dict[str, float]:
    """Put an occasion into the middle of the table, away from its heads; return where it is."""
    occasion(page, key).evaluate("item => item.scrollIntoView({ block: 'center', inline: 'center' })")
    box = occasion(page, key).bounding_box()
    assert box
    return dict(box)


def below(page: Page, label: str) -> float:
    """Return the middle of the column under a heading."""
    box = page.locator(".rooms .head", has_text=label).bounding_box()
    assert box
    return box["x"] + box["width"] / 2


def hold(page: Page, key: int, to: str, minutes: int) -> None:
    """Take hold of an occasion and hold it over another column, so many minutes later."""
    box = in_sight(page, key)
    x, y = box["x"] + 30, box["y"] + 10
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y + 8)
    page.mouse.move(below(page, to), y + MINUTE * minutes, steps=3)


def held(key: int) -> tuple[Any, ...]:
    return Occasion.objects.values_list("start", "end", "location", "room").get(pk=key)


def said(page: Page, text: str) -> None:
    told = r"( Readers are told\.)?"
    expect(page.locator("#move-status span")).to_have_text(re.compile(rf"^\s*{re.escape(text)}{told}\s*$"))


def drag_to(page: Page, x: float, y: float) -> None:
    """Let go of what the mouse holds at a point."""
    page.mouse.move(x, y, steps=3)
    page.mouse.up()


def slot(page: Page, column: str, minute: int) -> tuple[float, float]:
    """Return a point in a column under the hour, scrolled into sight: so many minutes after the first one."""
    top = max(0, MINUTE * minute - 200)
    page.locator(".scroller").evaluate(
        "(table, top) => {table.scrollIntoView(); table.scrollTo(0, top)}", top
    )
    box = page.locator(".body").bounding_box()
    assert box
    return below(page, column), box["y"] + MINUTE * minute + 2


def take_edge(page: Page, key: int) -> tuple[float, float]:
    """Return a point at the lower edge of an occasion."""
    in_sight(page, key)
    box = occasion(page, key).locator(".stretcher").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + 4


class Finger:
    """Touches the screen of a page."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(self, *points: tuple[float, float]) -> None:
        self._send("touchStart", points[0])
        for point in points[1:]:
            self._send("touchMove", point)
        self._send("touchEnd")
