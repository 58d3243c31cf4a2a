"""Planning in a browser: in the form, in the list, and what the start page says then."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from programme.models import Edition, ListItem, News, NewsKind, Occasion, ScheduledPublication, Status
from tests.browser import DESKTOP, barriers, in_a_browser, signed_in
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.restore.history_pages import FORM, HISTORY, save
from tests.programmes import BARE, DRAFT, NIGHT, make_lists, utc

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


def test_a_tick_puts_an_event_on_a_list_at_once_and_what_was_typed_stays(page: Page, site: str) -> None:
    make_lists()
    page.goto(f"{site}/admin/programme/event/{NIGHT}/change/")
    page.get_by_label("Title:").fill("Another night")
    group = page.get_by_role("group", name="The whole event")
    box = group.get_by_role("checkbox", name="För familjer")
    expect(box).not_to_be_checked()
    with page.expect_response("**/lists/pick/") as answer:
        box.check()
    assert answer.value.status == 204
    assert ListItem.objects.filter(on_list=12, event=NIGHT).exists()
    expect(page.get_by_label("Title:")).to_have_value("Another night")
    assert barriers(page) == []
    # The service is away: the box says what holds.
    page.route("**/lists/pick/", lambda route: route.abort())
    box.click()
    expect(page.locator("#picking [role=status]")).to_have_text("It could not be saved. Try again.")
    expect(box).to_be_checked()


@pytest.fixture
def editor(  # noqa: PLR0917 - fixtures
    transactional_db: None, sample: None, at: SetClock, browser: Browser, live_server: Any, anna: User
) -> Iterator[Page]:
    at(NOW)
    options = {"viewport": DESKTOP, "locale": "en-GB", "base_url": live_server.url}
    page = signed_in(browser, live_server.url, anna, **options).new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    yield page
    page.context.close()


def test_a_restored_version_tells_of_its_time(editor: Page, anna: User) -> None:
    office = Client()
    office.force_login(anna)
    save(office, FORM, **{"occasions-0-end_time": "03:30", "tell": "no"})
    before = set(News.objects.values_list("pk", flat=True))
    editor.goto(HISTORY)
    editor.locator("a.bring-back").first.click()
    expect(editor.locator("input[name=tell][value=yes]")).to_be_checked()
    assert barriers(editor) == []
    editor.get_by_role("button", name="Restore").click()
    expect(editor.locator(".messagelist")).to_contain_text("The earlier version is restored.")
    moved = News.objects.filter(kind=NewsKind.MOVED, occasion_id__in=Occasion.objects.filter(event=NIGHT))
    assert moved.exclude(pk__in=before).count() == 1
