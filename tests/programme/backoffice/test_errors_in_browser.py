"""The error page in a browser: it is not left by mistake, and what was typed is sent again."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from playwright.sync_api import Dialog, Page, expect

from programme.backoffice.admin.events import EventAdmin
from programme.models import Event
from tests.browser import PHONE, barriers, browser, in_a_browser, live_server, signed_in
from tests.programmes import DRAFT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

TYPED = "Rad ett\n\n<b>Rad två</b> & “mer”"


@pytest.fixture
def festival(transactional_db: None, sample: None, at: Any) -> None:
    """The sample, which the server's thread sees too."""


@pytest.fixture
def page(festival: None, browser: Any, live_server: Any, anna: Any) -> Iterator[Page]:
    context = signed_in(browser, live_server.url, anna, viewport=PHONE, base_url=live_server.url)
    yield context.new_page()
    context.close()


def test_what_was_typed_is_held_until_it_is_saved(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: Any, **_named: Any) -> None:
        raise OperationalError from psycopg.OperationalError()

    page.goto(f"/admin/programme/event/{DRAFT}/change/")
    page.fill("[name=intro_sv]", TYPED)
    with monkeypatch.context() as away:
        away.setattr(EventAdmin, "save_model", refuse)
        page.locator("[name=_save]:visible").last.click()
        expect(page.get_by_role("heading", name="Databasen svarar inte")).to_be_visible()
    assert barriers(page) == []

    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    # Browsers ask only who has touched the page.
    page.locator("h1").click()
    with page.expect_event("dialog"):
        page.locator("#site-name a").click(no_wait_after=True)
    page.get_by_role("button", name="Försök igen").click()
    expect(page.locator(".messagelist")).to_be_visible()
    assert asked == ["beforeunload"]
    assert Event.objects.get(pk=DRAFT).intro_sv == TYPED
