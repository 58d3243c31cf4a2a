"""Reading the settings from environment variables and the settings file, with django-environ.

Invalid settings raise ImproperlyConfigured with the name, and without values that may contain a password.
"""

import os
import re
from collections.abc import Mapping, MutableMapping
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import environ
from django.core.exceptions import ImproperlyConfigured

from feeds.nearness import find_alike, find_slips

# The environment before the file added to it: a reloaded server reads the file again.
INITIAL_ENVIRONMENT = dict(os.environ)

VARIABLE = "FESTIVAL_ENV_FILE"
# The first one that exists is read.
DEFAULT_FILES = (Path("/etc/festival.env"), Path(__file__).resolve().parents[2] / ".env")
UNREADABLE = (
    "{file} cannot be read ({reason}). Run the command as the service's user, as in `sudo -u festival …`, or"
    f" set {VARIABLE} to another file, or to nothing."
)
_LINE = re.compile(r"$|#|(export )?(?P<name>[A-Za-z_][A-Za-z0-9_]*)=")
# Variables of libraries and Python.
_OF_OTHERS = re.compile(r"PG|PYTHON|SSL_|LC_|(LANG|TZ|PATH)$|\w+_proxy$", re.IGNORECASE)

BOOLEANS = dict.fromkeys(("true", "1", "yes", "on"), True) | dict.fromkeys(("false", "0", "no", "off"), False)
INVALID_DATABASE_URL = (
    "DATABASE_URL is invalid. Use postgres://user:password@host:5432/name or sqlite:////folder/file,"
    " and percent-encode special characters in the password."
)
# The default port of each kind of mail server.
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
INVALID_EMAIL_URL = (
    "EMAIL_URL is invalid. Use smtp+tls://user:password@host:587 (or smtp+ssl://, or smtp:// for a server on"
    " this machine), and percent-encode special characters in user and password."
)


def load(environment: MutableMapping[str, str] = os.environ) -> None:
    """Add the variables of the settings file to the environment; variables that are set take precedence.

    FESTIVAL_ENV_FILE becomes the file's absolute path; an empty value means no file.
    """
    existing = (str(each) for each in DEFAULT_FILES if each.exists())
    named = environment[VARIABLE] if VARIABLE in environment else next(existing, "")
    if not named:
        return
    file = Path(named).absolute()
    try:
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or error
        raise ImproperlyConfigured(UNREADABLE.format(file=file, reason=reason)) from None
    for number, line in enumerate(lines, 1):
        if not _LINE.match(line):
            raise ImproperlyConfigured(f"{file}, line {number}: write NAME=value.")

    class EnvironmentFile(environ.Env):  # type: ignore[misc]  # untyped
        ENVIRON: ClassVar[dict[str, str]] = {}

    EnvironmentFile.read_env(StringIO("\n".join(lines)))
    for name, value in EnvironmentFile.ENVIRON.items():
        environment.setdefault(name, value)
    environment[VARIABLE] = str(file)


def find_unread(file: str, environment: Mapping[str, str] = os.environ) -> dict[str, list[str]]:
    """Return the unused variables, each with a similar name, if any.

    Outside the settings file only misspelt names are included, because the environment has many others.
    """
    lines = map(str.strip, Path(file).read_text(encoding="utf-8").splitlines()) if file else ()
    in_file = {match["name"] for match in map(_LINE.match, lines) if match and match["name"]}
    known = Environment.asked_for
    unread = {name for name in in_file - known if not _OF_OTHERS.match(name)}
    unread |= {name for name in environment.keys() - in_file - known if find_slips(name, known)}
    return {name: find_alike(name, known, 1) for name in sorted(unread)}


class Environment(environ.Env):  # type: ignore[misc]  # the same
    """A reader that raises only ImproperlyConfigured, and records the names of settings."""

    asked_for: ClassVar[set[str]] = set()

    def get_value(self, var: str, cast: Any = None, default: Any = None, *_library: Any) -> Any:
        """Return a value; unlike in the library, `$` at its beginning does not refer to a variable."""
        self.asked_for.add(var)
        if var not in self.ENVIRON:
            return default
        try:
            return self.parse_value(self.ENVIRON[var], cast)
        except ValueError:
            raise ImproperlyConfigured(f"{var} is not a number: {self.ENVIRON[var]!r}.") from None

    def int(self, var: str, default: int, least: int = 0, most: int = 2**31) -> int:
        """Return a number within bounds."""
        number: int = self.get_value(var, int, default)
        if not least <= number <= most:
            raise ImproperlyConfigured(f"{var} must be from {least} to {most}: {number}.")
        return number

    def list(self, var: str, default: list[str]) -> list[str]:
        """Return the parts between commas, without spaces."""
        if self.get_value(var) is None:
            return default
        return [part.strip() for part in self.str(var).split(",") if part.strip()]

    def time_zone(self, var: str, default: str) -> str:
        name: str = self.str(var, default)
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            hint = "Use an IANA name such as Europe/Stockholm."
            raise ImproperlyConfigured(f"{var} is not a time zone: {name!r}. {hint}") from None
        return name

    def folder(self, var: str, default: Path) -> Path:
        """Return an absolute path; a relative one would depend on the current folder."""
        path = Path(self.str(var, default="") or default)
        if not path.is_absolute():
            raise ImproperlyConfigured(f"{var} must be an absolute path: {str(path)!r}.")
        return path

    def bool(self, var: str, default: bool = False) -> bool:
        """Return a boolean; refuse other words, which the library reads as false."""
        value = (self.str(var, "") or str(default)).strip().casefold()
        if value not in BOOLEANS:
            raise ImproperlyConfigured(f"{var} must be true or false: {value!r}.")
        return BOOLEANS[value]

    def db(self, var: str, default: str) -> dict[str, Any]:
        """Return Django's settings of a database URL, PostgreSQL or SQLite."""
        url = self.str(var, default)
        is_file = url.startswith("sqlite://")
        if not (is_file or url.startswith(("postgres://", "postgresql://"))):
            raise ImproperlyConfigured(INVALID_DATABASE_URL)
        try:
            database: dict[str, Any] = self.db_url(var, default)
        except (ValueError, ImproperlyConfigured):
            database = {"NAME": ""}
        if not database["NAME"] or (is_file and not Path(database["NAME"]).is_absolute()):
            raise ImproperlyConfigured(INVALID_DATABASE_URL)
        return database

    def email(self, var: str) -> dict[str, Any]:
        """Return Django's settings of a mail server's URL, none for the placeholder of install.md."""
        if not (text := self.str(var, "")):
            return {}
        try:
            server: dict[str, Any] = self.email_url_config(text)
            port = MAIL_PORTS[text.partition("://")[0].lower()]
        except (ValueError, KeyError, ImproperlyConfigured):
            server = {"EMAIL_HOST": ""}
        if not server["EMAIL_HOST"]:
            raise ImproperlyConfigured(INVALID_EMAIL_URL)
        if server["EMAIL_HOST"].endswith(".example"):
            return {}
        return server | {"EMAIL_PORT": server["EMAIL_PORT"] or port}
