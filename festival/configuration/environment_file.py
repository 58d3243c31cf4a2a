"""The settings file: where it is looked for; django-environ reads it."""

import os
import pwd
import re
from collections.abc import MutableMapping
from io import StringIO
from pathlib import Path
from typing import ClassVar

from django.core.exceptions import ImproperlyConfigured
from environ import Env

# The environment before the file added to it: a reloaded server reads the file again.
INITIAL_ENVIRONMENT = dict(os.environ)

VARIABLE = "FESTIVAL_ENV_FILE"
# The first one that exists is read.
DEFAULT_FILES = (Path("/etc/festival.env"), Path(__file__).resolve().parents[2] / ".env")

NOT_FOUND = f"{VARIABLE} names a file that does not exist: {{file}}."
UNREADABLE = (
    "{file} cannot be read by the user {user} ({reason}). Run the command as the service's user, as in"
    f" `sudo -u festival …`, or set {VARIABLE} to another file, or to nothing."
)
# The line itself is left out because it may hold a password.
NO_ASSIGNMENT = "{file}, line {line}: write NAME=value."

_ASSIGNMENT = re.compile(r"(export )?[A-Za-z_][A-Za-z0-9_]*=")


def load(environment: MutableMapping[str, str] = os.environ) -> None:
    """Add the variables of the settings file to the environment, in which those that are set already win.

    FESTIVAL_ENV_FILE then is the file's absolute path. Raises ImproperlyConfigured with a sentence.
    """
    file, text = _find(environment)
    if file:
        for name, value in parse(text, file).items():
            environment.setdefault(name, value)
        environment[VARIABLE] = str(file)


def _find(environment: MutableMapping[str, str]) -> tuple[Path | None, str]:
    """Return the file and its content; an empty FESTIVAL_ENV_FILE means none."""
    named = environment.get(VARIABLE)
    candidates = DEFAULT_FILES if named is None else [Path(named).absolute()] if named else []
    for file in candidates:
        try:
            return file, file.read_text(encoding="utf-8")
        except FileNotFoundError:
            if named:
                raise ImproperlyConfigured(NOT_FOUND.format(file=file)) from None
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            message = UNREADABLE.format(file=file, user=_user_name(), reason=reason)
            raise ImproperlyConfigured(message) from None
    return None, ""


def _user_name() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def parse(text: str, file: Path) -> dict[str, str]:
    """Return the variables as django-environ reads them; a line that is none is an ImproperlyConfigured."""
    lines = [line.strip() for line in text.splitlines()]
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("#") and not _ASSIGNMENT.match(line):
            raise ImproperlyConfigured(NO_ASSIGNMENT.format(file=file, line=number))

    class Reader(Env):  # type: ignore[misc]  # untyped
        ENVIRON: ClassVar[dict[str, str]] = {}

    Reader.read_env(StringIO("\n".join(lines)))
    return Reader.ENVIRON
