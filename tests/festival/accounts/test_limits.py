"""Failed attempts are limited by address and by account, and lock nobody out where they have signed in before."""

from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

from festival.accounts.models import AccountEvent, Kind
from festival.metrics import REGISTRY
from tests.festival.accounts.browsers import (
    ELSEWHERE,
    HOME,
    PASSWORD,
    find_errors,
    open_browser,
    sign_in,
)

# Fifteen minutes after 14:00 in Stockholm.
ACCOUNT_BLOCKED = [
    "There were too many failed attempts to sign in with this username. Try again after 14:15, reset the "
    "password by e-mail, or ask an administrator to unlock the account."
]
ADDRESS_BLOCKED = [
    "There were too many failed attempts to sign in from your network. Try again after 14:15. If it is "
    "urgent, use another network, such as your phone’s."
]
SWEDISH = [
    "Det har gjorts för många misslyckade försök att logga in med det här användarnamnet. Försök igen efter "
    "14:15, välj ett nytt lösenord via e-post, eller be en administratör att låsa upp kontot."
]
WRONG = ["The username or the password is wrong."]


@pytest.fixture(autouse=True)
def _few_attempts(settings: Settings) -> None:
    """Fewer than in production: the tests take less time."""
    assert settings.ACCOUNT_RATE_LIMITS["sign_in_from_address"] == "30/15m/ip"
    assert settings.ACCOUNT_RATE_LIMITS["sign_in_to_account"] == "10/15m/key"
    limits = {"sign_in_from_address": "6/15m/ip", "sign_in_to_account": "3/15m/key"}
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | limits
    settings.HAS_EMAIL = True


def fail(name: str, times: int, network: str = "203.0.113.{}") -> Any:
    """Try a wrong password so often, each time from another address."""
    for number in range(times):
        response = sign_in(open_browser(network.format(number)), name, "wrong")
        assert (response.status_code, find_errors(response)) == (200, WRONG)


def test_an_account_is_blocked_after_too_many_failures(anna: User, hashed: list[str]) -> None:
    fail("anna", 3)
    hashed.clear()
    response = sign_in(open_browser(ELSEWHERE))
    assert (response.status_code, response["Retry-After"]) == (429, "900")
    assert find_errors(response) == ACCOUNT_BLOCKED
    assert find_errors(sign_in(open_browser(ELSEWHERE, "sv"))) == SWEDISH
    # It costs no hash.
    assert hashed == []


@pytest.mark.usefixtures("anna")
def test_a_service_without_e_mail_does_not_offer_it(settings: Settings) -> None:
    settings.HAS_EMAIL = False
    fail("anna", 3)
    assert find_errors(sign_in(open_browser(ELSEWHERE))) == [
        "There were too many failed attempts to sign in with this username. Try again after 14:15, or ask an "
        "administrator to unlock the account."
    ]


def test_unknown_names_are_answered_alike(anna: User, hashed: list[str]) -> None:
    fail("anna", 3)
    fail("nobody", 3, "203.0.113.1{}")
    # Each attempt has taken one hash.
    assert hashed == ["wrong"] * 6
    known, unknown = (sign_in(open_browser(ELSEWHERE), name, "wrong") for name in ("anna", "nobody"))
    assert (known.status_code, find_errors(known)) == (unknown.status_code, find_errors(unknown))


@pytest.mark.parametrize("change", [{"is_staff": False}, {"is_active": False}])
def test_an_account_without_access_is_answered_as_a_wrong_password(
    anna: User, hashed: list[str], change: dict[str, bool]
) -> None:
    User.objects.update(**change)
    response = sign_in(open_browser())
    assert (response.status_code, find_errors(response), len(hashed)) == (200, WRONG, 1)


def test_the_account_is_open_again_after_a_quarter(anna: User, clock: time_machine.Traveller) -> None:
    fail("anna", 3)
    clock.shift(899)
    assert sign_in(open_browser(ELSEWHERE)).status_code == 429
    clock.shift(1)
    assert sign_in(open_browser(ELSEWHERE)).status_code == 302


def test_who_has_signed_in_there_before_is_not_locked_out(anna: User) -> None:
    sign_in(open_browser(HOME))
    fail("anna", 3)
    assert sign_in(open_browser(ELSEWHERE)).status_code == 429
    assert sign_in(open_browser(HOME)).status_code == 302
    # Nor does it help somebody there to guess on.
    fail("anna", 3, HOME)
    assert sign_in(open_browser(HOME)).status_code == 429


def test_a_known_ipv6_network_is_known_as_a_whole(anna: User) -> None:
    sign_in(open_browser("2001:db8:1:2::7"))
    fail("anna", 3)
    assert sign_in(open_browser("2001:db8:1:2:abcd::1")).status_code == 302
    assert sign_in(open_browser("2001:db8:1:3::7")).status_code == 429


def test_an_address_is_blocked_after_too_many_failures(anna: User, hashed: list[str]) -> None:
    browser = open_browser(ELSEWHERE)
    for number in range(6):
        assert find_errors(sign_in(browser, f"name{number}", "wrong")) == WRONG
    hashed.clear()
    response = sign_in(browser)
    assert (response.status_code, find_errors(response), hashed) == (429, ADDRESS_BLOCKED, [])
    assert sign_in(open_browser(HOME)).status_code == 302


def test_an_address_is_that_behind_the_proxy(anna: User) -> None:
    def through_proxy(address: str) -> Client:
        # What the client writes there itself stands to the left.
        return Client(REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR=f"1.2.3.4, {address}")

    for number in range(6):
        sign_in(through_proxy(ELSEWHERE), f"name{number}", "wrong")
    assert sign_in(through_proxy(ELSEWHERE)).status_code == 429
    assert sign_in(through_proxy(HOME)).status_code == 302


def count_sign_ins(result: str) -> float:
    return REGISTRY.get_sample_value("festival_sign_ins_total", {"result": result}) or 0


def test_refused_attempts_are_counted(anna: User) -> None:
    fail("anna", 3)
    before = count_sign_ins("refused"), count_sign_ins("failed")
    sign_in(open_browser(ELSEWHERE))
    assert (count_sign_ins("refused"), count_sign_ins("failed")) == (before[0] + 1, before[1])


def test_successes_do_not_count(anna: User) -> None:
    for _time in range(8):
        assert sign_in(open_browser(HOME)).status_code == 302


def test_being_blocked_is_logged_once(anna: User) -> None:
    fail("anna", 3)
    for _time in range(5):
        sign_in(open_browser(ELSEWHERE))
    [event] = AccountEvent.objects.filter(kind=Kind.BLOCKED)
    assert (event.account, event.name, event.address) == (anna, "anna", ELSEWHERE)


def test_the_command_unlocks(anna: User) -> None:
    fail("anna", 3)
    call_command("user", "unlock", "anna")
    assert sign_in(open_browser(ELSEWHERE)).status_code == 302
    assert AccountEvent.objects.filter(kind=Kind.UNLOCKED, account=anna).count() == 1


def test_an_administrator_sees_it_and_unlocks(anna: User, admin_client: Client) -> None:
    page = f"/admin/auth/user/{anna.pk}/sign-in/"
    assert admin_client.get(page).context["is_locked"] is False
    fail("anna", 3)
    assert admin_client.get(page).context["is_locked"] is True
    assert admin_client.post(page, {"do": "unlock"}).status_code == 302
    assert admin_client.get(page).context["is_locked"] is False
    assert sign_in(open_browser(ELSEWHERE)).status_code == 302
    assert AccountEvent.objects.get(kind=Kind.UNLOCKED).by == "admin"


def test_a_new_password_unlocks(anna: User) -> None:
    fail("anna", 3)
    anna.set_password("Fyra gäss i Linköping 17")
    anna.save()
    assert sign_in(open_browser(ELSEWHERE), password="Fyra gäss i Linköping 17").status_code == 302


def change_password(browser: Client, old: str) -> Any:
    new = "Fyra gäss i Linköping 17"
    return browser.post(
        "/admin/password_change/", {"old_password": old, "new_password1": new, "new_password2": new}
    )


def test_a_stolen_session_does_not_guess_the_password(anna: User, clock: time_machine.Traveller) -> None:
    browser = open_browser()
    sign_in(browser)
    for _time in range(3):
        wrong = change_password(browser, "wrong")
        assert "Your old password was entered incorrectly" in wrong.content.decode()
    # Not even the right one, there or on the page that asks for it, and some minutes later.
    clock.shift(120)
    for refused in (
        change_password(browser, PASSWORD),
        browser.post("/admin/account/confirm/", {"password": PASSWORD}),
    ):
        assert "There were too many failed attempts" in refused.content.decode()
    clock.shift(900)
    assert change_password(browser, PASSWORD)["Location"] == "/admin/password_change/done/"


def test_changing_and_confirming_a_password_are_counted_together(anna: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"reauthenticate": "2/m/user"}
    browser = open_browser()
    sign_in(browser)
    browser.post("/admin/account/confirm/", {"password": "wrong"})
    assert change_password(browser, "wrong").status_code == 200
    assert change_password(browser, PASSWORD).status_code == 429
    assert browser.get("/admin/password_change/").status_code == 200
