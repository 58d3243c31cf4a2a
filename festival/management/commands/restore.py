"""Restore a backup into an empty database, or instead of what is there: docs/operating.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from festival.backup import restoring
from festival.backup.archive import BackupError
from programme.models.festival_time import festival_time

OCCUPIED = (
    "The database holds a programme or accounts. Add --replace to restore {path} instead of them; they are"
    " backed up first."
)
BACKED_UP = (
    "That is the state before. The next `festival backup` keeps only the last backup of each day: copy this"
    " one and {path} elsewhere if you may need them."
)
RESTORED = (
    "Restored {events} events as of {instant:%Y-%m-%d %H:%M} (version {version}). Running processes show them"
    " within a second; editors sign in again."
)


class Command(BaseCommand):
    help = "Restore what `backup` has saved: accounts, programme, history and images."
    # The database may have no tables.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace",
            action="store_true",
            help="Restore it even if the database holds a programme, which is backed up first.",
        )

    def handle(self, *, file: Path, replace: bool, **_options: Any) -> None:
        try:
            manifest = restoring.check(file)
            if restoring.is_occupied():
                if not replace:
                    raise CommandError(OCCUPIED.format(path=file))
                # The file to restore may be one that retention would delete.
                options = {"check": False, "prune": False}
                call_command("backup", stdout=self.stdout, stderr=self.stderr, **options)
                self.stdout.write(BACKED_UP.format(path=file))
            restoring.restore(file, manifest)
        except BackupError as error:
            raise CommandError(str(error)) from None
        except Error as error:
            raise CommandError(f"The database does not answer: {error}".strip()) from None
        except OSError as error:
            raise CommandError(f"{file} cannot be restored: {error}.") from None
        instant = manifest.made_at.astimezone(festival_time().zone)
        self.stdout.write(RESTORED.format(events=manifest.events, instant=instant, version=manifest.version))
