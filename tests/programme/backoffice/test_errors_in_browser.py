"""What was typed is offered again after an error, and the page of the error and the one for signing in say so."""

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from playwright.sync_api import Page, expect

from programme.backoffice.admin.events import EventAdmin
from programme.models import Event
from tests.browser import barriers, in_a_browser
from tests.festival.accounts.browsers import PASSWORD
from tests.programmes import DRAFT

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


def sign_in(phone: Page, name: str) -> None:
    phone.fill("#id_username", name)
    phone.fill("#id_password", PASSWORD)
    phone.click("#login-form [type=submit]")


def test_what_was_typed_is_offered_after_signing_in_again(phone: Page, anna: User) -> None:
    phone.goto(FORM)
    phone.fill("[name=intro_sv]", TYPED)
    # A new password ends the session.
    anna.set_password(PASSWORD)
    anna.save()
    phone.locator("[name=_save]:visible").last.click()
    expect(phone.locator("#typed-is-kept")).to_be_visible()
    assert barriers(phone) == []
    sign_in(phone, "anna")
    phone.locator("[data-use]").click()
    phone.locator("[name=_save]:visible").last.click()
    expect(phone.locator(".messagelist .success")).to_be_visible()
    assert Event.objects.get(pk=DRAFT).intro_sv == TYPED
    # Nothing is left of it.
    phone.context.clear_cookies()
    phone.goto(FORM)
    expect(phone.locator("#login-form")).to_be_visible()
    expect(phone.locator("#typed-is-kept")).to_be_hidden()


def test_nothing_is_saved_in_the_name_of_another(phone: Page) -> None:
    User.objects.create_superuser("bo", password=PASSWORD)
    phone.goto(FORM)
    phone.fill("[name=intro_sv]", TYPED)
    other = phone.context.new_page()
    phone.context.clear_cookies()
    other.goto("/admin/")
    sign_in(other, "bo")
    other.wait_for_url("**/admin/")
    phone.locator("[name=_save]:visible").last.click()
    expect(phone.get_by_role("heading", name="The form is too old")).to_be_visible()
    expect(phone.locator("#typed-is-kept")).to_be_visible()
    assert Event.objects.get(pk=DRAFT).intro_sv != TYPED
