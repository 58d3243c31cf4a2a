"""`festival user`: accounts are made without a password on the command line and given links."""

import io
import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from programme.backoffice.roles import Role, role_of

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("user", *arguments, stdout=out)
    return out.getvalue()


def test_the_first_administrator_gets_a_role_and_a_link_and_is_helped() -> None:
    said = run("create", "anna", "--role=administrator", "--email=anna@kulturnatten.example")
    anna = User.objects.get()
    found = (anna.username, anna.email, anna.is_staff, anna.is_superuser, anna.has_usable_password())
    assert found == ("anna", "anna@kulturnatten.example", True, False, False)
    assert role_of(anna) == Role.ADMINISTRATOR
    assert re.fullmatch(
        r"Give anna this link, by a way that nobody else reads\. A password is chosen there\.\n"
        r"It is valid for three days, and once:\n\n"
        r"https://program\.example/admin/password/\w+/\w+-\w+/\n",
        said,
    )
    assert run("reset-two-factor", "anna") == "The account anna signs in with the password alone now.\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["create", "anna", "--role=editor"], "A user with that username already exists."),
        (
            ["create", "an na", "--role=editor", "--email=none"],
            "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters."
            " Enter a valid email address.",
        ),
        (["link", "lisa"], "There is no account lisa."),
        (["link", "anna"], "The account anna is deactivated, has ended, or has no role."),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(arguments: list[str], reason: str) -> None:
    User.objects.create_user("anna", is_staff=True, is_active=False)
    with pytest.raises(CommandError) as error:
        run(*arguments)
    assert str(error.value) == reason
    assert [each.username for each in User.objects.all()] == ["anna"]
