"""Passwords are hashed with Argon2, one at a time, and refused when too many wait."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, identify_hasher, make_password
from django.contrib.auth.models import User
from django.test import Client, override_settings
from pytest_django.fixtures import Settings

from festival.accounts import hashing
from festival.accounts.hashing import HashingBusyError, Turns
from tests.festival.accounts.browsers import LOGIN, PASSWORD, open_browser, sign_in

HASHERS = ["festival.accounts.hashing.Argon2Hasher", "festival.accounts.hashing.OldPBKDF2Hasher"]


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


def test_one_has_a_turn_while_some_wait_and_others_are_refused() -> None:
    turns, inside, leave = Turns(waiting=1, seconds=30), Event(), Event()

    def hash_slowly() -> str:
        with turns.take():
            inside.set()
            leave.wait(30)
        return "done"

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(hash_slowly)
        inside.wait(30)
        second = pool.submit(hash_slowly)
        # The second takes the place that is left.
        while turns._places._value:
            pass
        with pytest.raises(HashingBusyError), turns.take():
            pass
        leave.set()
        assert (first.result(), second.result()) == ("done", "done")


def test_who_waits_too_long_is_refused() -> None:
    turns = Turns(waiting=1, seconds=0.01)
    with turns.take(), ThreadPoolExecutor(1) as pool:
        with pytest.raises(HashingBusyError):
            pool.submit(turns.take().__enter__).result()
        with turns.take():
            "A turn within a turn."


@override_settings(PASSWORD_HASHERS=HASHERS)
def test_a_busy_service_asks_to_wait_and_counts_nothing(
    anna: User, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"sign_in_to_account": "2/15m/key", "sign_in_from_address": "2/15m/ip"}
    monkeypatch.setattr(hashing, "turns", busy := Turns(waiting=0, seconds=0))
    browser: Client = open_browser()
    with ThreadPoolExecutor(1) as pool:
        turn = busy.take()
        pool.submit(turn.__enter__).result()
        for _attempt in range(3):
            response = sign_in(browser)
            assert (response.status_code, response["Retry-After"]) == (503, "5")
        assert "Too many people are signing in at this moment." in response.content.decode()
        pool.submit(turn.__exit__, None, None, None).result()
    User.objects.update(password=make_password(PASSWORD))
    assert browser.post(LOGIN, {"username": "anna", "password": PASSWORD}).status_code == 302
