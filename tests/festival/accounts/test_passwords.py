"""Choosing a password: a link works once and for a day, and one for a forgotten password arrives by e-mail."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from festival.accounts.passwords import build_link
from tests.conftest import NOW, SetClock
from tests.festival.accounts.browsers import PASSWORD
from tests.festival.accounts.people.office import PROGRAM, choose_password, wait_for_mail


@pytest.fixture
def anna(db: None, at: SetClock) -> User:
    """An editor who has a password; the clock is the tests'."""
    cache.clear()
    return User.objects.create_user(
        "anna", "anna@kulturnatten.example", "Fyra gäss i Linköping 17", is_staff=True
    )


def open_link(user: User) -> Any:
    return Client().get(build_link(user).removeprefix(PROGRAM), follow=True)


def test_a_password_is_chosen_once_and_signs_nobody_in(client: Client, anna: User) -> None:
    link = build_link(anna).removeprefix(PROGRAM)
    page = client.get(link, follow=True)
    # The form is at another address, which does not have the token.
    assert page.request["PATH_INFO"].endswith("/set-password/")
    assert "<strong>anna</strong>" in page.content.decode()
    done = choose_password(client, link)
    assert (done.request["PATH_INFO"], done.status_code) == ("/admin/password/chosen/", 200)
    anna.refresh_from_db()
    assert anna.check_password(PASSWORD)
    # A second factor would be passed over.
    assert client.get("/admin/").status_code == 302
    again = Client().get(link)
    assert (again.status_code, again.context["validlink"]) == (200, False)
    assert "Länken gäller inte längre" in again.content.decode()


def test_a_link_ends_when_the_account_is_deactivated(client: Client, anna: User) -> None:
    page = client.get(build_link(anna).removeprefix(PROGRAM), follow=True)
    User.objects.update(is_active=False)
    assert open_link(anna).context["validlink"] is False
    address, sent = page.redirect_chain[-1][0], {"new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post(address, sent).context["validlink"] is False


@pytest.mark.parametrize(
    ("age", "valid"), [(timedelta(hours=24), True), (timedelta(hours=24, seconds=1), False)]
)
def test_a_link_is_valid_for_a_day(
    client: Client, anna: User, at: SetClock, age: timedelta, valid: bool
) -> None:
    link = build_link(anna).removeprefix(PROGRAM)
    at(NOW + age)
    assert client.get(link, follow=True).context["validlink"] is valid


# --- By e-mail --------------------------------------------------------------------------------


def ask(client: Client, email: str = "Anna@kulturnatten.example") -> str:
    page = client.post("/admin/password/", {"email": email}, follow=True)
    assert page.request["PATH_INFO"] == "/admin/password/sent/"
    wait_for_mail()
    return page.content.decode()


def test_a_link_for_a_forgotten_password_arrives_and_works(
    client: Client, anna: User, settings: Settings
) -> None:
    settings.HAS_EMAIL = True
    # Whatever the Host header says.
    client.defaults["HTTP_HOST"] = "localhost"
    ask(client)
    [message] = mail.outbox
    assert (message.to, message.subject) == (["anna@kulturnatten.example"], "Välj ett nytt lösenord")
    choose_password(client, re.search(r"https://program\.example(/admin/password/\S+)", message.body)[1])
    anna.refresh_from_db()
    assert anna.check_password(PASSWORD)


def test_the_page_does_not_say_who_has_an_account_and_sends_one_message(
    client: Client, anna: User, settings: Settings
) -> None:
    settings.HAS_EMAIL = True
    token = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
    addresses = ("anna@kulturnatten.example", "bo@kulturnatten.example", "anna@kulturnatten.example")
    assert len({token.sub("", ask(client, email)) for email in addresses}) == 1
    assert len(mail.outbox) == 1


def test_without_e_mail_the_page_says_who_can_help(client: Client, anna: User, settings: Settings) -> None:
    settings.HAS_EMAIL = False
    page = client.get("/admin/password/").content.decode()
    assert ("Den här installationen skickar ingen e-post." in page, "id_email" in page) == (True, False)
