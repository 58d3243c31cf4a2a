"""Passwords are hashed with Argon2, one at a time."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, identify_hasher, make_password
from django.contrib.auth.models import User
from django.test import override_settings

from festival.accounts import hashing
from tests.festival.accounts.browsers import PASSWORD, open_browser, sign_in

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


@override_settings(PASSWORD_HASHERS=HASHERS)
def test_one_is_hashed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    encode = hashing.Argon2PasswordHasher.encode

    def count(self: Any, *arguments: Any) -> str:
        inside.append(len(inside))
        encoded = encode(self, *arguments)
        inside.pop()
        return encoded if not inside else ""

    monkeypatch.setattr(hashing.Argon2PasswordHasher, "encode", count)
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(make_password, ["a", "b", "c", "d"]))
