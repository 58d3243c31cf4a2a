"""The browser asks before unsaved input is lost, and only then."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, BrowserContext, Dialog, Page

from programme.backoffice.roles import Role, assign_role
from programme.models import Event
from tests.browser import browser, in_a_browser, live_server, signed_in
from tests.programmes import JAZZ, TORGET

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

FORMS = [f"event/{JAZZ}", f"area/{TORGET}"]
FIRST_TEXT = "#content-main form input[type=text]:visible, #content-main form textarea:visible"


@pytest.fixture
def site(transactional_db: None, sample: None, at: Any, live_server: Any) -> str:
    # Nothing is fetched from afar.
    Event.objects.update(image_url="")
    return f"{live_server.url}/admin/"


def window(browser: Browser, site: str, user: User) -> BrowserContext:
    return signed_in(browser, site, user, locale="en")


@pytest.fixture
def page(browser: Browser, site: str, anna: User) -> Iterator[Page]:
    context = window(browser, site, anna)
    yield context.new_page()
    context.close()


def is_warned(page: Page, url: str) -> bool:
    """Return whether the editor is asked before leaving for an address, and then leaves."""
    found: list[str] = []

    def answer(dialog: Dialog) -> None:
        found.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.goto(url)
    page.remove_listener("dialog", answer)
    return found == ["beforeunload"]


@pytest.mark.parametrize("form", FORMS)
def test_leaving_asks_once_something_was_typed(page: Page, site: str, form: str) -> None:
    page.goto(f"{site}programme/{form}/change/")
    field = page.locator(FIRST_TEXT).first
    before = field.input_value()
    field.fill(f"{before}!")
    field.fill(before)
    assert not is_warned(page, site)
    page.goto(f"{site}programme/{form}/change/")
    field.fill(f"{before}!")
    assert is_warned(page, site)


def test_who_may_only_read_is_not_asked(browser: Browser, site: str) -> None:
    reader = User.objects.create_user("reader", is_staff=True)
    assign_role(reader, Role.AREA_EDITOR)
    page = window(browser, site, reader).new_page()
    page.goto(f"{site}programme/event/{JAZZ}/change/")
    page.locator(".only-read").click()
    assert not is_warned(page, site)
    page.context.close()


def test_a_new_row_and_what_was_refused_are_typed_too(page: Page, site: str) -> None:
    page.goto(f"{site}programme/event/{JAZZ}/change/")
    page.locator("#occasions-group .add-row a").click()
    assert is_warned(page, site)
    page.goto(f"{site}programme/event/add/")
    page.fill("#id_title", "Jazz")
    page.get_by_role("button", name="Save as draft").last.click()
    page.locator(".errornote").wait_for()
    page.locator("#id_title").click()
    assert is_warned(page, site)


def test_saving_and_looking_at_a_preview_do_not_ask_and_typing_goes_on_to_count(
    page: Page, site: str
) -> None:
    questions: list[str] = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.goto(f"{site}programme/event/{JAZZ}/change/")
    page.fill("#id_title", "Soul")
    with page.context.expect_page() as preview:
        page.get_by_role("button", name="Preview").first.click()
    preview.value.close()
    page.goto(site)
    assert questions == ["beforeunload"]
    page.goto(f"{site}programme/event/{JAZZ}/change/")
    page.fill("#id_title", "Soul")
    page.get_by_role("button", name="Save", exact=True).first.click()
    page.locator(".messagelist .success").wait_for()
    assert questions == ["beforeunload"]
    assert Event.objects.get(pk=JAZZ).title == "Soul"


def test_the_page_with_both_versions_asks_unless_one_drops_ones_own(page: Page, site: str) -> None:
    def meet() -> None:
        page.goto(f"{site}programme/event/{JAZZ}/change/")
        page.fill("#id_title", "Mine")
        Event.objects.filter(pk=JAZZ).update(title=f"{Event.objects.get(pk=JAZZ).title} and theirs")
        page.get_by_role("button", name="Save", exact=True).first.click()
        page.locator(".meeting").wait_for()
        page.locator(".meeting input[value=mine]").first.click()

    meet()
    assert is_warned(page, site)
    meet()
    questions: list[str] = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.get_by_role("link", name="Keep theirs, drop mine").click()
    page.locator("#id_title").wait_for()
    assert questions == []
