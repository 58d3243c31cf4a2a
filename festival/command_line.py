"""The command `festival`, which manage.py is too: the service's own commands, then Django's."""

import os
import re
import sys
from pathlib import Path
from textwrap import fill, indent

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, get_commands, load_command_class
from django.db import DatabaseError

from festival import __version__
from festival.configuration import environment_file
from festival.configuration.data_files import UMASK
from festival.configuration.database_line import describe_database, explain_failure

# The apps whose commands are the service's own.
OWN_APPS = ("festival", "programme")
# Commands of Django that an operator needs.
FROM_DJANGO = {
    "check": "Check the settings and the code; with --deploy, what production needs too.",
    "migrate": "Bring the database up to this version.",
    "sendtestemail": "Send a message to an address, to see that e-mail works.",
}
# What these write is the source, or a file for whoever asks; what others write is the service's.
WRITING_FOR_OTHERS = {
    *("compilemessages", "dumpdata", "export", "makemessages", "makemigrations"),
    *("optimizemigration", "squashmigrations", "startapp", "startproject"),
}

USAGE = """festival {version}

Usage: {program} COMMAND [options]
"{program} help COMMAND" explains one of them:

{own}

Django's own commands:

{others}"""


class CommandLine(ManagementUtility):
    def main_help_text(self, commands_only: bool = False) -> str:
        """Return the service's own commands, each with a sentence, then the names of Django's."""
        if commands_only:
            return str(super().main_help_text(commands_only))
        apps = get_commands()
        own = {
            name: FROM_DJANGO.get(name) or describe(name, app)
            for name, app in apps.items()
            if _is_own(name, app)
        }
        width = max(map(len, own))
        return USAGE.format(
            version=__version__,
            program=self.prog_name,
            own="\n".join(f"  {name:<{width}}  {own[name]}" for name in sorted(own)),
            others=indent(fill(", ".join(sorted(set(apps) - set(own)))), "  "),
        )


def _is_own(name: str, app: str) -> bool:
    return name in FROM_DJANGO or app in OWN_APPS


def describe(name: str, app: str) -> str:
    """Return the first sentence of a command's help."""
    return re.split(r"(?<=\.)\s", load_command_class(app, name).help, maxsplit=1)[0]


def main(arguments: list[str] | None = None) -> None:
    """Run a command; end with a sentence if the settings or the database cannot be used."""
    arguments = arguments or sys.argv
    program = Path(arguments[0]).name
    name = "festival" if program == "__main__.py" else program
    if arguments[1:] in (["--version"], ["version"]):
        print(f"festival {__version__}")  # noqa: T201 - what was asked for
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")
    if not WRITING_FOR_OTHERS & set(arguments[1:2]):
        os.umask(UMASK)
    try:
        environment_file.load()
        settings.DEBUG  # noqa: B018 - loads them all
    except (ImproperlyConfigured, OSError, ValueError) as error:
        sys.exit(f"The settings cannot be used: {error}")
    if line := describe_database(arguments[1:]):
        sys.stderr.write(f"{line}\n")
    try:
        CommandLine([name, *arguments[1:]]).execute()
    except DatabaseError as error:
        if "--traceback" in arguments or not (sentence := explain_failure(error)):
            raise
        sys.exit(sentence)
