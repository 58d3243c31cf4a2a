"""The settings file: where it is looked for, and its syntax, that of systemd's `EnvironmentFile=`."""

import os
import pwd
import re
from collections.abc import Iterator, MutableMapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

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
NO_ASSIGNMENT = '{file}, line {line}: write NAME=value, without "export".'
OPEN_QUOTE = "{file}, line {line}: the value of {name} begins with a quote that the line does not close."
# systemd before 254 goes on with the comment in the next line.
CONTINUED_COMMENT = "{file}, line {line}: a comment must not end in a backslash."
CONTROL_CHARACTER = "{file}, line {line}: the value of {name} has a control character."

_LINE = re.compile(
    r"""[ \t]*
    (?:
        (?P<comment>[#;][^\n]*)
        |
        (?P<name>[^=\n]*) = [ \t]*
        (?P<quoted> (?: (?: '[^']*' | "(?:\\.|[^"\\])*" ) [ \t]* )* )
        (?P<plain> (?: \\(?:.|\Z) | [^\\\n] )* )
    )?
    (?:\n|\Z)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTED = re.compile(r"""'(?P<single>[^']*)'|"(?P<double>(?:\\.|[^"\\])*)\"""", re.DOTALL)
# Without spaces at the end, unless the last one is escaped.
_PLAIN = re.compile(r"(?:\\(?:.|\Z)|[^\\])*?(?=[ \t]*\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.|\Z)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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
    """Return the variables as systemd reads them: quotes, comments, escapes, and no expansion of `$`.

    What systemd ignores or reads past the end of a line is an ImproperlyConfigured that names the line.
    """
    return dict(_parse(text, file))


def _parse(text: str, file: Path) -> Iterator[tuple[str, str]]:
    position = 0
    while position < len(text):
        found = _LINE.match(text, position)
        if message := _find_mistake(found):
            line = text.count("\n", 0, position) + 1
            name = found["name"].rstrip() if found and found["name"] else ""
            raise ImproperlyConfigured(message.format(file=file, line=line, name=name))
        assert found  # noqa: S101 - or it was a mistake
        if found["name"]:
            yield found["name"].rstrip(), _read_value(found)
        position = found.end()


def _find_mistake(found: re.Match[str] | None) -> str:
    """Return the message of a line that cannot be read; empty if it can."""
    if found is None or (found["name"] is not None and not _NAME.fullmatch(found["name"].rstrip())):
        return NO_ASSIGNMENT
    if (found["comment"] or "").endswith("\\"):
        return CONTINUED_COMMENT
    value = _read_value(found)
    if "\n" in value or (found["plain"] or "").startswith(("'", '"')):
        return OPEN_QUOTE
    return CONTROL_CHARACTER if _CONTROL.search(value) else ""


def _read_value(found: re.Match[str]) -> str:
    quoted = _QUOTED.finditer(found["quoted"] or "")
    return "".join(map(_unquote, quoted)) + _unescape(found["plain"] or "")


def _unquote(quoted: re.Match[str]) -> str:
    if quoted["single"] is not None:
        return quoted["single"]
    return re.sub(r'\\(["\\`$\n])', lambda escaped: escaped[1].strip("\n"), quoted["double"])


def _unescape(plain: str) -> str:
    kept = _PLAIN.match(plain)
    return _ESCAPED.sub(lambda escaped: escaped[1].strip("\n"), kept[0] if kept else "")
