"""Restore a backup into an empty database, or instead of what is there: docs/operating.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from festival import clock
from festival.backup import restoring, storage
from festival.backup.archive import BackupError
from festival.backup.creating import create_backup
from programme.models.festival_time import festival_time

OCCUPIED = (
    "The database holds a programme or accounts. Add --replace to restore {path} instead of them; they are"
    " backed up first."
)
BACKED_UP = (
    "What is there is saved in {saved}. After two days only the last backup of each day is kept:"
    " copy this one and {path} elsewhere if you may need them."
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
                instant = clock.now()
                saved = storage.make_folder() / storage.build_name(instant)
                create_backup(saved, instant)
                self.stdout.write(BACKED_UP.format(saved=saved, path=file))
            restoring.restore(file, manifest)
        except BackupError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{file} cannot be restored: {error}.") from None
        made = manifest.made_at.astimezone(festival_time().zone)
        self.stdout.write(RESTORED.format(events=manifest.events, instant=made, version=manifest.version))
