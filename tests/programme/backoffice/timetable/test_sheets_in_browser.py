"""Sheets for walls, printed by a real browser and read as PDF: a page for each place and day, nothing cut."""

import datetime as dt
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from programme.history import edits
from programme.models import Occasion
from tests.browser import barriers, in_a_browser
from tests.conftest import NOW
from tests.programme.backoffice.timetable.reading import DAY
from tests.programmes import BARE, utc

needs_poppler = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler-utils is not installed")
pytestmark = [*in_a_browser, needs_poppler]

JAZZ_AT_FOUR, CLOCKS_AT_FOUR = 8001, 8014
SHEETS = "/admin/timetable/sheets/"


def print_pages(page: Page, address: str, folder: Path) -> list[str]:
    """Return the text of each page that is printed."""
    page.goto(address)
    pdf = folder / "sheets.pdf"
    page.pdf(path=pdf, prefer_css_page_size=True)
    sizes = subprocess.run(["pdfinfo", pdf], check=True, capture_output=True, text=True).stdout
    assert "(A4)" in sizes
    command = ["pdftotext", "-layout", str(pdf), "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [re.sub(r"\s+", " ", each).strip() for each in text.split("\f")[:-1]]


def test_each_place_of_a_day_has_a_page_with_each_of_its_occasions_once(page: Page, tmp_path: Path) -> None:
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(cancelled=True)
    later = {"start": utc(2026, 7, 29, 15), "end": utc(2026, 7, 29, 16)}
    with edits.record(moment=NOW):
        Occasion.objects.filter(pk=CLOCKS_AT_FOUR).update(**later)
    page.goto(f"{DAY}?location=")
    page.get_by_role("link", name="Print sheets").click()
    expect(page).to_have_url(re.compile(rf"{SHEETS}\?day=2026-07-29"))
    assert barriers(page) == []
    pages = print_pages(page, f"{SHEETS}?day=2026-07-29", tmp_path)
    assert [each.partition("Wednesday 29 July 2026")[0].strip() for each in pages] == [
        "Åsunda Culture Night · Biblioteket Sal 2",
        "Åsunda Culture Night · Magasinet; kaj 3, port B Övre, golvet",
        # What has no place has the area's name.
        "Åsunda Culture Night Stora Ångtorget",
        "Åsunda Culture Night Nätet",
    ]
    hall, _loft, _area, online = pages
    assert hall.count("16:00–17:00") == hall.count("CANCELLED.") == 1
    assert "17:00–18:00 När klockan ställs om CHANGED. Moved from 16:00." in hall
    # What goes on from the day before until the next, or is cancelled there, is told once; a draft is not.
    assert online.count("Åtta ångbåtar") == 1
    assert online.count("sömn överhuvudtaget") == 1
    assert not any("Utkast" in each for each in pages)
    # On one sheet for all rooms are those beside the chosen one, too.
    page.goto(f"{SHEETS}?day=2026-07-29&location=r6003&whole=on")
    expect(page.locator("#id_location")).to_have_value("5003")
    expect(page.locator(".kinds [aria-current]")).to_have_text("For walls")


def test_what_needs_more_pages_repeats_its_head_and_tears_nothing(page: Page, tmp_path: Path) -> None:
    for minute in range(70):
        start = utc(2026, 9, 1, 8) + dt.timedelta(minutes=10 * minute)
        end = start + dt.timedelta(minutes=10)
        Occasion.objects.create(event_id=BARE, start=start, end=end, location_id=5003, room_id=6003)
    pages = print_pages(page, f"{SHEETS}?day=2026-09-01&location=5003", tmp_path)
    assert len(pages) > 1
    assert all("Övre, golvet" in each for each in pages)
    assert sum(each.count("Bara en titel") for each in pages) == 70
    # All days of a place, each on its own.
    every = print_pages(page, f"{SHEETS}?location=5003", tmp_path)
    days = [re.findall(r"\w+day \d+ \w+ \d{4}", each)[0] for each in every]
    others = [
        *("Sunday 29 March 2026", "Wednesday 29 July 2026", "Saturday 1 August 2026"),
        "Sunday 25 October 2026",
    ]
    assert [day for day in days if day != "Tuesday 1 September 2026"] == others
    assert len(days) == len(others) + len(pages)
