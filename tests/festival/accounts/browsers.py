"""What a person does in a browser at the sign-in page."""

import re
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client, TestCase

PASSWORD = "Sju lyktor över kanalen 1932"
LOGIN = "/admin/login/"
TWO_FACTOR = "/admin/account/two-factor/"
# Addresses of documentation; HOME is where anna signs in.
HOME, ELSEWHERE = "192.0.2.7", "198.51.100.9"


def open_browser(address: str = HOME, language: str = "en") -> Client:
    return Client(REMOTE_ADDR=address, HTTP_ACCEPT_LANGUAGE=language)


def sign_in(browser: Client, name: str = "anna", password: str = PASSWORD, **more: Any) -> Any:
    return browser.post(LOGIN, {"username": name, "password": password, **more})


def find_errors(response: Any) -> list[str]:
    """Return the errors that the page shows."""
    return re.findall(r'class="errornote" role="alert">\s*(.*?)\s*</p>', response.content.decode())


def is_signed_in(browser: Client) -> bool:
    return browser.get("/admin/").status_code == 200


def build_code(secret: str) -> str:
    """Return what an authenticator app shows now."""
    _before, now, _after = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, now))


def set_up_app(browser: Client) -> str:
    """Set up an authenticator app as a signed-in user who confirms the password; return its secret."""
    browser.post("/admin/account/confirm/", {"password": PASSWORD})
    secret: str = browser.get(f"{TWO_FACTOR}totp/activate/").context["form"].secret
    with TestCase.captureOnCommitCallbacks(execute=True):
        response = browser.post(f"{TWO_FACTOR}totp/activate/", {"code": build_code(secret)})
    assert response["Location"] == f"{TWO_FACTOR}recovery-codes/"
    return secret
