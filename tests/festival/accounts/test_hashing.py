"""Passwords are hashed with Argon2, one at a time; what anybody would guess is refused."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import override_settings

from festival.accounts import passwords
from programme.models import Festival
from tests.festival.accounts.browsers import PASSWORD

ARGON2 = "festival.accounts.passwords.Argon2Hasher"


@override_settings(PASSWORD_HASHERS=[ARGON2])
def test_passwords_are_hashed_with_named_parameters() -> None:
    encoded = make_password(PASSWORD)
    assert encoded.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert (check_password(PASSWORD, encoded), check_password("another", encoded)) == (True, False)


def test_the_settings_have_it_first() -> None:
    # The tests' own hasher is faster.
    import festival.settings  # noqa: PLC0415 - as they are read

    assert festival.settings.PASSWORD_HASHERS[0] == ARGON2


@override_settings(PASSWORD_HASHERS=[ARGON2])
def test_one_is_hashed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    encode = passwords.Argon2PasswordHasher.encode

    def count(self: Any, *arguments: Any) -> str:
        inside.append(len(inside))
        encoded = encode(self, *arguments)
        inside.pop()
        return encoded if not inside else ""

    monkeypatch.setattr(passwords.Argon2PasswordHasher, "encode", count)
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(make_password, ["a", "b", "c", "d"]))


GUESSABLE = [
    "Sommaren2026!",
    "S0mm4r2026!!",
    "VinterHöst1999",
    "lösenord12345",
    "Lördag11augusti",
    "1qaz2wsx3edc",
    "aaaaaaaaaaaaaa",
    "hejhejhejhej12",
    "Kulturnatten2026",
    "andersson.anna1",
    # Eleven characters.
    "x7#Kp2!vQm9",
]
GOOD = [
    *("korrekt häst batteri häftstift", "Sju lyktor över kanalen 1932", "grävskopa-tofflor-hertig"),
    *("x7#Kp2!vQm9z", "trombonblåsbälg"),
]


@pytest.fixture
def user(db: None) -> User:
    Festival.objects.create(name_sv="Kulturnatten", name_en="Culture Night")
    return User(username="anna", first_name="Anna", last_name="Andersson", email="anna@kulturnatten.example")


@pytest.mark.parametrize("password", GUESSABLE)
def test_guessable_passwords_are_refused(user: User, password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, user)


@pytest.mark.parametrize("password", GOOD)
def test_others_are_not(user: User, password: str) -> None:
    validate_password(password, user)
