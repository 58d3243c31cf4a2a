"""Inviting: a list is shown row by row, all of it is done or nothing, and each gets a link that works once."""

import re
from datetime import date, timedelta
from threading import enumerate as enumerate_threads
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client, TestCase
from pytest_django.fixtures import Settings

from festival.accounts.access import is_invited, keep
from festival.accounts.models import AccountEvent
from festival.accounts.passwords import build_link
from festival.accounts.people import inviting
from festival.accounts.people.inviting import invite
from programme.backoffice.roles import Role, role_of
from tests.conftest import NOW, SetClock
from tests.festival.accounts.browsers import PASSWORD
from tests.festival.accounts.people.office import (
    INVITE,
    USERS,
    account_page,
    an_invitation,
    create_user,
    open_office,
)
from tests.programmes import PARKEN, TORGET

FORTY = "\n".join(f"Person{number} Berg <p{number}@x.se>" for number in range(40))


@pytest.fixture(autouse=True)
def _now(at: SetClock, sample: None) -> None:
    at(NOW)


@pytest.fixture
def office() -> Client:
    return open_office(create_user("chief", Role.CHIEF_EDITOR, first_name="Cilla", last_name="Ek"))


def read_rows(response: Any) -> list[list[str]]:
    page = BeautifulSoup(response.content.decode(), "lxml")
    return [[cell.text.strip() for cell in row.select("td")] for row in page.select("#content-main tbody tr")]


def read_links(response: Any) -> list[str]:
    return re.findall(r"https://program\.example(/admin/password/\S+?/)</code>", response.content.decode())


def choose(browser: Client, link: str, password: str = PASSWORD) -> Any:
    page = browser.get(link, follow=True)
    address = page.redirect_chain[-1][0]
    return browser.post(address, {"new_password1": password, "new_password2": password}, follow=True)


# --- The list ---------------------------------------------------------------------------------


def test_the_preview_names_everybody_and_does_nothing(office: Client) -> None:
    before = User.objects.count()
    page = office.post(INVITE, an_invitation("Bo Ek <bo@x.se>\n\ncilla@x.se", do="preview"))
    assert read_rows(page) == [["1", "Bo Ek", "bo@x.se", "Is invited"], ["3", "", "cilla@x.se", "Is invited"]]
    assert User.objects.count() == before


@pytest.mark.parametrize("do", ["preview", "send", "links"])
def test_one_wrong_row_and_nobody_is_invited(office: Client, do: str) -> None:
    before = User.objects.count()
    people = "Bo <bo@x.se>\nfel\nChief <CHIEF@kulturnatten.example>"
    page = office.post(INVITE, an_invitation(people, do=do))
    assert [row[-1] for row in read_rows(page)] == [
        "There is no e-mail address in this line.",
        "There is an account with this address already. Extend it in the list of users if it has ended.",
    ]
    # The text is still there, to be corrected.
    assert page.context["form"]["people"].value() == people
    assert User.objects.count() == before


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"people": " \n"}, "people"),
        ({"people": "\n".join(f"a{n}@x.se" for n in range(201))}, "people"),
        ({"role": ""}, "role"),
        ({"role": "Programme: owner"}, "role"),
        ({"role": Role.AREA_EDITOR.value}, "areas"),
        ({"role": Role.AREA_EDITOR.value, "areas": [99]}, "areas"),
        ({"last_day": "2026-07-28"}, "last_day"),
        ({"last_day": "soon"}, "last_day"),
    ],
)
def test_what_is_missing_or_wrong_is_said_at_its_field(
    office: Client, fields: dict[str, Any], field: str
) -> None:
    before = User.objects.count()
    assert [*office.post(INVITE, an_invitation(**fields)).context["form"].errors] == [field]
    assert User.objects.count() == before


def test_people_get_role_areas_last_day_and_no_password(office: Client) -> None:
    fields = {"role": Role.AREA_EDITOR.value, "areas": [TORGET, PARKEN], "last_day": "2026-08-01"}
    office.post(INVITE, an_invitation("Bo von Ek <Bo@X.se>", **fields))
    bo = User.objects.get(username="bo@x.se")
    assert (bo.email, bo.first_name, bo.last_name, bo.is_staff, bo.is_superuser) == (
        *("bo@x.se", "Bo", "von Ek"),
        *(True, False),
    )
    assert (role_of(bo), bo.account.last_day, bo.has_usable_password(), is_invited(bo)) == (
        *(Role.AREA_EDITOR, date(2026, 8, 1)),
        *(False, True),
    )
    assert {each.area_id for each in bo.edited_areas.all()} == {TORGET, PARKEN}
    [event] = AccountEvent.objects.filter(account=bo)
    assert (event.kind, event.by) == ("invited", "chief")
    assert event.detail.startswith("+Programme: area editor, +")
    assert event.detail.endswith(", +2026-08-01")


def test_two_who_invite_the_same_person_at_once_do_it_once(
    office: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def invite_meanwhile(*given: Any) -> Any:
        monkeypatch.setattr(inviting, "invite", invite)
        office.post(INVITE, an_invitation("bo@x.se"))
        return invite(*given)

    monkeypatch.setattr(inviting, "invite", invite_meanwhile)
    page = office.post(INVITE, an_invitation("cilla@x.se\nbo@x.se"))
    assert "There is an account with this address already." in read_rows(page)[0][-1]
    assert User.objects.filter(username__endswith="@x.se").count() == 1


# --- Queries ----------------------------------------------------------------------------------


@pytest.mark.parametrize("people", ["bo@x.se", FORTY], ids=["one", "forty"])
def test_forty_are_invited_in_as_many_queries_as_one(
    office: Client, people: str, django_assert_num_queries: Any
) -> None:
    fields = {"role": Role.AREA_EDITOR.value, "areas": [TORGET]}
    with django_assert_num_queries(16):
        office.post(INVITE, an_invitation(people, do="preview", **fields))
    with django_assert_num_queries(24):
        office.post(INVITE, an_invitation(people, **fields))


# --- Links ------------------------------------------------------------------------------------


def test_a_link_leads_over_a_password_to_the_start_page(office: Client) -> None:
    [link] = read_links(office.post(INVITE, an_invitation()))
    browser = Client(HTTP_ACCEPT_LANGUAGE="en")
    page = browser.get(link, follow=True)
    assert (page.context["title"], "bo@x.se" in page.content.decode()) == ("Choose your password", True)
    done = choose(browser, link)
    assert (done.request["PATH_INFO"], done.status_code) == ("/admin/", 200)
    bo = User.objects.get(username="bo@x.se")
    assert (bo.check_password(PASSWORD), is_invited(bo)) == (True, False)
    assert [event.kind for event in AccountEvent.objects.filter(account=bo)] == [
        "signed-in",
        "password",
        "invited",
    ]


def test_a_link_works_once(office: Client) -> None:
    [link] = read_links(office.post(INVITE, an_invitation()))
    choose(Client(), link)
    again = Client().get(link)
    assert (again.status_code, again.context["validlink"]) == (200, False)


def test_programs_that_open_links_in_mail_use_nothing_up(office: Client) -> None:
    [link] = read_links(office.post(INVITE, an_invitation()))
    before = User.objects.filter(username="bo@x.se").values().get()
    for _time in range(3):
        scanner = Client()
        assert scanner.head(link).status_code == 302
        assert scanner.get(link, follow=True).status_code == 200
    assert User.objects.filter(username="bo@x.se").values().get() == before
    assert choose(Client(), link).request["PATH_INFO"] == "/admin/"


@pytest.mark.parametrize(("age", "valid"), [(timedelta(days=7), True), (timedelta(days=7, seconds=1), False)])
def test_a_link_is_valid_for_a_week(office: Client, at: SetClock, age: timedelta, valid: bool) -> None:
    [link] = read_links(office.post(INVITE, an_invitation()))
    at(NOW + age)
    assert Client().get(link, follow=True).context["validlink"] is valid


def test_a_new_link_ends_those_before(office: Client, at: SetClock) -> None:
    [first] = read_links(office.post(INVITE, an_invitation()))
    at(NOW + timedelta(seconds=1))
    [second] = read_links(office.post(account_page(User.objects.get(username="bo@x.se")), {"do": "link"}))
    assert Client().get(first).context["validlink"] is False
    assert choose(Client(), second).request["PATH_INFO"] == "/admin/"


def test_a_withdrawn_invitation_leaves_nothing(office: Client) -> None:
    [link] = read_links(office.post(INVITE, an_invitation()))
    bo = User.objects.get(username="bo@x.se")
    assert office.post(account_page(bo), {"do": "withdraw"})["Location"] == USERS
    assert Client().get(link).context["validlink"] is False
    assert not User.objects.filter(username="bo@x.se").exists()
    assert office.post(INVITE, an_invitation()).status_code == 200
    choose(Client(), build_link(User.objects.get(username="bo@x.se")).removeprefix("https://program.example"))
    used = User.objects.get(username="bo@x.se")
    assert office.post(account_page(used), {"do": "withdraw"}).status_code == 403


# --- By e-mail --------------------------------------------------------------------------------


@pytest.fixture
def has_email(settings: Settings) -> None:
    settings.HAS_EMAIL = True


def send(browser: Client, address: str = INVITE, **fields: Any) -> Any:
    """Send a form, and wait until the messages have left."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        response = browser.post(address, fields)
    for thread in enumerate_threads():
        if thread.name == "account-mail":
            thread.join(60)
    return response


@pytest.mark.usefixtures("has_email")
def test_an_invitation_is_sent_in_both_languages_while_nobody_knows_which(office: Client) -> None:
    response = send(office, **an_invitation("Bo Ek <bo@x.se>", do="send"))
    assert response["Location"] == f"{USERS}?last_login__isnull=True"
    [message] = mail.outbox
    link = build_link(User.objects.get(username="bo@x.se"))
    assert (message.to, message.subject) == (
        ["bo@x.se"],
        "Your account for the programme: Kulturnatten i Åsunda",
    )
    assert message.body == (
        "Hello Bo,\n\n"
        "Cilla Ek invites you to write the programme of Kulturnatten i Åsunda as editor.\n\n"
        "Choose your password here. The link is valid for seven days and can be used once:\n\n"
        f"{link}\n\n"
        "Later you sign in at https://program.example/admin/ as bo@x.se.\n\n"
        "Hej Bo!\n\n"
        "Cilla Ek bjuder in dig att skriva programmet för Kulturnatten i Åsunda som redaktör.\n\n"
        "Välj ditt lösenord här. Länken gäller i sju dagar och kan användas en gång:\n\n"
        f"{link}\n\n"
        "Sedan loggar du in på https://program.example/admin/ som bo@x.se.\n"
    )
    assert choose(Client(), link.removeprefix("https://program.example")).request["PATH_INFO"] == "/admin/"


@pytest.mark.usefixtures("has_email")
def test_forty_are_sent_and_the_list_says_who_has_not_accepted(office: Client) -> None:
    page = office.get(send(office, **an_invitation(FORTY, do="send"))["Location"])
    assert "40 invitations are on their way." in page.content.decode()
    assert len(mail.outbox) == len(page.context["cl"].result_list) == 40
    choose(Client(), re.search(r"https://program\.example(\S+)", mail.outbox[0].body)[1])
    left = office.get(f"{USERS}?last_login__isnull=True")
    assert (len(left.context["cl"].result_list), left.content.decode().count("Send again")) == (39, 39)


@pytest.mark.usefixtures("has_email")
def test_an_invitation_is_sent_again_and_ends_the_link_before(office: Client, at: SetClock) -> None:
    [first] = read_links(office.post(INVITE, an_invitation()))
    at(NOW + timedelta(seconds=1))
    bo = User.objects.get(username="bo@x.se")
    assert send(office, account_page(bo), do="send").status_code == 302
    assert Client().get(first).context["validlink"] is False
    assert re.search(r"https://program\.example(\S+)", mail.outbox[0].body)[1] != first


@pytest.mark.usefixtures("has_email")
@pytest.mark.parametrize(
    ("language", "subject"), [("sv", "Välj ett nytt lösenord"), ("en", "Choose a new password")]
)
def test_a_message_is_in_the_language_of_the_account(language: str, subject: str, office: Client) -> None:
    anna = create_user("anna", Role.EDITOR, password=PASSWORD)
    keep(anna, language=language)
    # Whatever the browser speaks that asks for it.
    Client(HTTP_ACCEPT_LANGUAGE="en").post("/admin/password/", {"email": anna.email})
    for thread in enumerate_threads():
        if thread.name == "account-mail":
            thread.join(60)
    assert [message.subject for message in mail.outbox] == [subject]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("has_email")
def test_a_mail_server_that_is_away_is_shown_in_the_list_and_logged_without_links(
    office: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = office.get(send(office, **an_invitation("bo@x.se\ncilla@x.se", do="send"))["Location"])
    assert page.content.decode().count("The message could not be sent.") == 2
    found = [each for each in caplog.records if each.name.startswith("festival.accounts")]
    assert [each.getMessage()[:50] for each in found] == [
        "A link for choosing a password could not be sent: "
    ] * 2
    assert "/admin/password/" not in caplog.text
