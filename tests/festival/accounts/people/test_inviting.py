"""Inviting: a list is shown row by row, all of it is done or nothing, and each gets a link that works once."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client, TestCase
from pytest_django.fixtures import Settings

from festival.accounts.access import is_invited
from festival.accounts.models import AccountEvent
from festival.accounts.passwords import build_link
from festival.accounts.people import inviting
from festival.accounts.people.inviting import invite
from programme.backoffice.roles import Role, role_of
from tests.conftest import NOW, SetClock
from tests.festival.accounts.people.office import (
    INVITE,
    USERS,
    account_page,
    an_invitation,
    choose_password,
    create_user,
    open_office,
    wait_for_mail,
)
from tests.programmes import PARKEN, TORGET


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


def find_invited() -> User:
    return User.objects.get(username="bo@x.se")


# --- The list ---------------------------------------------------------------------------------


def test_the_preview_names_everybody_and_does_nothing(office: Client) -> None:
    page = office.post(INVITE, an_invitation("Bo Ek <bo@x.se>\n\ncilla@x.se", do="preview"))
    assert read_rows(page) == [
        ["1", "Bo Ek", "bo@x.se", "Is invited as editor"],
        ["3", "", "cilla@x.se", "Is invited as editor"],
    ]
    assert User.objects.count() == 1


def test_people_in_one_list_get_different_roles(office: Client) -> None:
    people = "bo@x.se\ncilla@x.se, Cilla Ek, area editor\ndora@x.se\tchefredaktör"
    page = office.post(INVITE, an_invitation(people, do="preview"))
    assert page.context["form"].errors == {"areas": ["Choose at least one area."]}
    sent = an_invitation(people, areas=[TORGET])
    page = office.post(INVITE, sent | {"do": "preview"})
    assert [row[-1] for row in read_rows(page)] == [
        "Is invited as editor", "Is invited as area editor", "Is invited as chief editor"
    ]  # fmt: skip
    office.post(INVITE, sent | {"do": "links"})
    users = [User.objects.get(username=f"{name}@x.se") for name in ("bo", "cilla", "dora")]
    assert [role_of(user) for user in users] == [Role.EDITOR, Role.AREA_EDITOR, Role.CHIEF_EDITOR]
    assert [[each.area_id for each in user.edited_areas.all()] for user in users] == [[], [TORGET], []]


def test_nobody_gives_a_greater_role_in_a_line(office: Client) -> None:
    page = office.post(INVITE, an_invitation("bo@x.se, Bo, administrator\nkim@x.se", do="preview"))
    assert read_rows(page) == [["1", "Bo", "bo@x.se", "You may not give this role."]]
    assert User.objects.count() == 1


@pytest.mark.parametrize("do", ["preview", "send", "links"])
def test_one_wrong_row_and_nobody_is_invited(office: Client, do: str) -> None:
    people = "Bo <bo@x.se>\nfel\nChief <CHIEF@kulturnatten.example>"
    page = office.post(INVITE, an_invitation(people, do=do))
    assert [row[-1] for row in read_rows(page)] == [
        "There is no e-mail address in this line.",
        "There is an account with this address already. Extend it in the list of users if it has ended.",
    ]
    # The text is still there, to be corrected.
    assert page.context["form"]["people"].value() == people
    assert User.objects.count() == 1


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
    assert [*office.post(INVITE, an_invitation(**fields)).context["form"].errors] == [field]
    assert User.objects.count() == 1


def test_people_get_role_areas_last_day_and_no_password(office: Client) -> None:
    fields = {"role": Role.AREA_EDITOR.value, "areas": [TORGET, PARKEN], "last_day": "2026-08-01"}
    office.post(INVITE, an_invitation("Bo von Ek <Bo@X.se>", **fields))
    bo = find_invited()
    assert (bo.email, bo.first_name, bo.last_name, bo.is_staff, bo.is_superuser) == (
        *("bo@x.se", "Bo", "von Ek"),
        *(True, False),
    )
    assert (role_of(bo), bo.account.last_day, bo.has_usable_password(), is_invited(bo)) == (
        *(Role.AREA_EDITOR, date(2026, 8, 1)),
        *(False, True),
    )
    assert {each.area_id for each in bo.edited_areas.all()} == {TORGET, PARKEN}
    events = AccountEvent.objects.filter(account=bo, by="chief").order_by("pk")
    assert [event.kind for event in events] == ["created", *["rights"] * 3, "last-day", "invited"]


def test_two_who_invite_the_same_person_at_once_do_it_once(
    office: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def invite_meanwhile(form: Any) -> Any:
        monkeypatch.setattr(inviting, "invite", invite)
        office.post(INVITE, an_invitation("bo@x.se"))
        return invite(form)

    monkeypatch.setattr(inviting, "invite", invite_meanwhile)
    page = office.post(INVITE, an_invitation("cilla@x.se\nbo@x.se"))
    assert "There is an account with this address already." in read_rows(page)[0][-1]
    assert User.objects.filter(username__endswith="@x.se").count() == 1


# --- Links ------------------------------------------------------------------------------------


def test_a_link_leads_once_over_a_password_to_the_start_page(office: Client) -> None:
    [link] = read_links(office.post(INVITE, an_invitation()))
    browser = Client(HTTP_ACCEPT_LANGUAGE="en")
    # Programs that look through mail open it, too.
    assert Client().head(link).status_code == 302
    page = browser.get(link, follow=True)
    assert (page.context["title"], "bo@x.se" in page.content.decode()) == ("Choose your password", True)
    done = choose_password(browser, link)
    assert (done.request["PATH_INFO"], done.status_code) == ("/admin/", 200)
    bo = find_invited()
    assert (bo.has_usable_password(), is_invited(bo)) == (True, False)
    events = AccountEvent.objects.filter(account=bo)[:2]
    assert [(event.kind, event.detail) for event in events] == [("signed-in", "password"), ("password", "")]
    assert Client().get(link).context["validlink"] is False


@pytest.mark.parametrize(("age", "valid"), [(timedelta(days=7), True), (timedelta(days=7, seconds=1), False)])
def test_a_link_is_valid_for_a_week(office: Client, at: SetClock, age: timedelta, valid: bool) -> None:
    [link] = read_links(office.post(INVITE, an_invitation()))
    at(NOW + age)
    assert Client().get(link, follow=True).context["validlink"] is valid


def test_a_new_link_ends_those_before(office: Client, at: SetClock) -> None:
    [first] = read_links(office.post(INVITE, an_invitation()))
    at(NOW + timedelta(seconds=1))
    [second] = read_links(office.post(account_page(find_invited()), {"do": "link"}))
    assert Client().get(first).context["validlink"] is False
    assert choose_password(Client(), second).request["PATH_INFO"] == "/admin/"


def test_a_withdrawn_invitation_leaves_nothing(office: Client) -> None:
    [link] = read_links(office.post(INVITE, an_invitation()))
    assert office.post(account_page(find_invited()), {"do": "withdraw"})["Location"] == USERS
    assert Client().get(link).context["validlink"] is False
    assert not User.objects.filter(username="bo@x.se").exists()
    # Who has come in is not withdrawn.
    [link] = read_links(office.post(INVITE, an_invitation()))
    choose_password(Client(), link)
    assert office.post(account_page(find_invited()), {"do": "withdraw"}).status_code == 403


# --- By e-mail --------------------------------------------------------------------------------


@pytest.fixture
def has_email(settings: Settings) -> None:
    settings.HAS_EMAIL = True


def send(browser: Client, address: str = INVITE, **fields: Any) -> Any:
    """Send a form, and wait until the messages have left."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        response = browser.post(address, fields)
    wait_for_mail()
    return response


@pytest.mark.usefixtures("has_email")
def test_an_invitation_is_sent_in_both_languages_because_nobody_knows_which(office: Client) -> None:
    page = send(office, **an_invitation("Bo Ek <bo@x.se>\ncilla@x.se", do="send"))
    assert page["Location"] == f"{USERS}?last_login__isnull=True"
    page = office.get(page["Location"]).content.decode()
    assert ("2 invitations are on their way." in page, page.count("Send again")) == (True, 2)
    message, _other = mail.outbox
    link = build_link(find_invited())
    assert (message.to, message.subject) == (
        ["bo@x.se"],
        "Your account for the programme: Kulturnatten i Åsunda",
    )
    assert message.body == (
        "Hello Bo,\n\n"
        "Cilla Ek invites you to write the programme of Kulturnatten i Åsunda as editor. Writes events of every"
        " area, and corrects published ones, too: readers see that at once. Neither publishes nor withdraws.\n\n"
        "Choose your password here. The link is valid for seven days and can be used once:\n\n"
        f"{link}\n\n"
        "Later you sign in at https://program.example/admin/ as bo@x.se.\n\n"
        "Hej Bo!\n\n"
        "Cilla Ek bjuder in dig att skriva programmet för Kulturnatten i Åsunda som redaktör. Skriver"
        " programpunkter i alla områden och rättar även publicerade: det ser läsarna direkt."
        " Varken publicerar eller drar tillbaka.\n\n"
        "Välj ditt lösenord här. Länken gäller i sju dagar och kan användas en gång:\n\n"
        f"{link}\n\n"
        "Sedan loggar du in på https://program.example/admin/ som bo@x.se.\n"
    )


@pytest.mark.usefixtures("has_email")
def test_an_invitation_is_sent_again_and_ends_the_link_before(office: Client, at: SetClock) -> None:
    [first] = read_links(office.post(INVITE, an_invitation()))
    at(NOW + timedelta(seconds=1))
    assert send(office, account_page(find_invited()), do="send").status_code == 302
    assert Client().get(first).context["validlink"] is False
    assert build_link(find_invited()) in mail.outbox[0].body


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
