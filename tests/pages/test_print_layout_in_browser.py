"""The timetable on paper: everything is on it, as wide as a sheet and no wider, and no page is empty."""

import re

import pytest

from programme import models
from programme.publishing.current import current
from tests.browser import browser, in_a_browser, live_server
from tests.programmes import utc

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

AREAS, ROOMS = 5, 6
DAY = "2026-08-15"
# A4 laid sideways within its margins, in CSS pixels.
SHEET = {"width": 1047, "height": 718}


@pytest.fixture
def busy(transactional_db, sample, at, live_server):
    """A day on which an occasion begins in each of 30 rooms at each of eight hours."""
    kind = models.EventType.objects.get(id=4001)
    for number in range(AREAS):
        area = models.Area.objects.create(name=f"Område {number}", color="#aa0000", sort_order=9)
        location = models.Location.objects.create(name=f"Kulturhuset {number}")
        for room in range(ROOMS):
            room = models.Room.objects.create(location=location, name=f"Scen {room}")  # noqa: PLW2901
            _fill(room, area, kind)
    current.clear()
    return f"{live_server.url}/?view=grid&date={DAY}"


def _fill(room, area, kind):
    for hour in range(8):
        event = models.Event.objects.create(
            title=f"Riksspelmansstämma {hour} för alla som spelar i {room}, med dans och kaffe efteråt",
            area=area,
            type=kind,
            status=models.Status.PUBLISHED,
        )
        start = utc(2026, 8, 15, 8 + hour, 30)
        models.Occasion.objects.create(
            event=event, start=start, end=start.replace(minute=50), location=room.location, room=room
        )


def test_nothing_is_cut_off(browser, busy):
    page = browser.new_page(viewport=SHEET)
    page.goto(busy)
    page.emulate_media(media="print")
    assert page.locator(".paper").count() == AREAS
    assert page.evaluate("document.documentElement.scrollWidth") == SHEET["width"]
    shown = page.locator(".paper p")
    assert shown.count() == AREAS * ROOMS * 8
    cut = """[...document.querySelectorAll('.paper :is(th, td, p)')].filter(
        each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)"""
    assert page.evaluate(f"{cut}.map(each => each.textContent)") == []
    assert not page.locator(".grid").is_visible()
    page.close()


def test_it_is_on_paper_only(browser, busy):
    page = browser.new_page()
    page.goto(busy)
    assert page.locator(".grid").is_visible()
    assert not page.locator(".paper").first.is_visible()
    page.close()


def test_each_area_is_a_sheet_laid_sideways(browser, busy):
    page = browser.new_page()
    page.goto(busy)
    written = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", written)
    # The first carries the name of the festival and the day, too, and may go on.
    assert AREAS <= len(boxes) <= 2 * AREAS
    assert {round(float(width)) > round(float(height)) for width, height in boxes} == {True}
    page.close()
