"""Planning in a browser: in the form, in the list, and what the start page says then."""

from datetime import date

from playwright.sync_api import Page, expect

from programme.models import Edition, Occasion, ScheduledPublication, Status
from tests.browser import barriers_in_both_widths, in_a_browser
from tests.programmes import DRAFT, utc

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"


def test_a_form_plans_and_takes_the_plan_back(page: Page) -> None:
    Occasion.objects.create(event_id=DRAFT, start=utc(2026, 7, 31, 18), end=utc(2026, 7, 31, 19))
    page.goto(f"{EVENTS}{DRAFT}/change/")
    page.locator("label", has_text="Published …").click()
    page.fill("[name=due_day]", "2026-07-31")
    page.fill("[name=due_time]", "9")
    page.get_by_role("button", name="Publish Fri 31 Jul 09:00").click()
    expect(page.locator(".messagelist .success")).to_contain_text("is published Fri 31 Jul 09:00.")
    plan = ScheduledPublication.objects.get()
    assert (plan.event_id, plan.status, plan.due) == (DRAFT, Status.PUBLISHED, utc(2026, 7, 31, 7))
    page.goto("/admin/")
    page.locator("[aria-labelledby=waiting] a").click()
    expect(page.locator("[name=due_time]")).to_have_value("09:00")
    expect(page.locator("[name=due_time]")).to_be_visible()
    page.locator("label", has_text="Draft").click()
    page.locator("[name=_save]").click()
    expect(page.locator(".messagelist .success")).to_contain_text("nothing is planned any more.")
    assert not ScheduledPublication.objects.exists()


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


# What they write and undo: merging/test_views.py and next_edition/test_views.py.
def test_pages_of_plans_have_no_barriers(page: Page, site: str) -> None:
    Edition.objects.create(
        pk=1, slug="2026", name_sv="Natten", first_day=date(2026, 7, 29), last_day=date(2026, 8, 1)
    )
    for address in ("merge/location/?row=5001&row=5002", "programme/edition/1/next/"):
        page.goto(f"{site}/admin/{address}")
        assert barriers_in_both_widths(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
