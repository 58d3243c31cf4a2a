"""What was typed is offered again after an error, and the page of the error and the one for signing in say so."""

import psycopg
import pytest
from django.db import OperationalError
from playwright.sync_api import Page, expect

from programme.backoffice.admin.events import EventAdmin
from programme.models import Event
from tests.browser import barriers, browser, in_a_browser, live_server
from tests.programmes import DRAFT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

TYPED = "Rad ett\n\n<b>Rad två</b> & “mer”"
FORM = f"/admin/programme/event/{DRAFT}/change/"


def test_what_was_typed_is_offered_after_an_error(phone: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_named: object) -> None:
        raise OperationalError from psycopg.OperationalError()

    phone.goto(FORM)
    phone.fill("[name=intro_sv]", TYPED)
    with monkeypatch.context() as away:
        away.setattr(EventAdmin, "save_model", refuse)
        phone.locator("[name=_save]:visible").last.click()
        expect(phone.get_by_role("heading", name="Nothing can be shown or saved")).to_be_visible()
    expect(phone.locator("#typed-is-kept")).to_be_visible()
    assert barriers(phone) == []
    phone.get_by_role("link", name="Open the page again").click()
    phone.locator("[data-use]").click()
    expect(phone.locator("[name=intro_sv]")).to_have_value(TYPED)
    phone.locator("[name=_save]:visible").last.click()
    expect(phone.locator(".messagelist .success")).to_be_visible()
    assert Event.objects.get(pk=DRAFT).intro_sv == TYPED


def test_the_page_for_signing_in_says_that_it_is_kept(phone: Page) -> None:
    phone.goto(FORM)
    phone.fill("[name=intro_sv]", TYPED)
    phone.context.clear_cookies()
    phone.on("dialog", lambda dialog: dialog.accept())
    phone.goto(FORM)
    expect(phone.locator("#login-form")).to_be_visible()
    expect(phone.locator("#typed-is-kept")).to_be_visible()
    assert barriers(phone) == []
    phone.evaluate("localStorage.clear()")
    phone.reload()
    expect(phone.locator("#typed-is-kept")).to_be_hidden()
