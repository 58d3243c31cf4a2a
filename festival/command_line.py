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
from festival.configuration import environment
from festival.configuration.data_files import UMASK
from festival.configuration.database import describe_database, explain_failure

# What these write is the source, or a file for whoever asks; what others write is the service's.
WRITING_FOR_OTHERS = {
    *("compilemessages", "dumpdata", "export", "makemessages", "makemigrations"),
    *("optimizemigration", "squashmigrations", "startapp", "startproject"),
}


class CommandLine(ManagementUtility):
    def main_help_text(self, commands_only: bool = False) -> str:
        """Return the commands that an operator needs, each with a sentence, then the names of Django's."""
        if commands_only:
            return str(super().main_help_text(commands_only))
        apps = get_commands()
        own = {name for name, app in apps.items() if app in {"festival", "programme"}}
        own |= {"migrate", "sendtestemail"}
        lines = [f"festival {__version__}", "", f"Usage: {self.prog_name} COMMAND [options]"]
        lines += [f'"{self.prog_name} help COMMAND" explains one of them:', ""]
        for name in sorted(own):
            sentence = re.split(r"(?<=\.)\s", load_command_class(apps[name], name).help, maxsplit=1)[0]
            lines.append(f"  {name:<{max(map(len, own))}}  {sentence}")
        others = indent(fill(", ".join(sorted({*apps} - own))), "  ")
        return "\n".join([*lines, "", "Django's own commands:", "", others])


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
        environment.load()
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
