"""Move in from another service with the interface: docs/importing.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from programme.exchange.moving.documents import read_folder
from programme.exchange.moving.rows import move_in
from programme.exchange.values import UnreadableFileError


class Command(BaseCommand):
    help = "Move in, into an empty database, from the files of another service with the same interface."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="It holds events.json, areas.json, events.ics …")

    def handle(self, *, folder: Path, **_options: Any) -> None:
        try:
            counts = move_in(read_folder(folder))
        except (OSError, UnreadableFileError, LookupError, TypeError, ValueError) as reason:
            message = _("Nothing has moved in from %(folder)s: %(reason)s.")
            raise CommandError(message % {"folder": folder, "reason": reason}) from reason
        self.stdout.write("\n".join(f"{name}: {count}" for name, count in counts.items()))
