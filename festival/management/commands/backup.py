"""Save the database and the images, and check the backup by restoring it: docs/operating.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from festival import clock
from festival.backup import archive, storage
from festival.backup.databases import BackupError


class Command(BaseCommand):
    help = "Save the database and the images in one file, check it by restoring it, and delete old ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, metavar="FILE|FOLDER", help="Instead of in BACKUP_DIR.")

    def handle(self, *, to: Path | None, **_options: Any) -> None:
        instant = clock.now()
        try:
            path = to or storage.make_folder()
            path = path / storage.build_name(instant) if path.is_dir() else path
            manifest = archive.create(path, instant)
        except (BackupError, OSError) as error:
            raise CommandError(f"The backup cannot be made: {error}") from None
        events, megabytes = manifest.rows["programme_event"], path.stat().st_size / 1e6
        self.stdout.write(
            f"{path}: {events} events, {manifest.images} images, {megabytes:.1f} MB, checked by restoring it."
        )
        if to is None:
            storage.prune(instant)
