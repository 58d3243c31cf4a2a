"""Fixtures of the tests of accounts: an editor with a password, and a clock that stands still everywhere."""

from collections.abc import Iterator

import pytest
import time_machine
from django.contrib.auth.models import User

from programme.backoffice.roles import Role, assign_role
from tests.conftest import NOW
from tests.festival.accounts.browsers import PASSWORD


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """The clock of the service and of its libraries, at NOW; tests move it."""
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def anna(db: None, clock: time_machine.Traveller) -> User:
    user = User.objects.create_user("anna", "anna@kulturnatten.example", PASSWORD, is_staff=True)
    assign_role(user, Role.CHIEF_EDITOR)
    return user


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that have been hashed since."""
    from django.contrib.auth.hashers import MD5PasswordHasher  # noqa: PLC0415 - the tests' hasher

    encode, passwords = MD5PasswordHasher.encode, []

    def remember(self: MD5PasswordHasher, password: str, salt: str) -> str:
        passwords.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", remember)
    return passwords
