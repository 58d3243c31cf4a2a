"""A passkey is added in a browser, signs in alone and as the second step, and a cancelled one says so."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from programme.backoffice.roles import Role, assign_role
from tests.browser import browser, in_a_browser, live_server
from tests.festival.accounts.browsers import LOGIN, PASSWORD, TWO_FACTOR

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser
KEY = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
KEY |= {"isUserVerified": True, "automaticPresenceSimulation": True}
SIGN_IN = "#login-form [type=submit]"


@pytest.mark.django_db(transaction=True)
def test_a_passkey_signs_in(browser: Browser, live_server: LiveServer, settings: Settings) -> None:
    settings.BASE_URL = live_server.url
    assign_role(User.objects.create_user("anna", password=PASSWORD, is_staff=True), Role.EDITOR)
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    devices = context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    device = devices.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})["authenticatorId"]
    page.goto(f"{live_server.url}{LOGIN}?next={TWO_FACTOR}webauthn/add/")
    page.fill("#id_username", "anna")
    page.fill("#id_password", PASSWORD)
    page.click(SIGN_IN)
    # Before anything changes, the password is asked for again.
    page.fill("#id_password", PASSWORD)
    page.click("#content .default")
    page.check("#id_passwordless")
    page.click("#mfa_webauthn_add")
    # The recovery codes come first.
    page.wait_for_url(f"**{TWO_FACTOR}recovery-codes/")
    page.goto(f"{live_server.url}{TWO_FACTOR}webauthn/")
    expect(page.locator("#content td").first).to_contain_text("Master key")
    # Alone …
    page.click("#logout-form button")
    page.click("#passkey_login")
    page.wait_for_url("**/admin/")
    # … and after the password.
    page.click("#logout-form button")
    page.fill("#id_username", "anna")
    page.fill("#id_password", PASSWORD)
    page.click(SIGN_IN)
    page.click("#mfa_webauthn_authenticate")
    page.wait_for_url("**/admin/")
    page.click("#logout-form button")
    # Where the device does not know the person, the page says so. Without a device, a Chromium with windows would
    # wait for one in a dialog of its own.
    devices.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    expect(page.locator("#webauthn-error")).to_be_hidden()
    page.click("#passkey_login")
    expect(page.locator("#webauthn-error")).to_be_visible()
    context.close()
