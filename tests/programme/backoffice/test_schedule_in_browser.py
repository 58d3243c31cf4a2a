"""Planning in a browser: in the form, in the list, and what the start page says then."""

from playwright.sync_api import Page, expect

from programme.models import Occasion, ScheduledPublication, Status
from tests.browser import browser, in_a_browser, live_server
from tests.programmes import BARE, DRAFT, utc

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"


def test_a_form_plans_and_takes_the_plan_back(page: Page) -> None:
    Occasion.objects.create(event_id=DRAFT, start=utc(2026, 8, 5, 18), end=utc(2026, 8, 5, 19))
    page.goto(f"{EVENTS}{DRAFT}/change/")
    expect(page.locator(".submit-row .help")).to_have_count(0)
    page.get_by_text("Publish later").click()
    page.fill("[name=due_day]", "2026-07-31")
    page.fill("[name=due_time]", "9")
    page.get_by_role("button", name="Publish later").first.click()
    expect(page.locator(".messagelist .success")).to_contain_text("is published Fri 2026-07-31 09:00.")
    plan = ScheduledPublication.objects.get()
    assert (plan.event_id, plan.status, plan.due) == (DRAFT, Status.PUBLISHED, utc(2026, 7, 31, 7))
    page.goto("/admin/")
    page.locator("[aria-labelledby=waiting] a").click()
    expect(page.locator("[name=due_time]")).to_have_value("09:00")
    expect(page.locator("[name=due_time]")).to_be_visible()
    page.get_by_role("button", name="Remove the plan").first.click()
    expect(page.locator(".messagelist .success")).to_contain_text("nothing is planned any more.")
    assert not ScheduledPublication.objects.exists()


def test_a_list_asks_when_and_shows_what_waits(page: Page) -> None:
    page.goto(EVENTS)
    for event in (DRAFT, BARE):
        page.locator(f".action-select[value='{event}']").check()
    page.select_option("[name=action]", "withdraw_at")
    page.locator("button[name=index]").click()
    expect(page.get_by_role("heading", name="When?")).to_be_visible()
    page.locator("[type=submit].default").click()
    # Nothing was planned, and nothing is.
    expect(page.locator(".messagelist")).to_contain_text("Nothing had to be changed.")
    page.locator(f".action-select[value='{BARE}']").check()
    page.select_option("[name=action]", "withdraw_at")
    page.locator("button[name=index]").click()
    page.fill("[name=due_day]", "2026-07-31")
    page.locator("[type=submit].default").click()
    expect(page.locator(".errorlist")).to_have_text("Choose both a day and a time.")
    page.fill("[name=due_time]", "9")
    page.locator("[type=submit].default").click()
    expect(page.locator(".messagelist .success")).to_contain_text(
        "1 event: is withdrawn Fri 2026-07-31 09:00."
    )
    expect(page.locator(f"tr:has([value='{BARE}']) .field-state")).to_have_text(
        "published, is withdrawn Fri 2026-07-31 09:00"
    )


def test_a_published_form_says_that_readers_see_changes(page: Page) -> None:
    page.goto(f"{EVENTS}{BARE}/change/")
    expect(page.locator(".submit-row .help").last).to_have_text("Readers see changes at once.")
    page.goto("/admin/programme/area/1001/change/")
    expect(page.locator(".submit-row .help").last).to_have_text("Readers see changes at once.")
