"""The command `festival`, which manage.py is too: the service's own commands and Django's."""

import os
import sys
from smtplib import SMTPException

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

from festival import __version__
from festival.configuration import environment
from festival.configuration.data_files import UMASK
from festival.configuration.database import explain_failure, name_database

# Commands that name their database first.
NAMING_COMMANDS = {
    *("backup", "check", "demo", "export", "import", "migrate", "restore", "serve", "sweep", "user")
}


def main(arguments: list[str] | None = None) -> None:
    """Run a command; end with a sentence if the settings or the database cannot be used."""
    arguments = arguments or sys.argv
    if arguments[1:] in (["--version"], ["version"]):
        print(f"festival {__version__}")  # noqa: T201 - the command's result
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")
    os.umask(UMASK)
    try:
        environment.load()
        settings.DEBUG  # noqa: B018 - loads them all
    except (ImproperlyConfigured, OSError, ValueError) as error:
        sys.exit(f"The settings cannot be used: {error}")
    if NAMING_COMMANDS & set(arguments[1:2]) and not {"-h", "--help"} & set(arguments):
        file = settings.FESTIVAL_ENV_FILE
        source = f"settings from {file}" if file else "no settings file"
        sys.stderr.write(f"Database: {name_database(settings.DATABASES['default'])} ({source})\n")
    try:
        if arguments[1:2] == ["sendtestemail"] and not settings.HAS_EMAIL:
            sys.exit("No message is sent: EMAIL_URL names no mail server.")
        execute_from_command_line(arguments)
    except DatabaseError as error:
        if "--traceback" in arguments or not (sentence := explain_failure(error)):
            raise
        sys.exit(sentence)
    except (SMTPException, OSError) as error:
        if "--traceback" in arguments or arguments[1:2] != ["sendtestemail"]:
            raise
        sys.exit(f"{settings.EMAIL_HOST} takes no message: {error}")
