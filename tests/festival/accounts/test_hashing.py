"""Passwords are hashed with Argon2, one at a time; what anybody would guess is refused."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, identify_hasher, make_password
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import override_settings
from django.utils import translation

from festival.accounts import passwords
from festival.accounts.passwords import NotGuessableValidator
from programme.models import Festival
from tests.festival.accounts.browsers import PASSWORD, open_browser, sign_in

HASHERS = ["festival.accounts.passwords.Argon2Hasher", "festival.accounts.passwords.OldPBKDF2Hasher"]


@override_settings(PASSWORD_HASHERS=HASHERS)
def test_passwords_are_hashed_with_named_parameters() -> None:
    encoded = make_password(PASSWORD)
    assert encoded.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert (check_password(PASSWORD, encoded), check_password("another", encoded)) == (True, False)


def test_the_settings_have_them() -> None:
    # The tests' own hasher is faster.
    assert settings.PASSWORD_HASHERS == ["django.contrib.auth.hashers.MD5PasswordHasher"]
    import festival.settings  # noqa: PLC0415 - as they are read

    assert festival.settings.PASSWORD_HASHERS == HASHERS


@override_settings(PASSWORD_HASHERS=HASHERS)
def test_an_old_hash_works_and_is_renewed(anna: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 1)
    User.objects.update(password=PBKDF2PasswordHasher().encode(PASSWORD, "salt"))
    assert sign_in(open_browser()).status_code == 302
    anna.refresh_from_db()
    assert identify_hasher(anna.password).algorithm == "argon2"


@override_settings(PASSWORD_HASHERS=HASHERS)
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


# --- Rules ----------------------------------------------------------------------------------------

GUESSABLE = [
    "sommar26",
    "Sommaren2026!",
    "Sommar2026Sommar2026",
    "S0mm4r2026!!",
    "VinterHöst1999",
    "lösenord12345",
    "välkommen-2026",
    "Lördag11augusti",
    "qwertyuiop123",
    "asdfghjklöä12",
    "1qaz2wsx3edc",
    "abcdefghijklmn",
    "aaaaaaaaaaaaaa",
    "121212121212",
    "hejhejhejhej12",
    "stockholm2026!",
    "Kulturnatten2026",
    "KulturNatten!!26",
    "annaandersson26",
    "andersson.anna1",
    "festival2026!",
    "sommar2026!!",
    "Midsommar2026",
]
GOOD = [
    "korrekt häst batteri häftstift",
    "Sju lyktor över kanalen 1932",
    "grävskopa-tofflor-hertig",
    "x7#Kp2!vQm9z",
    "trombonblåsbälg",
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


def test_a_very_long_password_takes_no_time(user: User) -> None:
    NotGuessableValidator().validate("korrekt häst batteri häftstift" * 10_000, user)


def test_the_message_says_what_is_wrong_in_the_readers_language(user: User) -> None:
    with translation.override("sv"), pytest.raises(ValidationError) as refused:
        NotGuessableValidator().validate("sommar26", user)
    assert refused.value.messages == [
        "Det här lösenordet är lätt att gissa: det består av vanliga ord, namn, årtal eller tangenter i rad."
    ]


def test_eleven_characters_are_too_few(user: User) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password("x7#Kp2!vQm9", user)
    assert [each.code for each in refused.value.error_list] == ["password_too_short"]
