"""A second step: asked for by every way in, a must for some, and removed by an administrator when lost."""

import json
import re
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User

from festival.accounts.links import build_link
from festival.accounts.log import read_lines
from programme.backoffice.roles import Role, assign_role
from tests.festival.accounts import browsers

STEP = f"{browsers.TWO_FACTOR}authenticate/"


@pytest.fixture
def secret(anna: User, clock: time_machine.Traveller) -> str:
    """The secret of anna's authenticator app."""
    browser = browsers.open_browser()
    browsers.sign_in(browser)
    found = browsers.set_up_app(browser)
    clock.shift(60)
    return found


def codes_of(user: User) -> list[str]:
    found: list[str] = Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()
    return found


def test_the_code_is_asked_for_after_the_password(secret, clock):
    browser = browsers.open_browser()
    assert browsers.sign_in(browser)["Location"] == STEP
    assert not browsers.is_signed_in(browser)
    # The sign-in page leads back to it.
    assert browser.get(browsers.LOGIN)["Location"] == STEP
    wrong = browser.post(STEP, {"code": "000000"})
    assert (wrong.status_code, wrong.context["form"].errors["code"]) == (200, ["Incorrect code."])
    assert not browsers.is_signed_in(browser)
    code = browsers.build_code(secret)
    assert browser.post(STEP, {"code": code})["Location"] == "/admin/"
    assert browsers.is_signed_in(browser)
    # A code works once.
    another = browsers.open_browser()
    browsers.sign_in(another)
    assert another.post(STEP, {"code": code}).status_code == 200
    assert not browsers.is_signed_in(another)


def test_a_recovery_code_works_once(anna, secret):
    [code, *_others] = codes_of(anna)
    for expected in (True, False):
        browser = browsers.open_browser()
        browsers.sign_in(browser)
        browser.post(STEP, {"code": code})
        assert browsers.is_signed_in(browser) is expected


def test_codes_are_not_guessed(secret, clock):
    browser = browsers.open_browser()
    browsers.sign_in(browser)
    for number in range(10):
        browser.post(STEP, {"code": f"00000{number}"})
    refused = browser.post(STEP, {"code": browsers.build_code(secret)})
    assert refused.context["form"].errors["code"] == [
        "There were too many failed attempts. Try again in a quarter of an hour."
    ]
    texts = [text.rpartition(" · ")[0] for _entry, text in read_lines(User.objects.get(), 99)]
    assert texts.count("wrong second step") == 10
    # Nor by who has opened a session, where the same is asked for.
    session = browsers.open_browser()
    session.force_login(User.objects.get())
    confirmed = session.post(f"{browsers.TWO_FACTOR}reauthenticate/", {"code": browsers.build_code(secret)})
    assert confirmed.context["form"].errors["code"] == refused.context["form"].errors["code"]


def test_a_new_password_allows_no_more_codes(anna, secret):
    browser = browsers.open_browser(browsers.ELSEWHERE)
    browsers.sign_in(browser)
    for number in range(10):
        browser.post(STEP, {"code": f"00000{number}"})
    anna.set_password(browsers.PASSWORD)
    anna.save()
    browser.post(STEP, {"code": browsers.build_code(secret)})
    assert not browsers.is_signed_in(browser)


def test_no_other_way_passes_the_second_step(anna, secret):
    """Half signed in, or not at all, nothing of the back office opens."""
    half = browsers.open_browser()
    browsers.sign_in(half)
    for browser in (browsers.open_browser(), half):
        for page in (
            "/admin/",
            "/admin/programme/event/",
            "/admin/auth/user/",
            "/admin/password_change/",
            browsers.TWO_FACTOR,
        ):
            assert browser.get(page)["Location"].startswith(browsers.LOGIN), page
        # Those that would add a step, or show the codes, to who is not signed in.
        for page in ("totp/activate/", "totp/deactivate/", "webauthn/add/", "recovery-codes/generate/"):
            assert browser.get(browsers.TWO_FACTOR + page)["Location"].startswith(browsers.LOGIN), page
        assert browser.get(f"{browsers.TWO_FACTOR}recovery-codes/").status_code in {302, 404}
        # Confirming the password is for who is signed in.
        assert browser.post("/admin/account/confirm/", {"password": browsers.PASSWORD})[
            "Location"
        ].startswith(browsers.LOGIN)
        assert not browsers.is_signed_in(browser)


def test_a_new_password_by_link_does_not_pass_it(anna, secret):
    anna.refresh_from_db()
    browser = browsers.open_browser()
    page = browser.get(build_link(anna).removeprefix("https://program.example"), follow=True)
    new = "Fyra gäss i Linköping 17"
    browser.post(page.redirect_chain[-1][0], {"new_password1": new, "new_password2": new})
    assert not browsers.is_signed_in(browser)
    assert browsers.sign_in(browser, password=new)["Location"] == STEP


def test_what_allauth_has_beyond_signing_in_is_closed(anna):
    browser = browsers.open_browser()
    browsers.sign_in(browser)
    addresses = ["signup/", "email/", "password/set/", "password/change/", "login/code/"]
    addresses += ["two-factor/trust/", "social/signup/", "3rdparty/", "3rdparty/signup/"]
    assert {browser.get(f"/admin/account/{address}").status_code for address in addresses} == {404}


# Of the right shape, with client data and attestation that are empty.
EMPTY = {"clientDataJSON": "e30", "attestationObject": "oA", "authenticatorData": "AA", "signature": "AA"}


@pytest.mark.parametrize(
    "credential",
    [
        *("", "no json", "1", '{"response": 1, "id": []}'),
        *(
            json.dumps({"id": key, "rawId": key, "type": "public-key", "response": EMPTY})
            for key in ("AA", "å")
        ),
        json.dumps({"id": "AA", "rawId": "AA", "response": EMPTY | {"userHandle": 1}}),
    ],
)
def test_a_malformed_passkey_signs_nobody_in(anna, credential):
    browser = browsers.open_browser()
    browser.get(f"{browsers.TWO_FACTOR}webauthn/login/", headers={"Accept": "application/json"})
    refused = browser.post(f"{browsers.TWO_FACTOR}webauthn/login/", {"credential": credential})
    assert refused["Location"] == browsers.LOGIN
    assert not browsers.is_signed_in(browser)


def test_roles_that_need_it_are_led_to_set_it_up(anna, settings, clock):
    settings.TWO_FACTOR_REQUIRED = True
    browser = browsers.open_browser()
    browsers.sign_in(browser)
    for page in ("/admin/", "/admin/programme/event/", "/admin/password_change/"):
        assert browser.get(page)["Location"] == browsers.TWO_FACTOR
        assert browser.post(page)["Location"] == browsers.TWO_FACTOR
    assert browsers.find_errors(browser.get(browsers.TWO_FACTOR)) == [
        "Your role needs a second step when signing in. Set one up here: an authenticator app or a passkey. Then the "
        "back office opens."
    ]
    browsers.set_up_app(browser)
    assert browsers.is_signed_in(browser)
    # The last one stays.
    refused = browser.get(f"{browsers.TWO_FACTOR}totp/deactivate/")
    assert browsers.find_errors(refused) == ["You cannot deactivate two-factor authentication."]
    browser.post(f"{browsers.TWO_FACTOR}totp/deactivate/")
    assert Authenticator.objects.filter(type="totp").exists()


@pytest.mark.parametrize(
    ("role", "is_superuser", "required"),
    [
        (Role.ADMINISTRATOR, False, True),
        (Role.CHIEF_EDITOR, False, True),
        (Role.EDITOR, False, False),
        (Role.AREA_EDITOR, False, False),
        (None, True, True),
    ],
)
def test_who_must_have_it(anna, settings, role, is_superuser, required):
    settings.TWO_FACTOR_REQUIRED = True
    anna.groups.clear()
    if role:
        assign_role(anna, role)
    User.objects.update(is_superuser=is_superuser)
    browser = browsers.open_browser()
    browsers.sign_in(browser)
    assert browsers.is_signed_in(browser) is not required


def test_it_can_be_removed_where_it_is_no_must(anna, secret, clock):
    browser = browsers.open_browser()
    browsers.sign_in(browser)
    browser.post(STEP, {"code": browsers.build_code(secret)})
    browser.post("/admin/account/confirm/", {"password": browsers.PASSWORD})
    assert browser.post(f"{browsers.TWO_FACTOR}totp/deactivate/")["Location"] == browsers.TWO_FACTOR
    assert not Authenticator.objects.exists()


def test_changing_it_takes_the_password_again(anna):
    browser = browsers.open_browser()
    browsers.sign_in(browser)
    page = f"{browsers.TWO_FACTOR}totp/activate/"
    assert browser.get(page)["Location"] == f"/admin/account/confirm/?next={page.replace('/', '%2F')}"
    wrong: Any = browser.post("/admin/account/confirm/", {"password": "wrong"})
    assert wrong.context["form"].errors["password"] == ["Incorrect password."]
    assert browser.get(page).status_code == 302


def test_an_administrator_removes_it(anna, secret, admin_client):
    page = f"/admin/auth/user/{anna.pk}/sign-in/"
    admin_client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    assert len(admin_client.get(page).context["steps"]) == 2
    assert admin_client.post(page, {"do": "reset"}).status_code == 302
    assert admin_client.get(page).context["steps"] == []
    ((entry, text),) = read_lines(anna, 1)
    assert (entry.user.username, text.partition(" · ")[0]) == ("admin", "second step removed")
    assert admin_client.post(page, {"do": "something else"}).status_code == 403


def test_the_page_of_ones_own_shows_what_there_is(anna, secret):
    browser = browsers.open_browser()
    browsers.sign_in(browser)
    browser.post(STEP, {"code": codes_of(anna)[0]})
    page = browser.get(browsers.TWO_FACTOR)
    assert [re.sub(r" · [\d.]+$", "", text) for _entry, text in page.context["events"]][:3] == [
        "signed in · password · recovery code",
        "second step added · recovery code",
        "second step added · authenticator app",
    ]
    assert "There are 9 out of 10 recovery codes available." in page.content.decode()
