"""From an edition's form to the drafts of the next one, and back: it is undone as one change."""

import datetime as dt

import pytest
from playwright.sync_api import Page, expect

from programme.models import Edition, Event
from tests.browser import barriers_in_both_widths, in_a_browser

pytestmark = in_a_browser


@pytest.fixture
def edition(site: str) -> Edition:
    days = {"first_day": dt.date(2026, 7, 29), "last_day": dt.date(2026, 8, 1)}
    return Edition.objects.create(slug="2026", name_sv="Natten 2026", name_en="Night 2026", **days)


def test_the_next_edition_is_shown_made_and_undone(page: Page, site: str, edition: Edition) -> None:
    page.goto(f"{site}/admin/programme/edition/{edition.pk}/change/")
    page.get_by_role("link", name="Next edition").click()
    expect(page.get_by_label("First day", exact=True)).to_have_value("2027-07-28")
    page.get_by_label("the published ones, as drafts").check()
    page.get_by_label("Name in English").press("Enter")
    expect(page.locator(".summary")).to_contain_text("6 events, as drafts")
    assert barriers_in_both_widths(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert Edition.objects.count() == 1
    page.get_by_role("button", name="Make the edition").click()
    expect(page.locator(".messagelist")).to_contain_text("Natten 2027 is prepared. Drafts: 6.")
    # That of the former edition is not among them.
    expect(page.locator("#result_list tbody tr")).to_have_count(6)
    page.locator(".messagelist a.undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    assert not Event.objects.filter(occasions__start__year=2027, occasions__start__month=7).exists()
    assert Edition.objects.get() == edition
