"""Save the database and the images, and check the backup by restoring it: docs/operating.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from festival import clock
from festival.backup import archive


class Command(BaseCommand):
    help = "Save the database and the images in one file, check it by restoring it, and delete old ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, metavar="FILE|FOLDER", help="Instead of in BACKUP_DIR.")

    def handle(self, *, to: Path | None, **_options: Any) -> None:
        instant = clock.now()
        try:
            path = to or archive.build_path(instant)
            path = path / archive.build_path(instant).name if path.is_dir() else path
            events, images = archive.create(path)
        except OSError as error:
            raise CommandError(f"The backup cannot be made: {error}.") from None
        finally:
            if to is None:
                archive.prune(instant)
        size = f"{path.stat().st_size / 1e6:.1f} MB"
        self.stdout.write(f"{path}: {events} events, {images} images, {size}, checked by restoring it.")
