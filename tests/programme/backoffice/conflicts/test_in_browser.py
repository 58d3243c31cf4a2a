"""Two editors of one event: what the other has deleted is saved nevertheless."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from programme.models import Event
from tests.browser import barriers, browser, in_a_browser, live_server, signed_in
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

FORM = f"/admin/programme/event/{JAZZ}/change/"


@pytest.fixture
def open_as(  # noqa: PLR0917 - fixtures
    transactional_db: None, sample: None, browser: Browser, live_server: Any, settings: Any, tmp_path: Any
) -> Iterator[Callable[[str], Page]]:
    """Open the event's form in a window of a user."""
    settings.MEDIA_ROOT = tmp_path / "media"
    Event.objects.update(image_url="")
    contexts = []

    def open_form(name: str) -> Page:
        user = User.objects.create_superuser(name, first_name=name.capitalize())
        context = signed_in(browser, live_server.url, user, locale="en", base_url=live_server.url)
        contexts.append(context)
        # The server shares the test's connection: what asks by itself would meet what the test deletes.
        context.route("**/event/warnings/**", lambda route: route.abort())
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(FORM)
        return page

    yield open_form
    for context in contexts:
        context.close()


def test_what_another_has_deleted_is_restored_with_what_was_typed(
    open_as: Callable[[str], Page], tmp_path: Any
) -> None:
    page = open_as("anna")
    page.fill("#id_title", "Kvällsdopp")
    rows = Event.objects.get(pk=JAZZ).occasions.count()
    page.locator("#occasions-group .add-row a").click()
    for name, value in {"day": "2026-07-31", "start_time": "20:00", "end_time": "2 h"}.items():
        page.fill(f"#id_occasions-{rows}-{name}", value)
    Event.objects.get(pk=JAZZ).delete()
    page.get_by_role("button", name="Save", exact=True).first.click()
    assert barriers(page) == []
    page.get_by_role("button", name="Restore it and save yours").click()
    expect(page.locator(".messagelist")).to_contain_text("The earlier version is restored.")
    event = Event.objects.get(pk=JAZZ)
    assert event.title == "Kvällsdopp"
    assert event.occasions.count() == rows + 1
