"""Choosing on the page of subscriptions, in a real browser: what is chosen is seen at once."""

import re

from playwright.sync_api import expect

from programme import models
from tests.browser import barriers, browser, in_a_browser, live_server
from tests.pages.viewports import both_languages, both_sizes, site, window
from tests.programmes import PARKEN, TORGET

__all__ = ["browser", "live_server", "site", "window"]

pytestmark = in_a_browser


@both_languages
@both_sizes
def test_a_selection_is_seen_at_once(window, site, paths, size):
    _, _, subscribe, _ = paths
    page = window(viewport=size)
    page.goto(f"{site}{subscribe}")
    before = page.locator(".total strong").inner_text()
    page.locator("label.pill", has_text="Ångtorget").click()
    expect(page.locator("#ics")).to_have_value(re.compile("area=%C3%85ngtorget"))
    expect(page.locator(".total strong")).not_to_have_text(before)
    expect(page).to_have_url(f"{site}{subscribe}?area=%C3%85ngtorget")
    expect(page.locator(".twin")).to_have_attribute("href", re.compile(r"\?area=%C3%85ngtorget$"))
    expect(page.locator(".toast")).to_contain_text(page.locator(".total strong").inner_text())
    # It is still the same form, to go on with.
    page.locator("select[name=date]").select_option("2026-07-29")
    expect(page.locator("#ics")).to_have_value(re.compile("date=2026-07-29&area=%C3%85ngtorget"))


@both_languages
@both_sizes
def test_areas_narrow_the_other_choices_at_once(window, site, paths, size):
    kiosk = models.SubArea.objects.create(area_id=PARKEN, name="Kiosken")
    models.Event.objects.filter(area_id=PARKEN).update(sub_area=kiosk)
    models.Event.objects.filter(area_id=TORGET, sub_area=None).update(
        sub_area=models.SubArea.objects.create(area_id=TORGET, name="Trappan")
    )
    page = window(viewport=size)
    page.goto(f"{site}{paths[2]}")
    options = page.locator("select[name=subarea] option")
    expect(options).to_have_text([re.compile("."), "Kiosken", "Scenen", "Trappan"])
    page.locator("label.pill", has_text="Ångtorget").click()
    expect(options).to_have_text([re.compile("."), "Scenen", "Trappan"])
    # What is chosen stays chosen, and who chose it by keyboard stays there.
    page.locator("select[name=subarea]").focus()
    page.locator("select[name=subarea]").select_option("Trappan")
    expect(page.locator("#ics")).to_have_value(re.compile("subarea=Trappan"))
    expect(page.locator("select[name=subarea]")).to_be_focused()
    page.locator("label.pill", has_text="Ångtorget").click()
    page.locator("label.pill", has_text="Parken").click()
    expect(page.locator("#ics")).to_have_value(re.compile(r"area=Parken.*subarea=Trappan"))
    expect(page.locator("select[name=subarea]")).to_have_value("Trappan")
    expect(page.locator(".chips")).to_contain_text("Trappan")


@both_languages
def test_a_name_that_is_typed_is_found_or_suggested(window, site, paths, monkeypatch):
    monkeypatch.setattr("pages.filters.MAX_OPTIONS", 1)
    page = window()
    page.goto(f"{site}{paths[2]}")
    page.locator("input[name=organizer]").fill("jazz")
    page.locator("input[name=organizer]").press("Tab")
    page.locator("#selected .notice a", has_text="Föreningen Jazz").click()
    expect(page.locator("input[name=organizer]")).to_have_value("Föreningen Jazz")
    expect(page.locator("#selected .notice")).to_have_count(0)
    assert barriers(page) == []
