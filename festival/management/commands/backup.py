"""Save the database and the images, and check the backup by restoring it: docs/operating.md."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from festival import clock
from festival.backup import storage
from festival.backup.archive import BackupError, Manifest, ScratchError
from festival.backup.creating import create_backup
from festival.backup.restoring import verify

MADE = "{path}: {events} events, {images} images, {megabytes:.1f} MB{checked}."


class Command(BaseCommand):
    help = "Save the database and the images in one file, check it by restoring it, and delete old ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", type=Path, metavar="FILE|FOLDER", help="Where to write it, instead of in BACKUP_DIR."
        )
        parser.add_argument(
            "--no-verify", dest="check", action="store_false", help="Do not restore it to check it."
        )
        parser.add_argument("--no-prune", dest="prune", action="store_false", help="Delete no old ones.")

    def handle(self, *, to: Path | None, check: bool, prune: bool, **_options: Any) -> None:
        instant = clock.now()
        try:
            path = choose_path(to, storage.build_name(instant))
            manifest = create_backup(path, instant)
            if check:
                self.verify(path)
        except BackupError as error:
            raise CommandError(str(error)) from None
        except Error as error:
            raise CommandError(f"The database does not answer: {error}".strip()) from None
        except OSError as error:
            raise CommandError(f"The backup cannot be written: {error}.") from None
        self.stdout.write(describe(path, manifest, is_checked=check))
        if to is None and prune:
            storage.prune(instant)

    def verify(self, path: Path) -> None:
        """Check a backup; one that cannot be restored must not be taken for one that can."""
        try:
            verify(path)
        except ScratchError:
            # Nothing is wrong with it, as far as is known.
            raise
        except BackupError:
            path.rename(path.with_name(f"{path.name}.failed"))
            raise


def choose_path(to: Path | None, name: str) -> Path:
    """Return the file to write. Raises BackupError where none can be."""
    if to is None:
        return storage.make_folder() / name
    if to.is_dir():
        return to / name
    if not to.absolute().parent.is_dir():
        raise BackupError(f"There is no folder {to.absolute().parent}.")
    return to


def describe(path: Path, manifest: Manifest, *, is_checked: bool) -> str:
    images = sum(name.startswith("media/") for name in manifest.files)
    return MADE.format(
        path=path,
        events=manifest.events,
        images=images,
        megabytes=path.stat().st_size / 1e6,
        checked=", checked by restoring it" if is_checked else "",
    )
