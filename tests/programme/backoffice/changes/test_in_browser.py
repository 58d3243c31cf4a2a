"""A change of many, its message, and undoing it, in a real browser."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.browser import PHONE, barriers, in_a_browser, signed_in
from tests.conftest import SetClock
from tests.programmes import JAZZ, NIGHT

pytestmark = in_a_browser


@pytest.fixture
def site(transactional_db: None, sample: None, at: SetClock, live_server: Any) -> str:
    return str(live_server.url)


def test_a_change_of_many_is_undone_from_its_message(browser: Browser, site: str, anna: User) -> None:
    context = signed_in(browser, site, anna, viewport=PHONE, color_scheme="dark", locale="en")
    page = context.new_page()
    address = f"{site}/en/occasion/8001"
    before = page.request.get(address)
    assert before.status == 200
    page.goto(f"{site}/admin/programme/event/")
    for key in (JAZZ, NIGHT):
        page.locator(f'input[name="_selected_action"][value="{key}"]').check()
    page.select_option("select[name=action]", "withdraw")
    page.locator(".actions button").click()
    page.get_by_role("button", name="Yes, with all 2").click()
    message = page.locator(".messagelist li").first
    expect(message).to_contain_text("Withdrew events: 2.")
    assert page.request.get(address).status == 410
    message.get_by_role("link", name="Undo").click()
    expect(page.locator("h1")).to_have_text(re.compile(r"^Undo: Withdrew 2 events, today \d\d:\d\d$"))
    expect(page.locator(".rows > li")).to_have_count(2)
    look_at(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".messagelist")).to_contain_text("Undone: 2 rows are as before.")
    expect(page.locator("h1")).to_have_text("Undid: Withdrew 2 events")
    look_at(page)
    # But for when it was last changed.
    changed = r"<time[^>]*>\w+day \d+ \w+ \d{4}, \d\d:\d\d</time>"
    assert re.sub(changed, "", page.request.get(address).text()) == re.sub(changed, "", before.text())
    # And again, from the message about that.
    page.locator(".messagelist").get_by_role("link", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("h1")).to_have_text("Did again: Withdrew 2 events")
    page.goto(f"{site}/admin/changes/")
    look_at(page)
    assert page.request.get(address).status == 410
    context.close()


def look_at(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
