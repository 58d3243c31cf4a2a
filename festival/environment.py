"""Environment variables; an invalid one raises an error that names it."""

import os
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

# The environment before a file `.env` added to it: a reloaded server reads the file again.
INITIAL_ENVIRONMENT = dict(os.environ)

BOOLEANS = dict.fromkeys(("true", "1", "yes", "on", "y"), True) | dict.fromkeys(
    ("false", "0", "no", "off", "n", ""), False
)
DATABASE_SCHEMES = ("postgres://", "postgresql://", "sqlite://")
# The value is left out because it may hold a password.
INVALID_DATABASE_URL = (
    "DATABASE_URL is invalid. Use postgres://user:password@host:5432/name or sqlite:////folder/file,"
    " and percent-encode special characters in the password."
)


class Environment(environ.Env):  # type: ignore[misc]  # untyped
    """A reader that raises only ImproperlyConfigured."""

    def get_value(self, var: str, *arguments: Any, **named: Any) -> Any:
        try:
            return super().get_value(var, *arguments, **named)
        except ValueError:
            value = self.ENVIRON.get(var)
            raise ImproperlyConfigured(f"{var} is not a number: {value!r}.") from None

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
        if not database["NAME"]:
            raise ImproperlyConfigured(INVALID_DATABASE_URL)
        return database
