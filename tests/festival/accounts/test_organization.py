"""The organization's accounts sign in who has an account here with that verified address, and nobody else."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from festival.accounts.log import read_lines
from tests.festival.accounts.browsers import (
    LOGIN,
    TWO_FACTOR,
    is_signed_in,
    open_browser,
    set_up_app,
    sign_in,
)

START = "/admin/account/oidc/organization/login/"
NO_ACCOUNT = (
    "You have signed in there, but no account of the back office has your e-mail address. "
    "Ask an administrator to create one, or to write your address into it."
)
FAILED = "Signing in there did not work. Try again, or sign in with a password."
VERIFIED = {"email": "Anna@Kulturnatten.example", "email_verified": True}


class IdentityProvider:
    """An OpenID Connect provider, as the service sees it; its person has the `claims`."""

    url = "https://konton.example"

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        # The forms that were sent for a token.
        self.asked: list[dict[str, str]] = []
        self.is_away = False

    def answer(self, method: str, url: str, data: Any = None, **_options: Any) -> requests.Response:
        if self.is_away:
            raise requests.ConnectionError
        person = {"sub": "p-1", **self.claims}
        if method.upper() == "POST":
            self.asked.append(data)
            claims = {"iss": self.url, "aud": "festival", "iat": 0, "exp": 2**40, **person}
            token = jwt.encode(claims, "k" * 32, "HS256")
            found = {"access_token": "a", "token_type": "Bearer", "id_token": token}
        elif url.endswith("/userinfo"):
            found = person
        else:
            found = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
            names = ("authorization", "token", "userinfo")
            found |= {f"{name}_endpoint": f"{self.url}/{name}" for name in names}
        response = requests.Response()
        response.status_code, response._content = 200, json.dumps(found).encode()
        response.headers["Content-Type"] = "application/json"
        return response


@pytest.fixture
def provider(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> IdentityProvider:
    found = IdentityProvider()
    app = {"provider_id": "organization", "name": "Konton", "client_id": "festival", "secret": "s"}
    app["settings"] = {"server_url": found.url}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
    monkeypatch.setattr(
        requests.Session, "request", lambda _session, *sent, **more: found.answer(*sent, **more)
    )
    return found


def go_through(browser: Client, claims: dict[str, Any], provider: IdentityProvider, to: str = "") -> Any:
    """Sign in at the provider as a person with these claims; return the response here, and what was asked."""
    provider.claims = claims
    there = urlsplit(browser.get(START, {"next": to} if to else {})["Location"])
    asked = {name: value for name, [value] in parse_qs(there.query).items()}
    assert f"{there.scheme}://{there.netloc}{there.path}" == f"{provider.url}/authorization"
    return browser.get(f"{START}callback/", {"code": "c", "state": asked["state"]}), asked


def messages_of(response: Any, browser: Client) -> list[str]:
    assert response["Location"] == LOGIN
    return [str(each) for each in browser.get(LOGIN).context["messages"]]


def test_an_account_with_the_verified_address_is_signed_in(anna, provider):
    browser = open_browser()
    response, asked = go_through(browser, VERIFIED, provider, "/admin/programme/event/")
    assert response["Location"] == "/admin/programme/event/"
    assert is_signed_in(browser)
    assert asked["redirect_uri"] == f"http://testserver{START}callback/"
    assert sorted(asked["scope"].split()) == ["email", "openid", "profile"]
    assert asked["code_challenge_method"] == "S256"
    assert len(provider.asked[0]["code_verifier"]) > 40
    assert read_lines(anna, 1)[0][1].startswith("signed in · the organization’s sign-in")
    # Nothing of it is stored.
    stored = [SocialAccount, SocialToken, EmailAddress]
    assert [model.objects.count() for model in stored] == [0, 0, 0]
    anna.refresh_from_db()
    assert anna.has_usable_password()


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "anna@kulturnatten.example"},
        {"email": "anna@kulturnatten.example", "email_verified": "false"},
        {"email": "somebody@kulturnatten.example", "email_verified": True},
        {"preferred_username": "anna"},
    ],
)
def test_others_are_refused_with_a_sentence(anna, provider, claims):
    browser = open_browser()
    response, _asked = go_through(browser, claims, provider)
    assert messages_of(response, browser) == [NO_ACCOUNT]
    assert not is_signed_in(browser)
    assert User.objects.count() == 1


def test_an_account_without_access_and_two_of_one_address_are_refused(anna, provider):
    browser = open_browser()
    User.objects.update(is_active=False)
    assert messages_of(go_through(browser, VERIFIED, provider)[0], browser) == [NO_ACCOUNT]
    User.objects.update(is_active=True)
    User.objects.create_user("bo", "anna@kulturnatten.example", is_staff=True)
    assert messages_of(go_through(browser, VERIFIED, provider)[0], browser) == [NO_ACCOUNT]


def test_the_second_step_is_asked_for(anna, provider, clock):
    browser = open_browser()
    sign_in(browser)
    set_up_app(browser)
    another = open_browser()
    response, _asked = go_through(another, VERIFIED, provider)
    assert response["Location"] == f"{TWO_FACTOR}authenticate/"
    assert not is_signed_in(another)


@pytest.mark.parametrize("sent", [{"code": "c", "state": "made-up"}, {"error": "access_denied"}, {}])
def test_a_made_up_or_cancelled_return_signs_nobody_in(anna, provider, sent):
    browser = open_browser()
    provider.claims = VERIFIED
    assert messages_of(browser.get(f"{START}callback/", sent), browser) == [FAILED]


def test_a_provider_that_does_not_answer_is_a_sentence(anna, provider):
    provider.is_away = True
    browser = open_browser()
    assert messages_of(browser.get(START), browser) == [FAILED]


def test_without_one_there_is_none(anna):
    assert "oidc" not in open_browser().get(LOGIN).content.decode()
    assert open_browser().get(START).status_code == 404
