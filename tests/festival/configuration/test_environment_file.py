"""The settings file: which one is read, and what is read of it."""

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from festival.configuration import environment
from festival.configuration.environment import load


@pytest.fixture
def places(monkeypatch, tmp_path) -> list[Path]:
    """The places where the file is looked for: the system's and the checkout's."""
    files = [tmp_path / "festival.env", tmp_path / ".env"]
    monkeypatch.setattr(environment, "DEFAULT_FILES", files)
    return files


def loaded(**environment: str) -> dict[str, str]:
    load(environment)
    return environment


# --- Which file -------------------------------------------------------------------------------


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
    assert str(error.value) == "FESTIVAL_ENV_FILE names a file that does not exist: /no/such/file."


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


# --- Its syntax -------------------------------------------------------------------------------

WRITTEN = {
    "a=\nb=": {"a": "", "b": ""},
    "#b=2\n\n  # another\na=1": {"a": "1"},
    "a=1 # no comment": {"a": "1 # no comment"},
    "a=1#2;3": {"a": "1#2;3"},
    "a=1 \t\n": {"a": "1"},
    "a=1\r\nb=2\r\n": {"a": "1", "b": "2"},
    "a=1\na=2": {"a": "2"},
    "a=b=c": {"a": "b=c"},
    "export a=1": {"a": "1"},
    "a=$HOME ${b} `c` %d": {"a": "$HOME ${b} `c` %d"},
    'a="$HOME %d"': {"a": "$HOME %d"},
    'a=it\'s "so"': {"a": 'it\'s "so"'},
    "a='1 # 2'": {"a": "1 # 2"},
    "a='back\\slash'": {"a": "back\\slash"},
    "a=åäö €": {"a": "åäö €"},
    "a=''": {"a": ""},
}


@pytest.mark.parametrize(("text", "expected"), WRITTEN.items())
def test_what_is_written_is_read(places, text, expected):
    places[0].write_bytes(text.encode())
    read = loaded()
    del read["FESTIVAL_ENV_FILE"]
    assert read == expected


@pytest.mark.parametrize(
    "password", ["p@ss/w:rd", "å€ #1", "'\"", "\\", "$HOME", "`id`", "a%20b", "; rm", "x\\"]
)
def test_a_password_between_quotes_is_what_was_meant(places, password):
    escaped = password.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("`", "\\`")
    places[0].write_text(f'a="{escaped}"')
    assert loaded()["a"] == password


@pytest.mark.parametrize("line", ["b", "A-B=1", "=1", "SECRET KEY=abc", "a = 1"])
def test_a_line_that_is_no_setting_is_refused_without_its_value(places, line):
    places[0].write_text(f"# 1\na=1\n{line}\n")
    with pytest.raises(ImproperlyConfigured) as error:
        loaded()
    assert str(error.value) == f"{places[0]}, line 3: write NAME=value."
