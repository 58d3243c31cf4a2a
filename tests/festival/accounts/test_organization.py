"""The organization's accounts sign in who has an account here with that verified address, and nobody else."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from festival.accounts.models import AccountEvent, Kind
from tests.festival.accounts.browsers import (
    LOGIN,
    TWO_FACTOR,
    is_signed_in,
    open_browser,
    set_up_app,
    sign_in,
)
from tests.festival.accounts.identity_provider import IdentityProvider

START = "/admin/account/oidc/organization/login/"
NO_ACCOUNT = (
    "You have signed in there, but no account of the back office has your e-mail address. "
    "Ask an administrator to create one, or to write your address into it."
)
VERIFIED = {"email": "Anna@Kulturnatten.example", "email_verified": True}


@pytest.fixture
def provider(settings: Settings) -> Iterator[IdentityProvider]:
    with IdentityProvider() as running:
        running.configure(settings)
        yield running


def go_through(browser: Client, claims: dict[str, Any], provider: IdentityProvider, to: str = "") -> Any:
    """Sign in at the provider as a person with these claims; return the response here, and what was asked."""
    provider.claims = claims
    there = urlsplit(browser.get(START, {"next": to} if to else {})["Location"])
    asked = {name: value for name, [value] in parse_qs(there.query).items()}
    assert f"{there.scheme}://{there.netloc}{there.path}" == f"{provider.url}/authorize"
    return browser.get(f"{START}callback/", {"code": "c", "state": asked["state"]}), asked


def messages_of(response: Any, browser: Client) -> list[str]:
    assert response["Location"] == LOGIN
    return [str(each) for each in browser.get(LOGIN).context["messages"]]


def test_an_account_with_the_verified_address_is_signed_in(anna: User, provider: IdentityProvider) -> None:
    browser = open_browser()
    response, asked = go_through(browser, VERIFIED, provider, "/admin/programme/event/")
    assert response["Location"] == "/admin/programme/event/"
    assert is_signed_in(browser)
    assert asked["redirect_uri"] == f"http://testserver{START}callback/"
    assert (sorted(asked["scope"].split()), asked["code_challenge_method"]) == (
        ["email", "openid", "profile"],
        "S256",
    )
    assert len(provider.asked[0]["code_verifier"]) > 40
    assert AccountEvent.objects.first().detail == "socialaccount"
    # Nothing of it is stored.
    stored = [SocialAccount, SocialToken, EmailAddress]
    assert [model.objects.count() for model in stored] == [0, 0, 0]
    anna.refresh_from_db()
    assert anna.has_usable_password()


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "anna@kulturnatten.example"},
        {"email": "anna@kulturnatten.example", "email_verified": False},
        {"email": "anna@kulturnatten.example", "email_verified": "false"},
        {"email": "somebody@kulturnatten.example", "email_verified": True},
        {"preferred_username": "anna"},
        {},
    ],
)
def test_others_are_refused_with_a_sentence(
    anna: User, provider: IdentityProvider, claims: dict[str, Any]
) -> None:
    browser = open_browser()
    response, _asked = go_through(browser, claims, provider)
    assert messages_of(response, browser) == [NO_ACCOUNT]
    assert not is_signed_in(browser)
    assert User.objects.count() == 1
    assert AccountEvent.objects.first().kind == Kind.FAILED


@pytest.mark.parametrize("change", [{"is_staff": False}, {"is_active": False}])
def test_an_account_without_access_is_refused(
    anna: User, provider: IdentityProvider, change: dict[str, bool]
) -> None:
    User.objects.update(**change)
    browser = open_browser()
    response, _asked = go_through(browser, VERIFIED, provider)
    assert messages_of(response, browser) == [NO_ACCOUNT]


def test_an_address_of_two_accounts_is_neithers(anna: User, provider: IdentityProvider) -> None:
    User.objects.create_user("bo", "anna@kulturnatten.example", is_staff=True)
    browser = open_browser()
    response, _asked = go_through(browser, VERIFIED, provider)
    assert messages_of(response, browser) == [NO_ACCOUNT]


def test_the_second_step_is_asked_for(
    anna: User, provider: IdentityProvider, clock: time_machine.Traveller
) -> None:
    browser = open_browser()
    sign_in(browser)
    set_up_app(browser)
    another = open_browser()
    response, _asked = go_through(another, VERIFIED, provider)
    assert response["Location"] == f"{TWO_FACTOR}authenticate/"
    assert not is_signed_in(another)


@pytest.mark.parametrize("sent", [{"code": "c", "state": "made-up"}, {"error": "access_denied"}, {}])
def test_a_made_up_or_cancelled_return_signs_nobody_in(
    anna: User, provider: IdentityProvider, sent: dict[str, str]
) -> None:
    browser = open_browser()
    provider.claims = VERIFIED
    response = browser.get(f"{START}callback/", sent)
    assert messages_of(response, browser) == [
        "Signing in there did not work. Try again, or sign in with a password."
    ]


def test_a_provider_that_does_not_answer_is_a_sentence(anna: User, settings: Settings) -> None:
    app = {"provider_id": "organization", "name": "-", "client_id": "festival", "secret": "s"}
    server = {"settings": {"server_url": "http://127.0.0.1:9"}}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app | server]}}
    browser = open_browser()
    assert messages_of(browser.get(START), browser) == [
        "Signing in there did not work. Try again, or sign in with a password."
    ]


def test_without_one_there_is_none(anna: User) -> None:
    assert "oidc" not in open_browser().get(LOGIN).content.decode()
    assert open_browser().get(START).status_code == 404
