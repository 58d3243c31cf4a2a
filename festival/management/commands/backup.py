"""Save the database and the images, and check the backup by restoring it: docs/operating.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from festival import clock
from festival.backup import storage
from festival.backup.archive import BackupError, ScratchError
from festival.backup.creating import create_backup
from festival.backup.restoring import verify


class Command(BaseCommand):
    help = "Save the database and the images in one file, check it by restoring it, and delete old ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", type=Path, metavar="FILE|FOLDER", help="Where to write it, instead of in BACKUP_DIR."
        )
        parser.add_argument(
            "--no-verify", dest="check", action="store_false", help="Do not restore it to check it."
        )

    def handle(self, *, to: Path | None, check: bool, **_options: Any) -> None:
        instant = clock.now()
        try:
            path = to or storage.make_folder()
            if path.is_dir():
                path /= storage.build_name(instant)
            manifest = create_backup(path, instant)
            if check:
                verify_or_rename(path)
        except BackupError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"The backup cannot be written: {error}.") from None
        images, megabytes = len(manifest.files) - 1, path.stat().st_size / 1e6
        checked = ", checked by restoring it" if check else ""
        self.stdout.write(f"{path}: {manifest.events} events, {images} images, {megabytes:.1f} MB{checked}.")
        if to is None:
            storage.prune(instant)


def verify_or_rename(path: Path) -> None:
    """Check a backup; one that cannot be restored must not be taken for one that can."""
    try:
        verify(path)
    except ScratchError:
        # Nothing is wrong with it, as far as is known.
        raise
    except BackupError:
        path.rename(path.with_name(f"{path.name}.failed"))
        raise
