"""The language of the back office is chosen on any of its pages, and kept by the browser."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.festival.accounts.browsers import LOGIN, TWO_FACTOR, open_browser, sign_in
from tests.programme.backoffice.requests import parse

CHOOSE = "/admin/account/language/"


def language_of(response: Any) -> str:
    return str(response["Content-Language"])


def test_a_choice_on_the_sign_in_page_holds_on_every_page(anna: User) -> None:
    browser, page = open_browser(language="en"), f"{LOGIN}?next=/admin/handbook/"
    form = parse(browser.get(page)).select_one("form.language")
    assert (language_of(browser.get(page)), form["action"], form.button["value"]) == ("en", CHOOSE, "sv")
    chosen = browser.post(CHOOSE, {"language": "sv", "next": form.select_one("[name=next]")["value"]})
    assert (chosen.status_code, chosen["Location"]) == (302, page)
    cookie = chosen.cookies["django_language"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/admin/", True, "Lax")
    sign_in(browser)
    pages = ["/admin/", "/admin/programme/event/", "/admin/handbook/", TWO_FACTOR, "/admin/no/such/page/"]
    assert {language_of(browser.get(page)) for page in pages} == {"sv"}
    strict = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE="en")
    strict.cookies = browser.cookies
    # Refused before anybody asks who it is.
    refused = strict.post("/admin/programme/event/add/")
    assert (refused.status_code, "Formuläret är för gammalt" in refused.content.decode()) == (403, True)
    browser.post("/admin/logout/")
    assert language_of(browser.get(LOGIN)) == "sv"


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["", "de", "en' OR 1=1"])
def test_other_languages_are_not_spoken(language: str) -> None:
    browser = open_browser(language="en")
    browser.post(CHOOSE, {"language": language})
    assert language_of(browser.get(LOGIN)) == "en"


@pytest.mark.django_db
@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example"])
def test_the_choice_leads_to_no_other_server(target: str) -> None:
    assert open_browser().post(CHOOSE, {"language": "sv", "next": target})["Location"] == "/"


def test_a_form_that_was_refused_offers_no_language_lest_it_is_lost(anna: User) -> None:
    refused = open_browser().post(LOGIN, {"login": "anna", "password": "x"})
    assert parse(refused).select_one("form.language button").has_attr("disabled")
