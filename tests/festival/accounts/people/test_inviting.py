"""Inviting: a pasted list, all of it or nothing, and each gets a link."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client, TestCase
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from festival.accounts.access import is_invited
from festival.accounts.links import build_link
from festival.accounts.log import read_lines
from festival.accounts.people.pasted import read_people
from programme.backoffice.roles import Role, role_of
from tests.conftest import NOW, SetClock
from tests.festival.accounts.people.office import (
    INVITE,
    USERS,
    account_page,
    an_invitation,
    create_user,
    open_office,
    wait_for_mail,
)
from tests.programmes import PARKEN, TORGET

TAKEN = "There is an account with this address already. Extend it if it has ended."
ONE = "Write one e-mail address in each line."
INVALID = "Enter a valid email address."


@pytest.fixture
def office(at: SetClock, sample: None) -> Client:
    at(NOW)
    return open_office(create_user("chief", Role.CHIEF_EDITOR, first_name="Cilla", last_name="Ek"))


def find_invited() -> User:
    return User.objects.get(username="bo@x.se")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("anna@x.se", ("", "", "anna@x.se")),
        (" \u00a0Anna.Berg@X.SE ", ("", "", "anna.berg@x.se")),
        ("Anna von Essen <anna@x.se>;", ("Anna", "von Essen", "anna@x.se")),
        ('"Berg, Anna" <anna@x.se>', ("Anna", "Berg", "anna@x.se")),
        ("Anna Berg <mailto:anna@x.se>", ("Anna", "Berg", "anna@x.se")),
        ("Anna\tBerg\tanna@x.se\t070-123 45 67", ("Anna", "Berg", "anna@x.se")),
        ("anna@x.se\tAnna Berg\tTorget", ("Anna", "Berg", "anna@x.se")),
        ("Anna Berg, anna@x.se", ("Anna", "Berg", "anna@x.se")),
        ("anna@x.se\nAnna Berg <ANNA@x.se>", ("", "", "anna@x.se")),
    ],
)
def test_lines_are_read_as_mail_programs_and_sheets_have_them(text: str, found: tuple[str, ...]) -> None:
    [user] = read_people(text)
    assert (user.first_name, user.last_name, user.email) == found
    assert (user.username, user.pk) == (user.email, None)


@pytest.mark.django_db
@given(st.text(max_size=60))
def test_any_text_is_people_or_is_refused(text: str) -> None:
    people: Sequence[User] = []
    with suppress(ValidationError):
        people = read_people(text)
    assert all("@" in user.email for user in people)


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        (
            {
                "people": "Bo <bo@x.se>\n\nfel\nChief <CHIEF@kulturnatten.example>\nAnna <anna@x>\na@x.se b@x.se"
            },
            {"people": [f"Line 3: {ONE}", f"Line 4: {TAKEN}", f"Line 5: {INVALID}", f"Line 6: {ONE}"]},
        ),
        ({"people": " \n"}, {"people": ["This field is required."]}),
        (
            {"people": "\n".join(f"a{n}@x.se" for n in range(201))},
            {"people": ["These are 201 rows. Invite at most 200 at a time."]},
        ),
        ({"role": ""}, {"role": ["This field is required."]}),
        ({"role": Role.AREA_EDITOR.value}, {"areas": ["Choose at least one area."]}),
        ({"last_day": "2026-07-28"}, {"last_day": ["This day is over."]}),
        ({"last_day": "soon"}, {"last_day": ["Enter a valid date."]}),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nobody_is_invited(
    office: Client, fields: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    page = office.post(INVITE, an_invitation(**fields))
    assert page.context["form"].errors == errors
    # The text is still there, to be corrected.
    assert page.context["form"]["people"].value() == an_invitation(**fields)["people"]
    assert User.objects.count() == 1


def test_people_get_role_areas_last_day_a_link_and_no_password(office: Client) -> None:
    fields = {"role": Role.AREA_EDITOR.value, "areas": [TORGET, PARKEN], "last_day": "2026-08-01"}
    page = office.post(INVITE, an_invitation("Bo von Ek <Bo@X.se>", **fields))
    assert "no-store" in page["Cache-Control"]
    bo = find_invited()
    assert build_link(bo) in page.content.decode()
    found = (bo.first_name, bo.last_name, bo.is_staff, bo.is_superuser, bo.has_usable_password())
    assert found == ("Bo", "von Ek", True, False, False)
    assert (role_of(bo), bo.account.last_day, is_invited(bo)) == (Role.AREA_EDITOR, date(2026, 8, 1), True)
    assert {each.area_id for each in bo.edited_areas.all()} == {TORGET, PARKEN}
    assert [(text.partition(" ·")[0], entry.user.username) for entry, text in read_lines(bo, 9)] == [
        ("link for a password made", "chief"),
        ("last day changed", "chief"),
        ("areas changed", "chief"),
        ("rights given", "chief"),
    ]


def send(browser: Client, address: str = INVITE, **fields: Any) -> Any:
    """Send a form, and wait until the messages have left."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        response = browser.post(address, fields)
    wait_for_mail()
    return response


def test_an_invitation_is_sent_in_both_languages_and_again(
    office: Client, settings: Settings, at: SetClock
) -> None:
    settings.HAS_EMAIL = True
    page = send(office, **an_invitation("Bo Ek <bo@x.se>\ncilla@x.se", do="send"))
    assert page["Location"] == f"{USERS}?last_login__isnull=True"
    assert "2 invitations are on their way." in office.get(page["Location"]).content.decode()
    message, _other = mail.outbox
    link = build_link(find_invited())
    assert message.to == ["bo@x.se"]
    assert message.subject == "Your account for the programme: Kulturnatten i Åsunda"
    assert message.body == (
        "Hello Bo,\n\n"
        "Cilla Ek invites you to write the programme of Kulturnatten i Åsunda as editor. Writes events of every"
        " area, and corrects published ones, too: readers see that at once. Neither publishes nor withdraws.\n\n"
        "Choose your password here. The link is valid for three days and can be used once:\n\n"
        f"{link}\n\n"
        "Later you sign in at https://program.example/admin/ as bo@x.se.\n\n"
        "Hej Bo!\n\n"
        "Cilla Ek bjuder in dig att skriva programmet för Kulturnatten i Åsunda som redaktör. Skriver"
        " programpunkter i alla områden och rättar även publicerade: det ser läsarna direkt."
        " Varken publicerar eller drar tillbaka.\n\n"
        "Välj ditt lösenord här. Länken gäller i tre dagar och kan användas en gång:\n\n"
        f"{link}\n\n"
        "Sedan loggar du in på https://program.example/admin/ som bo@x.se.\n"
    )
    at(NOW.replace(second=1))
    assert send(office, account_page(find_invited()), do="send").status_code == 302
    again = re.search(r"https://program\.example(\S+)", mail.outbox[-1].body)[1]
    assert [
        Client().get(each.removeprefix("https://program.example")).status_code for each in (link, again)
    ] == [200, 302]


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_that_is_away_is_shown_in_the_list_and_logged_without_links(
    office: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.HAS_EMAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = office.get(send(office, **an_invitation("bo@x.se\ncilla@x.se", do="send"))["Location"])
    assert page.content.decode().count("The message could not be sent.") == 2
    found = [each.getMessage() for each in caplog.records if each.name.startswith("festival.accounts")]
    assert [each[:50] for each in found] == ["A link for choosing a password could not be sent: "] * 2
    assert "/admin/password/" not in caplog.text
