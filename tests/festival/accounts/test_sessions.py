"""A session lasts while it is used, ends after twelve hours, and leads to no other server."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.festival.accounts.browsers import LOGIN, PASSWORD, is_signed_in, open_browser, sign_in


def writes(queries: CaptureQueriesContext) -> list[str]:
    return [each["sql"] for each in queries if not each["sql"].startswith("SELECT")]


def test_a_session_in_use_lasts_and_an_unused_one_ends(anna: User, clock: time_machine.Traveller) -> None:
    browser = open_browser()
    sign_in(browser)
    for _time in range(3):
        clock.shift(timedelta(hours=11))
        assert is_signed_in(browser)
    clock.shift(timedelta(hours=12, seconds=1))
    assert not is_signed_in(browser)


def test_reading_pages_writes_nothing_for_five_minutes(anna: User, clock: time_machine.Traveller) -> None:
    browser = open_browser()
    sign_in(browser)
    browser.get("/admin/")
    clock.shift(299)
    with CaptureQueriesContext(connection) as queries:
        assert browser.get("/admin/programme/event/").status_code == 200
    assert writes(queries) == []
    clock.shift(1)
    with CaptureQueriesContext(connection) as queries:
        browser.get("/admin/programme/event/")
    assert any("django_session" in each for each in writes(queries))


def test_signing_out_ends_the_session(anna: User) -> None:
    browser = open_browser()
    sign_in(browser)
    cookie = browser.cookies["sessionid"].value
    assert browser.post("/admin/logout/")["Location"] == LOGIN
    browser.cookies["sessionid"] = cookie
    assert not is_signed_in(browser)


def test_a_new_password_ends_the_other_sessions(anna: User) -> None:
    here, there = open_browser(), open_browser()
    sign_in(here)
    sign_in(there)
    new = "Fyra gäss i Linköping 17"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert here.post("/admin/password_change/", form).status_code == 302
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)


def test_losing_access_ends_the_session(anna: User) -> None:
    browser = open_browser()
    sign_in(browser)
    User.objects.update(is_staff=False)
    assert not is_signed_in(browser)


def test_the_cookie_is_for_the_server_only(anna: User) -> None:
    browser = open_browser()
    cookie = sign_in(browser).cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 43_200)


def test_public_pages_know_no_session(anna: User) -> None:
    browser = open_browser()
    sign_in(browser)
    with CaptureQueriesContext(connection) as queries:
        response = browser.get("/robots.txt")
    assert (response.status_code, dict(response.cookies)) == (200, {})
    assert [each["sql"] for each in queries if "session" in each["sql"]] == []


@pytest.mark.parametrize(
    ("target", "reached"),
    [
        ("/admin/programme/event/?q=%C3%A5", "/admin/programme/event/?q=%C3%A5"),
        ("https://evil.example/admin/", "/admin/"),
        ("//evil.example/admin/", "/admin/"),
        ("\\\\evil.example/admin/", "/admin/"),
        ("javascript:alert(1)//admin/", "/admin/"),
    ],
)
def test_next_leads_to_no_other_server(anna: User, target: str, reached: str) -> None:
    browser = open_browser()
    assert sign_in(browser, next=target)["Location"] == reached
    # Who is signed in already is led on at once.
    assert browser.get(LOGIN, {"next": target})["Location"] == reached
    assert browser.post("/admin/logout/", {"next": target})["Location"] in {reached, LOGIN}


def test_signing_out_takes_a_form(anna: User) -> None:
    browser: Client = open_browser()
    sign_in(browser)
    assert browser.get("/admin/logout/").status_code == 405
    assert is_signed_in(browser)
