"""Environment variables that cannot be understood are named, a password never; which settings file is read."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from festival.configuration import environment
from festival.configuration.environment import (
    INVALID_DATABASE_URL,
    INVALID_EMAIL_URL,
    Environment,
    find_unread,
    load,
)


@pytest.fixture
def env(monkeypatch):
    def build(**variables):
        reader = Environment()
        monkeypatch.setattr(reader, "ENVIRON", variables)
        return reader

    return build


def test_a_number_that_is_none_is_named_with_its_variable(env):
    with pytest.raises(ImproperlyConfigured, match=r"^WEB_WORKERS is not a number: '64 MB'\.$"):
        env(WEB_WORKERS="64 MB").int("WEB_WORKERS", default=64)


def test_what_is_neither_true_nor_false_is_named_with_its_variable(env):
    with pytest.raises(ImproperlyConfigured, match=r"^WEB_ACCESS_LOG must be true or false: 'maybe'\.$"):
        env(WEB_ACCESS_LOG="maybe").bool("WEB_ACCESS_LOG", default=True)


@pytest.mark.parametrize(
    ("number", "least", "is_right"), [(0, 1, False), (1, 1, True), (12, 0, True), (13, 0, False)]
)
def test_a_number_has_bounds(env, number, least, is_right):
    reader = env(HOUR=str(number))
    if is_right:
        assert reader.int("HOUR", default=0, least=least, most=12) == number
    else:
        with pytest.raises(ImproperlyConfigured, match=rf"^HOUR must be from {least} to 12: {number}\.$"):
            reader.int("HOUR", default=0, least=least, most=12)


@pytest.mark.parametrize(
    "url",
    [
        *("", "festival", "sqlite:///festival.sqlite3", "mysql://user:secret@localhost/festival"),
        *("postgres://user:secret@localhost", "postgres://user:secret@localhost:port/festival"),
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


def test_a_text_that_looks_like_a_variable_is_a_text(env):
    assert env(SECRET_KEY="$HOME", HOME="/root").str("SECRET_KEY", default="") == "$HOME"


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
        ("smtp+tls://post:l%C3%B6s%40ord@mail.test", ("mail.test", 587, "post", "lös@ord", True, None)),
        ("smtp+ssl://post:word@mail.test:4650", ("mail.test", 4650, "post", "word", None, True)),
    ],
)
def test_a_mail_server_is_read(env, url, server):
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    found = env(EMAIL_URL=url).email("EMAIL_URL")
    assert tuple(found.get(f"EMAIL_{name}") for name in names) == server


def test_without_a_mail_server_there_is_none(env):
    assert env().email("EMAIL_URL") == {}
    # As docs/install.md has it.
    assert env(EMAIL_URL="smtp+tls://user:password@mail.example:587").email("EMAIL_URL") == {}


@pytest.mark.parametrize(
    "url", ["mail.example", "https://mail.example", "smtp://", "smtp://post:secret@mail.example:port"]
)
def test_an_invalid_mail_server_is_explained_without_its_password(env, url):
    with pytest.raises(ImproperlyConfigured) as error:
        env(EMAIL_URL=url).email("EMAIL_URL")
    assert str(error.value) == INVALID_EMAIL_URL


@pytest.fixture
def places(monkeypatch, tmp_path) -> list[Path]:
    """The places where the file is looked for: the system's and the checkout's."""
    files = [tmp_path / "festival.env", tmp_path / ".env"]
    monkeypatch.setattr(environment, "DEFAULT_FILES", files)
    return files


def loaded(**environment: str) -> dict[str, str]:
    load(environment)
    return environment


def test_without_a_file_nothing_is_added(places):
    assert loaded(PATH="/bin") == {"PATH": "/bin"}


def test_the_systems_file_goes_before_the_checkouts(places):
    system, checkout = places
    checkout.write_text("WEB_PORT=8001\nWEB_HOST=::1\n")
    assert loaded() == {"WEB_PORT": "8001", "WEB_HOST": "::1", "FESTIVAL_ENV_FILE": str(checkout)}
    system.write_text("WEB_PORT=8002\n")
    assert loaded() == {"WEB_PORT": "8002", "FESTIVAL_ENV_FILE": str(system)}


def test_a_named_file_goes_before_both_and_variables_win_over_it(places, tmp_path):
    places[0].write_text("WEB_PORT=8002\n")
    named = tmp_path / "another"
    named.write_text("WEB_PORT=8003\nWEB_HOST=::1\n")
    assert loaded(FESTIVAL_ENV_FILE=str(named), WEB_PORT="8004") == {
        "FESTIVAL_ENV_FILE": str(named),
        "WEB_PORT": "8004",
        "WEB_HOST": "::1",
    }


def test_an_empty_name_means_no_file(places):
    places[0].write_text("WEB_PORT=8002\n")
    assert loaded(FESTIVAL_ENV_FILE="") == {"FESTIVAL_ENV_FILE": ""}


def test_a_named_file_that_does_not_exist_is_refused(places):
    places[0].write_text("WEB_PORT=8002\n")
    with pytest.raises(ImproperlyConfigured) as error:
        loaded(FESTIVAL_ENV_FILE="/no/such/file")
    assert str(error.value).startswith("/no/such/file cannot be read (No such file or directory). Run")


def test_a_file_that_cannot_be_read_stops_the_command(places, monkeypatch):
    def refuse(*_arguments: Any, **_options: Any) -> str:
        raise PermissionError(13, "Permission denied")

    places[0].touch()
    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(ImproperlyConfigured) as error:
        loaded()
    assert str(error.value) == (
        f"{places[0]} cannot be read (Permission denied). Run the command as the service's user, as in"
        " `sudo -u festival …`, or set FESTIVAL_ENV_FILE to another file, or to nothing."
    )


WRITTEN = {
    "#b=2\n\n  # another\na=1": {"a": "1"},
    "a=1 # no comment": {"a": "1 # no comment"},
    "a=1\r\nb=\r\n": {"a": "1", "b": ""},
    "export a=b=c": {"a": "b=c"},
    "a=$HOME ${b} `c` %d": {"a": "$HOME ${b} `c` %d"},
    "a='1 # 2'": {"a": "1 # 2"},
}


@pytest.mark.parametrize(("text", "expected"), WRITTEN.items())
def test_what_is_written_is_read(places, text, expected):
    places[0].write_bytes(text.encode())
    read = loaded()
    del read["FESTIVAL_ENV_FILE"]
    assert read == expected


@pytest.mark.parametrize("line", ["b", "A-B=1", "=1", "SECRET KEY=abc", "a = 1"])
def test_a_line_that_is_no_setting_is_refused_without_its_value(places, line):
    places[0].write_text(f"# 1\na=1\n{line}\n")
    with pytest.raises(ImproperlyConfigured) as error:
        loaded()
    assert str(error.value) == f"{places[0]}, line 3: write NAME=value."


def test_variables_that_nobody_reads_are_found_with_the_nearest_name(tmp_path):
    file = tmp_path / "festival.env"
    file.write_text(
        "# OF_A_COMMENT=1\nTWO_FACTOR_REQIRED=true\nexport HSTS_SECONDS=1\nPGHOST=db\nTZ=UTC\nUNLIKE=\n"
    )
    elsewhere = {"EMAIL_ULR": "smtp://localhost", "DATA_DIR": "/srv", "UNLIKE_ALL": "1"}
    assert find_unread(str(file), elsewhere) == {
        "EMAIL_ULR": ["EMAIL_URL"],
        "TWO_FACTOR_REQIRED": ["TWO_FACTOR_REQUIRED"],
        "UNLIKE": [],
    }
    assert find_unread("", {}) == {}
