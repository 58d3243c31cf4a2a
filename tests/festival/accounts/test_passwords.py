"""Choosing a password: a link works once and for a day, and one for a forgotten password arrives by e-mail."""

import re
import socket
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Event
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from festival.accounts.passwords import build_link
from tests.conftest import NOW, SetClock

PASSWORD = "Sju lyktor över kanalen 1932"


@pytest.fixture
def anna(db: None, at: SetClock) -> User:
    """An editor who has a password; the clock is the tests'."""
    cache.clear()
    return User.objects.create_user(
        "anna", "anna@kulturnatten.example", "Fyra gäss i Linköping 17", is_staff=True
    )


def open_link(client: Client, user: User) -> Any:
    """Return the page that a link leads to: the form is at another address, which does not have the token."""
    return client.get(build_link(user).removeprefix("https://program.example"), follow=True)


def choose(client: Client, page: Any, password: str = PASSWORD) -> Any:
    address = page.redirect_chain[-1][0]
    return client.post(address, {"new_password1": password, "new_password2": password}, follow=True)


def test_a_password_is_chosen_and_signs_in(client: Client, anna: User) -> None:
    page = open_link(client, anna)
    assert page.redirect_chain == [(page.request["PATH_INFO"], 302)]
    assert page.request["PATH_INFO"].endswith("/set-password/")
    assert "<strong>anna</strong>" in page.content.decode()
    done = choose(client, page)
    assert (done.request["PATH_INFO"], done.status_code) == ("/admin/password/chosen/", 200)
    anna.refresh_from_db()
    assert anna.check_password(PASSWORD)
    # Chosen, not signed in: a second factor would be passed over.
    assert client.get("/admin/").status_code == 302


def test_an_administrator_sets_one_without_knowing_the_old_one(client: Client, anna: User) -> None:
    client.force_login(User.objects.create_superuser("ada"))
    address = f"/admin/auth/user/{anna.pk}/password/"
    assert list(client.get(address).context["form"].fields) == ["password1", "password2"]
    done = client.post(address, {"password1": PASSWORD, "password2": PASSWORD, "set-password": ""})
    assert done.url == f"/admin/auth/user/{anna.pk}/change/"
    anna.refresh_from_db()
    assert anna.check_password(PASSWORD)


def test_a_link_works_once(client: Client, anna: User) -> None:
    link = build_link(anna).removeprefix("https://program.example")
    choose(client, client.get(link, follow=True))
    again = Client().get(link)
    assert (again.status_code, again.context["validlink"]) == (200, False)
    assert "Länken gäller inte längre" in again.content.decode()


def test_a_link_works_once_for_requests_at_the_same_time(anna: User, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Client(), Client()
    pages = [open_link(browser, anna) for browser in (one, other)]
    is_valid = SetPasswordForm.is_valid

    def choose_meanwhile(form: Any) -> bool:
        monkeypatch.setattr(SetPasswordForm, "is_valid", is_valid)
        choose(other, pages[1], "Fyra kajor under bron 1877")
        return is_valid(form)

    monkeypatch.setattr(SetPasswordForm, "is_valid", choose_meanwhile)
    refused = choose(one, pages[0])
    assert (refused.status_code, refused.context["validlink"]) == (200, False)
    assert "Länken gäller inte längre" in refused.content.decode()
    anna.refresh_from_db()
    assert anna.check_password("Fyra kajor under bron 1877")


def test_a_link_ends_when_the_account_is_deactivated(client: Client, anna: User) -> None:
    page = open_link(client, anna)
    User.objects.update(is_active=False)
    assert open_link(Client(), anna).context["validlink"] is False
    assert choose(client, page).context["validlink"] is False


@pytest.mark.parametrize(
    ("age", "valid"), [(timedelta(hours=24), True), (timedelta(hours=24, seconds=1), False)]
)
def test_a_link_is_valid_for_a_day(
    client: Client, anna: User, at: SetClock, age: timedelta, valid: bool
) -> None:
    link = build_link(anna).removeprefix("https://program.example")
    at(NOW + age)
    assert client.get(link, follow=True).context["validlink"] is valid


def test_a_link_ends_at_the_next_sign_in(client: Client, anna: User) -> None:
    link = build_link(anna).removeprefix("https://program.example")
    anna.last_login = NOW
    anna.save()
    assert client.get(link).context["validlink"] is False


# --- By e-mail --------------------------------------------------------------------------------


class Mailbox:
    """What an SMTP server on this machine has received."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.has_message = Event()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        self.messages.append(message_from_bytes(envelope.content, policy=policy.default))  # type: ignore[arg-type]
        self.has_message.set()
        return "250 OK"


@pytest.fixture
def mailbox(settings: Settings) -> Iterator[Mailbox]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    box = Mailbox()
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.HAS_EMAIL = True
    settings.DEFAULT_FROM_EMAIL = "Kulturnatten <program@kulturnatten.example>"
    yield box
    controller.stop()


def ask(client: Client, email: str = "Anna@kulturnatten.example") -> str:
    page = client.post("/admin/password/", {"email": email}, follow=True)
    assert page.request["PATH_INFO"] == "/admin/password/sent/"
    return page.content.decode()


def test_a_link_for_a_forgotten_password_arrives_and_works(
    client: Client, anna: User, mailbox: Mailbox
) -> None:
    # Whatever the Host header says.
    client.defaults["HTTP_HOST"] = "localhost"
    ask(client)
    assert mailbox.has_message.wait(60)
    [message] = mailbox.messages
    assert (message["From"], message["To"], message["Subject"]) == (
        *("Kulturnatten <program@kulturnatten.example>", "anna@kulturnatten.example"),
        "Välj ett nytt lösenord",
    )
    link = re.search(r"https://program\.example(/admin/password/\S+)", message.get_content())[1]
    choose(client, client.get(link, follow=True))
    anna.refresh_from_db()
    assert anna.check_password(PASSWORD)


def test_the_page_does_not_say_who_has_an_account_and_sends_one_message(
    client: Client, anna: User, mailbox: Mailbox
) -> None:
    token = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
    pages = {
        token.sub("", ask(client, email))
        for email in ("anna@kulturnatten.example", "bo@kulturnatten.example")
    }
    assert len(pages) == 1
    assert mailbox.has_message.wait(60)
    ask(client)
    assert len(mailbox.messages) == 1


def test_without_e_mail_the_page_says_who_can_help(client: Client, anna: User, settings: Settings) -> None:
    settings.HAS_EMAIL = False
    for page in (client.get("/admin/password/"), client.post("/admin/password/", {"email": anna.email})):
        assert "Den här installationen skickar ingen e-post." in page.content.decode()
        assert "id_email" not in page.content.decode()
