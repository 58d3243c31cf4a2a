"""Failed attempts are limited by address, at each account and altogether, and lock nobody out elsewhere."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from festival.metrics import REGISTRY
from tests.festival.accounts.browsers import ELSEWHERE, HOME, PASSWORD, find_errors, open_browser, sign_in

BLOCKED = ["There were too many failed attempts. Try again in a quarter of an hour."]
WRONG = ["The username and/or password you specified are not correct."]


@pytest.fixture(autouse=True)
def _few_attempts(settings: Settings) -> None:
    """Fewer than in production: the tests take less time."""
    assert settings.ACCOUNT_RATE_LIMITS["login_failed"] == "30/15m/ip,10/15m/key"
    limits = {"login_failed": "6/15m/ip,3/15m/key"}
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | limits


def fail(name: str, times: int, address: str = ELSEWHERE) -> Any:
    """Try a wrong password so often from an address."""
    for _time in range(times):
        response = sign_in(open_browser(address), name, "wrong")
        assert (response.status_code, find_errors(response)) == (200, WRONG)


def test_an_account_is_blocked_where_too_many_failed(anna, hashed):
    fail("anna", 3)
    hashed.clear()
    response = sign_in(open_browser(ELSEWHERE))
    assert (response.status_code, find_errors(response)) == (200, BLOCKED)
    # It costs no hash.
    assert hashed == []


def test_unknown_names_are_answered_alike(anna, hashed):
    fail("anna", 3)
    fail("nobody", 3)
    # Each attempt has taken one hash.
    assert hashed == ["wrong"] * 6
    known, unknown = (sign_in(open_browser(ELSEWHERE), name, "wrong") for name in ("anna", "nobody"))
    assert (known.status_code, find_errors(known)) == (unknown.status_code, find_errors(unknown))


@pytest.mark.parametrize("change", [{"is_staff": False}, {"is_active": False}])
def test_an_account_without_access_is_answered_as_a_wrong_password(anna, hashed, change):
    User.objects.update(**change)
    response = sign_in(open_browser())
    assert (response.status_code, find_errors(response), len(hashed)) == (200, WRONG, 1)


def test_the_account_is_open_again_after_a_quarter(anna, clock):
    fail("anna", 3)
    clock.shift(899)
    assert find_errors(sign_in(open_browser(ELSEWHERE))) == BLOCKED
    clock.shift(1)
    assert sign_in(open_browser(ELSEWHERE)).status_code == 302


def test_nobody_is_locked_out_elsewhere(anna):
    fail("anna", 3)
    assert sign_in(open_browser(HOME)).status_code == 302


def test_an_ipv6_network_is_one_address(anna):
    fail("anna", 3, "2001:db8:1:2::7")
    assert find_errors(sign_in(open_browser("2001:db8:1:2:abcd::1"))) == BLOCKED
    assert sign_in(open_browser("2001:db8:1:3::7")).status_code == 302


def test_an_address_is_blocked_after_too_many_failures(anna, hashed):
    browser = open_browser(ELSEWHERE)
    for number in range(6):
        assert find_errors(sign_in(browser, f"name{number}", "wrong")) == WRONG
    hashed.clear()
    response = sign_in(browser)
    assert (response.status_code, find_errors(response), hashed) == (200, BLOCKED, [])
    assert sign_in(open_browser(HOME)).status_code == 302


def test_an_address_is_that_behind_the_proxy(anna):
    def through_proxy(address: str) -> Client:
        # What the client writes there itself stands to the left.
        return Client(REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR=f"1.2.3.4, {address}")

    for number in range(6):
        sign_in(through_proxy(ELSEWHERE), f"name{number}", "wrong")
    assert find_errors(sign_in(through_proxy(ELSEWHERE))) != WRONG
    assert sign_in(through_proxy(HOME)).status_code == 302


def count_sign_ins(result: str) -> float:
    return REGISTRY.get_sample_value("festival_sign_ins_total", {"result": result}) or 0


def test_refused_attempts_are_counted(anna):
    fail("anna", 3)
    before = count_sign_ins("refused"), count_sign_ins("failed")
    sign_in(open_browser(ELSEWHERE))
    assert (count_sign_ins("refused"), count_sign_ins("failed")) == (before[0] + 1, before[1])


def test_successes_do_not_count(anna):
    for _time in range(8):
        assert sign_in(open_browser(HOME)).status_code == 302


def change_password(browser: Client, old: str) -> Any:
    new = "Fyra gäss i Linköping 17"
    return browser.post(
        "/admin/password_change/", {"old_password": old, "new_password1": new, "new_password2": new}
    )


def test_a_stolen_session_does_not_guess_the_password(anna, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"reauthenticate": "2/m/user"}
    browser = open_browser()
    sign_in(browser)
    browser.post("/admin/account/confirm/", {"password": "wrong"})
    assert change_password(browser, "wrong").status_code == 200
    assert change_password(browser, PASSWORD).status_code == 429
    assert browser.get("/admin/password_change/").status_code == 200
