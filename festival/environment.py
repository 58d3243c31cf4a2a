"""Environment variables, read so that one that cannot be understood is said in a line that names it."""

import os
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

# What this process was started with, before a file `.env` added to it: a server that is reloaded
# reads the file anew.
STARTED_WITH = dict(os.environ)

SWITCHES = dict.fromkeys(("true", "1", "yes", "on", "y"), True) | dict.fromkeys(
    ("false", "0", "no", "off", "n", ""), False
)
DATABASES = ("postgres://", "postgresql://", "sqlite://")
# Without the value, which may hold a password.
NO_DATABASE = (
    "DATABASE_URL cannot be understood. It is postgres://user:password@host:5432/name or"
    " sqlite:////folder/file, with what is special in a password percent-encoded."
)


class Environment(environ.Env):
    """The library's reader, which raises nothing but ImproperlyConfigured."""

    def get_value(self, var: str, *arguments: Any, **named: Any) -> Any:
        try:
            return super().get_value(var, *arguments, **named)
        except ValueError:
            stated = self.ENVIRON.get(var)
            raise ImproperlyConfigured(f"{var} is {stated!r}, which is no number.") from None

    def bool(self, var: str, default: bool = False) -> bool:
        """Return a switch; anything but the usual words is refused, as it would be taken for off."""
        stated = self.str(var, str(default)).strip().casefold()
        if stated not in SWITCHES:
            raise ImproperlyConfigured(f"{var} is {stated!r}: write true or false.")
        return SWITCHES[stated]

    def db(self, var: str, default: str) -> dict[str, Any]:
        """Return Django's description of the database that a URL names: PostgreSQL or SQLite."""
        if not self.str(var, default).startswith(DATABASES):
            raise ImproperlyConfigured(NO_DATABASE)
        try:
            database = self.db_url(var, default)
        except (ValueError, ImproperlyConfigured):
            database = {"NAME": ""}
        if not database["NAME"]:
            raise ImproperlyConfigured(NO_DATABASE)
        return database
