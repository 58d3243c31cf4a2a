"""Passwords that anybody would guess are refused, with what to write instead; others are not."""

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import translation

from festival.accounts.password_rules import NotGuessableValidator
from programme.models import Festival

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
