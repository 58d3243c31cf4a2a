"""A session that has ended while a form was written: its editor signs in in a window, and all is saved."""

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from programme.models import Event
from tests.browser import barriers, browser, in_a_browser, live_server, signed_in
from tests.festival.accounts.browsers import PASSWORD, build_code
from tests.programmes import DRAFT, make_sample

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

FORM = f"/admin/programme/event/{DRAFT}/change/"


@pytest.fixture
def editor(
    transactional_db: None, at: Any, live_server: LiveServer, settings: Settings, tmp_path: Any
) -> User:
    settings.BASE_URL, settings.MEDIA_ROOT = live_server.url, tmp_path / "media"
    make_sample()
    return User.objects.create_superuser("anna", password=PASSWORD)


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, editor: User) -> Iterator[Page]:
    context = signed_in(browser, live_server.url, editor, locale="en", base_url=live_server.url)
    # What was loaded half a minute ago asks.
    context.add_init_script("performance.now = () => 30_000")
    yield context.new_page()
    context.close()


def write_and_save(page: Page, tmp_path: Any) -> None:
    """Write into a form and choose a picture, then save when the session has ended."""
    picture = tmp_path / "bild.png"
    Image.new("RGB", (30, 20)).save(picture)
    page.goto(FORM)
    page.fill("#id_title", "Kvällsdopp")
    page.set_input_files("#id_image", picture)
    Session.objects.all().delete()
    page.get_by_role("button", name="Save as draft").first.click()
    page.locator("dialog").wait_for()


def sign_in(page: Page, password: str = PASSWORD, name: str = "anna") -> Page:
    """Sign in in the window that the dialog opens; return the window."""
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Sign in and save").click()
    window = opened.value
    window.fill("#id_username", name)
    window.fill("#id_password", password)
    window.click("#login-form [type=submit]")
    return window


def expect_saved(page: Page, message: str = "Saved: ") -> None:
    expect(page.locator(".messagelist")).to_contain_text(message)
    event = Event.objects.get(pk=DRAFT)
    assert (event.title, bool(event.image)) == ("Kvällsdopp", True)


def test_the_window_is_opened_at_once_or_later(page: Page, tmp_path: Any) -> None:
    write_and_save(page, tmp_path)
    assert barriers(page) == []
    page.get_by_role("button", name="Not now").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.fill("#id_price", "10 kr")
    page.get_by_role("button", name="Publish").first.click()
    sign_in(page)
    expect_saved(page, "Published, and readers see it: ")
    # By the button that was pressed.
    event = Event.objects.get(pk=DRAFT)
    assert (event.price, event.status) == ("10 kr", "published")


def test_a_second_step_is_asked_for_in_the_window(page: Page, tmp_path: Any, editor: User) -> None:
    secret = generate_totp_secret()
    TOTP.activate(editor, secret)
    write_and_save(page, tmp_path)
    window = sign_in(page)
    window.fill("[name=code]", build_code(secret))
    window.click("#content .default")
    expect_saved(page)


def test_nothing_is_saved_in_the_name_of_another(page: Page, tmp_path: Any) -> None:
    User.objects.create_superuser("bo", password=PASSWORD)
    write_and_save(page, tmp_path)
    sign_in(page, name="bo")
    expect(page.locator("dialog")).to_contain_text("Somebody else, bo, has signed in here meanwhile.")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#id_title")).to_have_value("Kvällsdopp")
    assert Event.objects.get(pk=DRAFT).title == "Utkast"


def test_a_new_sign_in_elsewhere_renews_the_token(page: Page) -> None:
    page.goto(FORM)
    page.fill("#id_title", "Kvällsdopp")
    other = page.context.new_page()
    other.goto("/admin/")
    Session.objects.all().delete()
    other.goto("/admin/")
    other.fill("#id_username", "anna")
    other.fill("#id_password", PASSWORD)
    other.click("#login-form [type=submit]")
    other.wait_for_url("**/admin/")
    page.get_by_role("button", name="Save as draft").first.click()
    expect(page.locator(".messagelist")).to_contain_text("Saved: ")
    assert Event.objects.get(pk=DRAFT).title == "Kvällsdopp"


def test_without_an_answer_the_form_is_sent_as_ever(page: Page) -> None:
    page.goto(FORM)
    page.fill("#id_title", "Kvällsdopp")
    page.route("**/account/session/**", lambda route: route.abort())
    page.get_by_role("button", name="Save as draft").first.click()
    expect(page.locator(".messagelist")).to_contain_text("Saved: ")
