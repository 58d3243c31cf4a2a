"""The error page in a browser: it is not left by mistake, and what was typed is sent again."""

from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from playwright.sync_api import Dialog, Page, expect

from programme.backoffice.admin.events import EventAdmin
from programme.models import Event
from tests.browser import barriers, browser, in_a_browser, live_server
from tests.programmes import DRAFT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

TYPED = "Rad ett\n\n<b>Rad två</b> & “mer”"


def test_what_was_typed_is_held_until_it_is_saved(phone: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: Any, **_named: Any) -> None:
        raise OperationalError from psycopg.OperationalError()

    phone.goto(f"/admin/programme/event/{DRAFT}/change/")
    phone.fill("[name=intro_sv]", TYPED)
    with monkeypatch.context() as away:
        away.setattr(EventAdmin, "save_model", refuse)
        phone.locator("[name=_save]:visible").last.click()
        expect(phone.get_by_role("heading", name="The database does not answer")).to_be_visible()
    assert barriers(phone) == []

    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    phone.on("dialog", stay)
    # Browsers ask only who has touched the page.
    phone.locator("h1").click()
    with phone.expect_event("dialog"):
        phone.locator("#site-name a").click(no_wait_after=True)
    phone.get_by_role("button", name="Try again").click()
    expect(phone.locator(".messagelist")).to_be_visible()
    assert asked == ["beforeunload"]
    assert Event.objects.get(pk=DRAFT).intro_sv == TYPED
