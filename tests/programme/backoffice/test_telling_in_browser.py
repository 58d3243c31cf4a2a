"""Readers are told by default of what a restored version changes, in a browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from programme.models import News, NewsKind, Occasion
from tests.browser import DESKTOP, barriers, browser, in_a_browser, live_server, signed_in
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.restore.history_pages import FORM, HISTORY, save
from tests.programmes import NIGHT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser


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
    save(office, FORM, **{"occasions-0-end_time": "03:30", "tell": "nothing"})
    before = set(News.objects.values_list("pk", flat=True))
    editor.goto(HISTORY)
    editor.locator("a.bring-back").first.click()
    expect(editor.locator("input[name=readers][value=notify]")).to_be_checked()
    assert barriers(editor) == []
    editor.get_by_role("button", name="Restore").click()
    expect(editor.locator(".messagelist")).to_contain_text("The earlier version is restored.")
    moved = News.objects.filter(kind=NewsKind.MOVED, occasion_id__in=Occasion.objects.filter(event=NIGHT))
    assert moved.exclude(pk__in=before).count() == 1
