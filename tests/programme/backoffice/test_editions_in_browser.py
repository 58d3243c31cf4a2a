"""The edition that an editor works in, chosen in the header."""

from datetime import date

from playwright.sync_api import Page, expect

from programme.models import Edition
from tests.browser import browser, in_a_browser, live_server

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser


def test_choosing_an_edition_shows_the_page_anew(page: Page, site: str) -> None:
    for year in (2025, 2026):
        days = {"first_day": date(year, 1, 1), "last_day": date(year, 12, 31)}
        Edition.objects.create(slug=str(year), name_sv=f"Natten {year}", **days)
    page.goto(f"{site}/admin/programme/occasion/?o=2")
    chosen = page.get_by_label("Edition", exact=True)
    expect(chosen).to_have_value(str(Edition.objects.get(slug="2025").pk))
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    chosen.select_option("Natten 2026")
    expect(page.locator("#result_list tbody tr")).not_to_have_count(1)
    assert page.url == f"{site}/admin/programme/occasion/?o=2"
    expect(page.get_by_label("Edition", exact=True).locator("option:checked")).to_have_text("Natten 2026")
