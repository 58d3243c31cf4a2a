"""Restore a backup into an empty database, or in place of the present data: docs/operating.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from festival import clock
from festival.backup import archive, databases

# Tables whose rows somebody has entered.
ENTERED = ("programme_festival", "programme_area", "programme_event", "auth_user")


class Command(BaseCommand):
    help = "Restore what `backup` has saved: accounts, programme, history and images."
    # The database may have no tables.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="Back up what is there, and replace it.")

    def handle(self, *, file: Path, replace: bool, **_options: Any) -> None:
        rows = databases.count_rows()
        if any(rows.get(table) for table in ENTERED):
            if not replace:
                raise CommandError("There is a programme here. --replace backs it up and restores instead.")
            saved = archive.build_path(clock.now())
            archive.create(saved)
            self.stdout.write(f"What is there is saved in {saved}.")
        events = archive.restore(file)
        self.stdout.write(f"Restored {events} events. All processes show them soon; editors sign in again.")
