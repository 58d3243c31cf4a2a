"""Restore a backup into an empty database, or instead of what is there: docs/operating.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from festival import clock
from festival.backup import archive, databases, storage
from festival.backup.databases import BackupError
from programme.models.festival_time import festival_time

OCCUPIED = (
    "The database holds a programme or accounts. Add --replace to restore {file} instead of them; they are"
    " backed up first."
)
RESTORED = (
    "Restored {events} events as of {made:%Y-%m-%d %H:%M} (version {version}). Running processes show them"
    " within a second; editors sign in again."
)


class Command(BaseCommand):
    help = "Restore what `backup` has saved: accounts, programme, history and images."
    # The database may have no tables.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="Back up what is there, and replace it.")

    def handle(self, *, file: Path, replace: bool, **_options: Any) -> None:
        try:
            if databases.is_occupied():
                if not replace:
                    raise CommandError(OCCUPIED.format(file=file))
                saved = storage.make_folder() / storage.build_name(clock.now())
                archive.create(saved, clock.now())
                self.stdout.write(f"What is there is saved in {saved}.")
            manifest = archive.restore(file)
        except (BackupError, OSError) as error:
            raise CommandError(f"{file} cannot be restored: {error}") from None
        made = manifest.made_at.astimezone(festival_time().zone)
        events, version = manifest.rows["programme_event"], manifest.version
        self.stdout.write(RESTORED.format(events=events, made=made, version=version))
