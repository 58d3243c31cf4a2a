"""The language of the back office is each user's own: on every page, in messages, and where no account is read."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from festival.accounts.access import account_of, keep
from festival.accounts.passwords import build_link
from festival.clock import now
from tests.festival.accounts.browsers import LOGIN, TWO_FACTOR, open_browser, set_up_app, sign_in

CHOOSE = "/admin/account/language/"


def language_of(response: Any) -> str:
    return str(response["Content-Language"])


def stored(user: User) -> str:
    return account_of(User.objects.get(pk=user.pk)).language


@pytest.mark.parametrize("language", ["sv", "en"])
def test_the_first_sign_in_keeps_the_browsers_language(anna: User, language: str) -> None:
    assert stored(anna) == ""
    sign_in(open_browser(language=language))
    assert stored(anna) == language


def test_a_choice_holds_on_every_page_and_in_every_browser(anna: User) -> None:
    here, there = open_browser(language="sv"), open_browser(language="en")
    sign_in(here)
    chosen = here.post(CHOOSE, {"language": "en", "next": "/admin/programme/event/?q=a"})
    assert (chosen.status_code, chosen["Location"], stored(anna)) == (
        302,
        "/admin/programme/event/?q=a",
        "en",
    )
    sign_in(there)
    there.post(CHOOSE, {"language": "sv"})
    for browser in (here, there):
        pages = ["/admin/", "/admin/programme/event/", "/admin/handbook/", TWO_FACTOR, "/admin/no/such/page/"]
        assert {language_of(browser.get(page)) for page in pages} == {"sv"}


def test_pages_about_errors_are_in_it(anna: User) -> None:
    browser = open_browser(language="en")
    keep(anna, language="sv")
    sign_in(browser)
    missing = browser.get("/admin/no/such/page/")
    assert (missing.status_code, "Sidan finns inte" in missing.content.decode()) == (404, True)
    strict = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE="en")
    strict.cookies = browser.cookies
    # Refused before anybody asks who it is.
    refused = strict.post("/admin/programme/event/add/")
    assert (refused.status_code, "Formuläret är för gammalt" in refused.content.decode()) == (403, True)


def test_the_second_step_and_confirming_are_in_it_in_a_new_browser(anna: User) -> None:
    first = open_browser(language="sv")
    sign_in(first)
    set_up_app(first)
    browser = open_browser(language="en")
    step = sign_in(browser)["Location"]
    assert language_of(browser.get(step)) == "sv"
    assert language_of(first.get("/admin/account/confirm/")) == "sv"


def test_the_sign_in_page_stays_in_it_after_signing_out(anna: User) -> None:
    keep(anna, language="sv")
    browser = open_browser(language="en")
    sign_in(browser)
    browser.post("/admin/logout/")
    assert language_of(browser.get(LOGIN)) == "sv"


def test_the_cookie_is_for_the_back_office_only(anna: User) -> None:
    keep(anna, language="sv")
    cookie = sign_in(open_browser(language="en")).cookies["django_language"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/admin/", True, "Lax")


@pytest.mark.parametrize("language", ["", "de", "en' OR 1=1", "sv-SE"])
def test_other_languages_are_not_kept(anna: User, language: str) -> None:
    browser = open_browser(language="en")
    sign_in(browser)
    assert browser.post(CHOOSE, {"language": language})["Location"] == "/admin/"
    assert stored(anna) == "en"


def offered(page: Any) -> tuple[str, str]:
    """Return the other language that a page offers, and where it leads back to."""
    form = BeautifulSoup(page.content.decode(), "lxml").select_one("form.language")
    return str(form.button["value"]), str(form.select_one("[name=next]")["value"])


def test_who_has_not_signed_in_chooses_too_and_keeps_it_with_the_account(anna: User) -> None:
    browser = open_browser(language="en")
    for page in (f"{LOGIN}?next=/admin/handbook/", "/admin/password/"):
        assert language_of(browser.get(page)) == "en"
        assert offered(browser.get(page)) == ("sv", page)
        chosen = browser.post(CHOOSE, {"language": "sv", "next": page})
        assert (chosen.status_code, chosen["Location"]) == (302, page)
        assert language_of(browser.get(page)) == "sv"
        browser.post(CHOOSE, {"language": "en"})
    browser.post(CHOOSE, {"language": "sv"})
    browser.post(CHOOSE, {"language": "no"})
    assert stored(anna) == ""
    sign_in(browser)
    assert stored(anna) == "sv"


def test_who_comes_by_a_link_chooses_and_stays_at_the_page_of_the_link(anna: User) -> None:
    keep(anna, link_at=now())
    browser = open_browser(language="sv")
    link = build_link(User.objects.get(pk=anna.pk)).removeprefix("https://program.example")
    page = browser.get(link, follow=True)
    language, back = offered(page)
    assert (language_of(page), language) == ("sv", "en")
    page = browser.post(CHOOSE, {"language": language, "next": back}, follow=True)
    assert (language_of(page), page.context["validlink"]) == ("en", True)


def test_a_form_that_was_refused_offers_no_language_lest_it_is_lost(anna: User) -> None:
    refused = open_browser().post(LOGIN, {"login": "anna", "password": "x"})
    assert "language" not in {form.get("class") for form in BeautifulSoup(refused.content, "lxml")("form")}


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/", "/admin/../"])
def test_the_choice_leads_inside_the_back_office_only(anna: User, target: str) -> None:
    browser = open_browser()
    sign_in(browser)
    assert browser.post(CHOOSE, {"language": "sv", "next": target})["Location"] == "/admin/"
