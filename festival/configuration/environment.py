"""Environment variables; an invalid one raises an error that names it."""

from difflib import get_close_matches
from pathlib import Path
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ
from django.core.exceptions import ImproperlyConfigured

from festival.configuration.database_settings import SQLITE

# TEST_DATABASE_URL, which is another program's, is less like DATABASE_URL than this.
ALIKE = 0.85
BOOLEANS = dict.fromkeys(("true", "1", "yes", "on", "y"), True) | dict.fromkeys(
    ("false", "0", "no", "off", "n", ""), False
)
DATABASE_SCHEMES = ("postgres://", "postgresql://", "sqlite://")
# The value is left out because it may hold a password.
INVALID_DATABASE_URL = (
    "DATABASE_URL is invalid. Use postgres://user:password@host:5432/name or sqlite:////folder/file,"
    " and percent-encode special characters in the password."
)
# The port of each kind of mail server, where the URL has none.
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
INVALID_EMAIL_URL = (
    "EMAIL_URL is invalid. Use smtp+tls://user:password@host:587 (or smtp+ssl://, or smtp:// for a server on"
    " this machine), and percent-encode special characters in user and password."
)


class Environment(environ.Env):  # type: ignore[misc]  # untyped
    """A reader that raises only ImproperlyConfigured, and keeps the names that it knows and that are set."""

    known: ClassVar[set[str]] = set()
    names: ClassVar[set[str]] = set()

    @classmethod
    def find_misspelt(cls) -> dict[str, str]:
        """Return the variables that are no settings but much like one, each with the one that it is like."""
        unknown = cls.ENVIRON.keys() - cls.known
        alike = {name: get_close_matches(name.upper(), cls.known, 1, ALIKE) for name in sorted(unknown)}
        return {name: found[0] for name, found in alike.items() if found}

    def get_value(self, var: str, cast: Any = None, default: Any = None, *_library: Any) -> Any:
        """Return a value; unlike the library's, one that begins with `$` names no other variable."""
        self.known.add(var)
        if var not in self.ENVIRON:
            return default
        self.names.add(var)
        try:
            return self.parse_value(self.ENVIRON[var], cast)
        except ValueError:
            raise ImproperlyConfigured(f"{var} is not a number: {self.ENVIRON[var]!r}.") from None

    def list(self, var: str, default: list[str]) -> list[str]:
        """Return what commas separate, without spaces around it."""
        if self.get_value(var) is None:
            return default
        return [part.strip() for part in self.str(var).split(",") if part.strip()]

    def time_zone(self, var: str, default: str) -> str:
        name: str = self.str(var, default)
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            hint = "Use an IANA name such as Europe/Stockholm."
            raise ImproperlyConfigured(f"{var} is not a time zone: {name!r}. {hint}") from None
        return name

    def folder(self, var: str, default: Path) -> Path:
        """Return an absolute path; a relative one would depend on where a command is run."""
        path = Path(self.str(var, default="") or default)
        if not path.is_absolute():
            raise ImproperlyConfigured(f"{var} must be an absolute path: {str(path)!r}.")
        return path

    def bool(self, var: str, default: bool = False) -> bool:
        """Return a boolean; refuse unusual words, which the library reads as false."""
        value = self.str(var, str(default)).strip().casefold()
        if value not in BOOLEANS:
            raise ImproperlyConfigured(f"{var} must be true or false: {value!r}.")
        return BOOLEANS[value]

    def db(self, var: str, default: str) -> dict[str, Any]:
        """Return Django's settings of the database that a URL names: PostgreSQL or SQLite."""
        if not self.str(var, default).startswith(DATABASE_SCHEMES):
            raise ImproperlyConfigured(INVALID_DATABASE_URL)
        try:
            database: dict[str, Any] = self.db_url(var, default)
        except (ValueError, ImproperlyConfigured):
            database = {"NAME": ""}
        is_file = database.get("ENGINE") == SQLITE
        if not database["NAME"] or (is_file and not Path(database["NAME"]).is_absolute()):
            raise ImproperlyConfigured(INVALID_DATABASE_URL)
        return database

    def email(self, var: str) -> dict[str, Any]:
        """Return Django's settings of the mail server that a URL names; none if it is not set."""
        text = self.str(var, "")
        if not text:
            return {}
        try:
            server: dict[str, Any] = self.email_url_config(text)
            port = MAIL_PORTS[text.partition("://")[0].lower()]
        except (ValueError, KeyError, ImproperlyConfigured):
            raise ImproperlyConfigured(INVALID_EMAIL_URL) from None
        if not server["EMAIL_HOST"]:
            raise ImproperlyConfigured(INVALID_EMAIL_URL)
        return server | {"EMAIL_PORT": server["EMAIL_PORT"] or port}
