"""A change of many, its message, and undoing it, in a real browser."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from programme.models import Event, Occasion
from tests.browser import DESKTOP, PHONE, barriers, browser, in_a_browser, live_server, signed_in, thorough
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.changes.pages import CHANGES, write
from tests.programmes import JAZZ, NIGHT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

# The folder of screenshots, for looking at them.
PICTURES = os.environ.get("PICTURES", "")


@pytest.fixture
def site(transactional_db: None, sample: None, at: SetClock, live_server: Any) -> str:
    return str(live_server.url)


def test_a_change_of_many_is_undone_from_its_message(browser: Browser, site: str, anna: User) -> None:
    context = signed_in(browser, site, anna, locale="en")
    page = context.new_page()
    address = f"{site}/en/occasion/8001"
    before = page.request.get(address)
    assert before.status == 200
    page.goto(f"{site}/admin/programme/event/")
    for key in (JAZZ, NIGHT):
        page.locator(f'input[name="_selected_action"][value="{key}"]').check()
    page.select_option("select[name=action]", "withdraw")
    page.locator(".actions button").click()
    message = page.locator(".messagelist li").first
    expect(message).to_contain_text("2 events were withdrawn.")
    assert page.request.get(address).status == 410
    message.get_by_role("link", name="Undo").click()
    expect(page.locator(".summary h2")).to_have_text("Withdrew 2 events")
    expect(page.locator(".rows > li")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".messagelist")).to_contain_text("Undone: 2 rows are as before.")
    expect(page.locator("h1")).to_have_text("Undid: Withdrew 2 events")
    # But for when it was last changed.
    changed = r"<time[^>]*>\w+day \d+ \w+ \d{4}, \d\d:\d\d</time>"
    assert re.sub(changed, "", page.request.get(address).text()) == re.sub(changed, "", before.text())
    # And again, from the message about that.
    page.locator(".messagelist").get_by_role("link", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("h1")).to_have_text("Did again: Withdrew 2 events")
    assert page.request.get(address).status == 410
    context.close()


@pytest.mark.parametrize("screen", [(DESKTOP, "light", "en"), *thorough((PHONE, "dark", "sv-SE"))])
def test_nobody_is_kept_out_and_it_fits(browser: Browser, site: str, anna: User, screen: Any) -> None:
    viewport, scheme, locale = screen

    def change() -> None:
        Event.objects.filter(pk__in=[JAZZ, NIGHT]).mark_changed("Åska", NOW)
        Occasion.objects.filter(event__in=[JAZZ, NIGHT]).update(cancelled=True)

    edit = write(change, anna)
    write(lambda: Event.objects.filter(pk=NIGHT).update(change_info="Regn"), anna)
    context = signed_in(browser, site, anna, viewport=viewport, color_scheme=scheme, locale=locale)
    page = context.new_page()
    for name, address in {
        "changes": CHANGES,
        "change": f"{CHANGES}{edit.pk}/",
        "undo": f"{CHANGES}{edit.pk}/undo/",
    }.items():
        page.goto(f"{site}{address}")
        look_at(page, f"{name}-{scheme}", viewport)
    page.locator("input[name=readers]").last.check()
    page.locator(".submit-row input[type=submit]").click()
    page.wait_for_url("**done=1")
    look_at(page, f"done-{scheme}", viewport)
    context.close()


def look_at(page: Page, name: str, viewport: Any) -> None:
    page.wait_for_load_state("networkidle")
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
