"""Environment variables that cannot be understood are named, and a password never."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from festival.configuration.environment import INVALID_DATABASE_URL, INVALID_EMAIL_URL, Environment


@pytest.fixture
def env(monkeypatch):
    def environment(**variables):
        reader = Environment()
        monkeypatch.setattr(reader, "ENVIRON", variables)
        return reader

    return environment


def test_a_number_that_is_none_is_named_with_its_variable(env):
    with pytest.raises(ImproperlyConfigured, match=r"^ANSWERS_MB is not a number: '64 MB'\.$"):
        env(ANSWERS_MB="64 MB").int("ANSWERS_MB", default=64)


def test_the_names_of_what_is_set_are_kept(env, monkeypatch):
    monkeypatch.setattr(Environment, "names", set())
    reader = env(ANSWERS_MB="32", DEBUG="")
    reader.int("ANSWERS_MB", default=64)
    reader.bool("DEBUG")
    reader.str("BASE_URL", default="")
    assert Environment.names == {"ANSWERS_MB", "DEBUG"}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "festival",
        "http://example.org/festival",
        "sqlite:///festival.sqlite3",
        "sqlite://",
        "mysql://user:secret@localhost/festival",
        "postgres://user:secret@localhost",
        "postgres://user:secret@localhost:port/festival",
        "postgres://user:secret@localhost:99999/festival",
    ],
)
def test_a_database_that_cannot_be_understood_is_said_without_its_password(env, url):
    with pytest.raises(ImproperlyConfigured) as error:
        env(DATABASE_URL=url).db("DATABASE_URL", default="sqlite:////tmp/festival.sqlite3")
    assert str(error.value) == INVALID_DATABASE_URL


@pytest.mark.parametrize(
    ("url", "engine", "name"),
    [
        ("postgres://user:se%40cret@localhost:5433/festival", "postgresql", "festival"),
        ("postgresql:///festival?sslmode=require", "postgresql", "festival"),
        ("sqlite:////srv/festival.sqlite3", "sqlite3", "/srv/festival.sqlite3"),
    ],
)
def test_a_database_is_found_by_its_url(env, url, engine, name):
    database = env(DATABASE_URL=url).db("DATABASE_URL", default="sqlite:////tmp/festival.sqlite3")
    assert (database["ENGINE"], database["NAME"]) == (f"django.db.backends.{engine}", name)


@pytest.mark.parametrize("secret", ["$HOME", "$$", r"\$x", "a,b c=d"])
def test_a_text_that_looks_like_a_variable_is_a_text(env, secret):
    assert env(SECRET_KEY=secret, HOME="/root").str("SECRET_KEY", default="") == secret


def test_spaces_around_commas_do_not_count(env):
    hosts = env(ALLOWED_HOSTS=" a.example, b.example,").list("ALLOWED_HOSTS", default=["localhost"])
    assert hosts == ["a.example", "b.example"]
    assert env().list("ALLOWED_HOSTS", default=["localhost"]) == ["localhost"]


@pytest.mark.parametrize("name", ["Stockholm", "Europe/Åsunda", "/etc/passwd", "Europe", ""])
def test_a_time_zone_that_is_none_is_refused(env, name):
    with pytest.raises(ImproperlyConfigured) as error:
        env(FESTIVAL_TIME_ZONE=name).time_zone("FESTIVAL_TIME_ZONE", default="Europe/Stockholm")
    message = f"FESTIVAL_TIME_ZONE is not a time zone: {name!r}. Use an IANA name such as Europe/Stockholm."
    assert str(error.value) == message
    assert env().time_zone("FESTIVAL_TIME_ZONE", default="Europe/Stockholm") == "Europe/Stockholm"


def test_a_relative_folder_is_refused(env):
    with pytest.raises(ImproperlyConfigured, match=r"^DATA_DIR must be an absolute path: 'var'\.$"):
        env(DATA_DIR="var").folder("DATA_DIR", default=Path("/srv"))
    assert env(DATA_DIR="").folder("DATA_DIR", default=Path("/srv")) == Path("/srv")


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://localhost", ("localhost", 25, None, None, None, None)),
        ("smtp+tls://post:l%C3%B6s%40ord@mail.example", ("mail.example", 587, "post", "lös@ord", True, None)),
        ("smtp+ssl://post:word@mail.example:4650", ("mail.example", 4650, "post", "word", None, True)),
    ],
)
def test_a_mail_server_is_read(env, url, server):
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    found = env(EMAIL_URL=url).email("EMAIL_URL")
    assert tuple(found.get(f"EMAIL_{name}") for name in names) == server


def test_without_a_mail_server_there_is_none(env):
    assert env().email("EMAIL_URL") == {}


@pytest.mark.parametrize(
    "url", ["mail.example", "https://mail.example", "smtp://", "smtp://post:secret@mail.example:port"]
)
def test_an_invalid_mail_server_is_explained_without_its_password(env, url):
    with pytest.raises(ImproperlyConfigured) as error:
        env(EMAIL_URL=url).email("EMAIL_URL")
    assert str(error.value) == INVALID_EMAIL_URL
