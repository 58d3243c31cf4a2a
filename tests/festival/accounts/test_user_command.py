"""`festival user`: accounts are made without a password on the command line, listed and deactivated."""

import io
import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client

from festival.management.commands import user as command
from programme.backoffice.roles import Role, role_of
from programme.models import Area


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("user", *arguments, stdout=out)
    return out.getvalue()


def refused(*arguments: str) -> str:
    with pytest.raises(CommandError) as error:
        run(*arguments)
    return str(error.value)


@pytest.mark.django_db
def test_the_first_administrator_gets_a_role_and_a_link() -> None:
    said = run("create", "anna", "--role=administrator", "--email=anna@kulturnatten.example")
    anna = User.objects.get()
    assert (anna.username, anna.email, anna.is_staff, anna.is_superuser) == (
        *("anna", "anna@kulturnatten.example"),
        *(True, False),
    )
    assert (role_of(anna), anna.has_usable_password()) == (Role.ADMINISTRATOR, False)
    assert re.fullmatch(
        r"Give anna this link, by a way that nobody else reads\. A password is chosen there\.\n"
        r"It is valid for 7 days, and once:\n\n"
        r"https://program\.example/admin/password/\w+/\w+-\w+/\n",
        said,
    )


def test_an_area_editor_has_areas(sample: None) -> None:
    name = Area.objects.all()[0].name
    run("create", "lisa", "--role=area-editor", f"--area={name.upper()}")
    assert [each.area.name for each in User.objects.get(username="lisa").edited_areas.all()] == [name]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ["create", "anna", "--role=editor"],
            "There is an account anna already. `festival user link anna` prints a new link.",
        ),
        (
            ["create", "an na", "--role=editor", "--email=none"],
            "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters."
            " Enter a valid email address.",
        ),
        (
            ["create", "lisa", "--role=area-editor"],
            "Name the areas of an area editor, and of nobody else, with --area.",
        ),
        (["create", "lisa", "--role=area-editor", "--area=nowhere"], "There is no area nowhere."),
        (["link", "lisa"], "There is no account lisa. `festival user list` lists all of them."),
        (["deactivate", "lisa"], "There is no account lisa. `festival user list` lists all of them."),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(arguments: list[str], reason: str) -> None:
    User.objects.create_user("anna")
    assert refused(*arguments) == reason
    assert [each.username for each in User.objects.all()] == ["anna"]


@pytest.mark.django_db
def test_accounts_are_listed() -> None:
    run("create", "anna", "--role=administrator", "--email=anna@kulturnatten.example")
    run("create", "bo", "--role=chief-editor")
    User.objects.create_superuser("root")
    run("deactivate", "bo")
    assert run("list") == (
        "Name  Role                       E-mail                     Last sign-in\n"
        "anna  administrator              anna@kulturnatten.example  never\n"
        "bo    chief editor, deactivated                             never\n"
        "root  superuser                                             never\n"
    )


@pytest.mark.django_db
def test_the_last_sign_in_is_listed_in_the_festivals_time_zone() -> None:
    User.objects.create_superuser("root", last_login=datetime(2026, 7, 28, 22, 30, tzinfo=UTC))
    assert run("list").split("\n")[1] == "root  superuser          2026-07-29 00:30 CEST"


@pytest.mark.django_db
def test_a_deactivated_account_is_signed_out_and_gets_no_link(client: Client) -> None:
    run("create", "anna", "--role=administrator")
    client.force_login(User.objects.get())
    assert client.get("/admin/").status_code == 200
    said = run("deactivate", "anna")
    assert said == "The account anna is deactivated: its sessions are over, and it cannot sign in.\n"
    assert client.get("/admin/").status_code == 302
    assert refused("link", "anna") == "The account anna is deactivated; an administrator can activate it."


@pytest.mark.django_db
def test_a_new_link_ends_the_former_one_of_an_account_without_a_password(client: Client) -> None:
    first = link_in(run("create", "anna", "--role=administrator"))
    second = link_in(run("link", "anna"))
    assert client.get(first).status_code == 200
    assert client.get(first).context["validlink"] is False
    assert client.get(second).status_code == 302


def link_in(text: str) -> str:
    return re.search(r"https://program\.example(/\S+)", text)[1]


@pytest.mark.django_db
def test_a_database_that_cannot_be_used_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: command.Command) -> None:
        raise OperationalError("no such table: auth_user\nLINE 1: SELECT …")

    failing: Callable[[command.Command], None] = fail
    monkeypatch.setattr(command.Command, "list", failing)
    assert refused("list") == "The database cannot be used (no such table: auth_user). Is it migrated?"
