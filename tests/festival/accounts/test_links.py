"""Links at which a password is chosen: one kind, once, for three days, and by e-mail."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from festival.accounts.access import is_invited, update_account
from festival.accounts.links import build_link, renew_link
from programme.backoffice.roles import Role
from tests.conftest import NOW, SetClock
from tests.festival.accounts.browsers import PASSWORD
from tests.festival.accounts.people.office import PROGRAM, choose_password, create_user, wait_for_mail

INVITED, FORGETFUL = {"password": None}, {"password": "Fyra gäss i Linköping 17"}


@pytest.fixture(params=[INVITED, FORGETFUL], ids=["invited", "forgetful"])
def bo(db: None, at: SetClock, request: Any) -> User:
    user = create_user("bo", Role.EDITOR, **request.param)
    if not request.param["password"]:
        update_account(user, link_at=NOW)
    return user


def path_of(link: str) -> str:
    return link.removeprefix(PROGRAM)


def is_valid(link: str) -> bool:
    return bool(Client().get(path_of(link), follow=True).context["validlink"])


def test_a_link_leads_once_over_a_password_to_the_start_page(bo: User) -> None:
    link, browser = path_of(build_link(bo)), Client()
    # Programs that look through mail open it, too.
    assert Client().head(link).status_code == 302
    page = browser.get(link, follow=True)
    # The form is at another address, which does not have the token.
    assert page.request["PATH_INFO"].endswith("/set-password/")
    assert "<strong>bo</strong>" in page.content.decode()
    done = choose_password(browser, link)
    assert (done.request["PATH_INFO"], done.status_code) == ("/admin/", 200)
    bo.refresh_from_db()
    assert (bo.check_password(PASSWORD), is_invited(bo)) == (True, False)
    again = Client().get(link)
    assert (again.status_code, "Länken gäller inte längre" in again.content.decode()) == (200, True)


@pytest.mark.parametrize(("age", "valid"), [(timedelta(days=3), True), (timedelta(days=3, seconds=1), False)])
def test_a_link_is_valid_for_three_days(bo: User, at: SetClock, age: timedelta, valid: bool) -> None:
    link = build_link(bo)
    at(NOW + age)
    assert is_valid(link) is valid


def test_a_new_link_ends_those_before(bo: User, at: SetClock) -> None:
    first = renew_link(bo)
    at(NOW + timedelta(seconds=1))
    second = renew_link(bo)
    assert (is_valid(first), is_valid(second)) == (False, True)


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_staff": False}, {"last_login": NOW}])
def test_a_link_ends_with_the_access_and_at_the_next_sign_in(bo: User, change: dict[str, Any]) -> None:
    link, browser = path_of(build_link(bo)), Client()
    address = browser.get(link, follow=True).redirect_chain[-1][0]
    User.objects.update(**change)
    assert not is_valid(link)
    sent = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    assert browser.post(address, sent).context["validlink"] is False


def ask(email: str = "Bo@kulturnatten.example") -> str:
    # Whatever the Host header says.
    page = Client(HTTP_HOST="localhost").post("/admin/password/", {"email": email}, follow=True)
    assert page.request["PATH_INFO"] == "/admin/login/"
    wait_for_mail()
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.content.decode())


def test_a_link_for_a_forgotten_password_arrives_and_works(bo: User, settings: Settings) -> None:
    settings.HAS_EMAIL = True
    # The page does not say who has an account, and who has one gets one message.
    assert len({ask(), ask("nobody@kulturnatten.example"), ask()}) == 1
    [message] = mail.outbox
    assert message.to == ["bo@kulturnatten.example"]
    assert message.subject == "Ditt konto för programmet: Festivalprogram"
    assert "för kontot bo" in message.body
    choose_password(Client(), re.search(r"https://program\.example(/admin/password/\S+)", message.body)[1])
    bo.refresh_from_db()
    assert bo.check_password(PASSWORD)


def test_who_signs_in_at_the_organization_alone_gets_none(db: None, settings: Settings) -> None:
    settings.HAS_EMAIL = True
    update_account(create_user("bo", Role.EDITOR, last_login=NOW), link_at=NOW)
    ask()
    assert mail.outbox == []


@pytest.mark.django_db
def test_without_e_mail_the_page_says_who_can_help(settings: Settings) -> None:
    settings.HAS_EMAIL = False
    page = Client().get("/admin/password/").content.decode()
    assert ("Den här installationen skickar ingen e-post." in page, "id_email" in page) == (True, False)
