"""A page asks who is signed in before it sends a form; the answer, and what keeps a session alive."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from tests.festival.accounts.browsers import (
    LOGIN,
    PASSWORD,
    TWO_FACTOR,
    build_code,
    is_signed_in,
    open_browser,
    set_up_app,
    sign_in,
)

SESSION = "/admin/account/session/"
DONE = f"{SESSION}signed-in/"


def ask(browser: Client, user: object) -> dict[str, Any]:
    response = browser.get(SESSION, {"user": user})
    assert "no-store" in response["Cache-Control"]
    found: dict[str, Any] = response.json()
    return found


def test_who_is_signed_in_gets_the_token_alone(anna: User) -> None:
    browser = open_browser()
    sign_in(browser)
    assert ask(browser, anna.pk).keys() == {"token"}
    checked = Client(enforce_csrf_checks=True)
    checked.cookies = browser.cookies
    token = checked.get(SESSION, {"user": anna.pk}).json()["token"]
    assert checked.post("/admin/logout/", {"csrfmiddlewaretoken": "x" * 64}).status_code == 403
    assert checked.post("/admin/logout/", {"csrfmiddlewaretoken": token}).status_code == 302


def test_who_is_not_gets_a_dialog_that_signs_in(anna: User) -> None:
    browser = open_browser()
    dialog = BeautifulSoup(ask(browser, anna.pk)["dialog"], "lxml").select_one("dialog")
    form = dialog.select_one("form")
    sent = {field["name"]: field["value"] for field in form.select("[type=hidden]")}
    assert (form["action"], sent["next"], dialog["data-done"]) == (LOGIN, DONE, DONE)
    signed = browser.post(form["action"], sent | {"username": "anna", "password": PASSWORD})
    assert signed["Location"] == DONE
    assert ask(browser, anna.pk).keys() == {"token"}
    page = browser.get(DONE)
    assert (page.status_code, page.context["title"]) == (200, "You are signed in")


@pytest.mark.parametrize("user", ["", "x", "0", "9" * 30])
def test_another_user_is_told_whose_session_it_is(anna: User, user: str) -> None:
    browser = open_browser()
    sign_in(browser)
    dialog = BeautifulSoup(ask(browser, user)["dialog"], "lxml")
    assert "Somebody else, anna, has signed in here meanwhile." in dialog.text
    assert dialog.select("form") == []


def test_a_second_step_leads_to_the_page_that_tells_the_form(
    anna: User, clock: time_machine.Traveller
) -> None:
    first = open_browser()
    sign_in(first)
    secret = set_up_app(first)
    clock.shift(60)
    browser = open_browser()
    step = sign_in(browser, next=DONE)
    assert step["Location"].partition("?")[0] == f"{TWO_FACTOR}authenticate/"
    assert "dialog" in ask(browser, anna.pk)
    assert browser.post(step["Location"], {"code": build_code(secret)})["Location"] == DONE
    assert ask(browser, anna.pk).keys() == {"token"}


def test_they_are_only_read(anna: User) -> None:
    browser = open_browser()
    assert [browser.post(address).status_code for address in (SESSION, DONE)] == [405, 405]


def test_what_an_open_window_asks_by_itself_is_no_use_of_a_session(
    anna: User, clock: time_machine.Traveller
) -> None:
    browser = open_browser()
    sign_in(browser)
    clock.shift(timedelta(hours=7))
    browser.get("/admin/", headers={"X-In-Background": "1"})
    clock.shift(timedelta(hours=6))
    assert not is_signed_in(browser)
