"""The file of a backup: a compressed tar with the database and the images."""

import gzip
import os
import posixpath
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

from festival.backup import databases
from festival.configuration import data_files
from programme.models.statistics import analyse

DATABASE, MEDIA = f"database.{connection.vendor}", "media"
DATABASES = {"database.sqlite", "database.postgresql"}
NAME = "festival-%Y%m%dT%H%M%SZ.tar.gz"


def build_path(instant: datetime) -> Path:
    """Return the path of a backup of an instant in BACKUP_DIR, which only its owner may enter."""
    data_files.make_folder(settings.BACKUP_DIR, data_files.PRIVATE_FOLDER)
    return settings.BACKUP_DIR / instant.astimezone(UTC).strftime(NAME)


def find_all() -> dict[Path, datetime]:
    """Return the backups in BACKUP_DIR with their instants, the latest first."""
    found = {}
    for path in sorted(settings.BACKUP_DIR.glob("festival-????????T??????Z.tar.gz"), reverse=True):
        # Other files may match the pattern.
        with suppress(ValueError):
            found[path] = datetime.strptime(path.name, NAME).replace(tzinfo=UTC)
    return found


def prune(now: datetime) -> None:
    """Delete old backups except the latest, and the last one of each of BACKUP_KEEP_DAYS days."""
    days: set[date] = set()
    for path, instant in find_all().items():
        is_old = instant.date() in days or now - instant > timedelta(days=settings.BACKUP_KEEP_DAYS)
        # Several backups of a day are kept for two days.
        if days and is_old and now - instant > timedelta(days=2):
            path.unlink()
        days.add(instant.date())


def create(path: Path) -> tuple[int, int]:
    """Write a backup to a file, which appears when it is complete and checked by restoring it.

    Return the numbers of events and images. Raise BackupError and OSError.
    """
    with tempfile.TemporaryDirectory(prefix=".festival-", dir=path.parent) as name:
        new, dump = Path(name, "new"), Path(name, DATABASE)
        rows = databases.dump(dump)
        with new.open("xb") as file:
            new.chmod(0o600)
            # Links are dereferenced, because they are not restored.
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1, dereference=True) as tar:
                tar.add(dump, DATABASE)
                # After the database, because an image is stored before the row that refers to it.
                for image in filter(Path.is_file, Path(settings.MEDIA_ROOT).rglob("*")):
                    # The image may be deleted meanwhile.
                    with suppress(FileNotFoundError):
                        tar.add(image, f"{MEDIA}/{image.relative_to(settings.MEDIA_ROOT)}")
                images = len(tar.getmembers()) - 1
            os.fsync(file.fileno())
        with unpack(new) as (alias, media):
            restored_images = sum(map(Path.is_file, media.rglob("*")))
            if (rows, images) != (databases.count_rows(alias), restored_images):
                raise databases.BackupError("It was restored to check it, and has not all rows and images.")
        new.replace(path)
    return rows["programme_event"], images


@contextmanager
def unpack(path: Path) -> Iterator[tuple[str, Path]]:
    """Restore a backup to a scratch database; raise BackupError if it is invalid.

    Yield the alias of the database and the folder of the images.
    """
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=settings.DATA_DIR) as name:
        folder = Path(name)
        try:
            with gzip.open(path) as file, tarfile.open(fileobj=file, mode="r:") as tar:
                for member in tar:
                    _extract(tar, member, folder)
                # Read to the end, where gzip has its checksum.
                file.read()
        except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError) as error:
            reason = f"{path} is no backup of this service, or is damaged or cut off ({error})."
            raise databases.BackupError(reason) from None
        except OSError as error:
            raise databases.BackupError(f"{path} cannot be restored: {error.strerror}.") from None
        if not (folder / DATABASE).exists():
            raise databases.BackupError(f"{path} is no backup of this service on {connection.vendor}.")
        with databases.scratch(folder / DATABASE) as alias:
            yield alias, folder / MEDIA


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write a member; raise ValueError if it does not belong to a backup.

    Without `tarfile`'s filters, which Debian's Python 3.11.2 lacks.
    """
    name = member.name
    is_ours = name in DATABASES or (name.startswith(f"{MEDIA}/") and posixpath.normpath(name) == name)
    if not (is_ours and member.isreg() and (content := tar.extractfile(member))):
        raise ValueError(f"it contains {name!r}")
    data_files.make_folder((folder / name).parent)
    with (folder / name).open("xb") as target:
        shutil.copyfileobj(content, target)


def restore(path: Path) -> int:
    """Replace database and images, or neither (BackupError); return the number of events."""
    with unpack(path) as (alias, media):
        databases.migrate(alias)
        images = {
            source: Path(settings.MEDIA_ROOT, source.relative_to(media))
            for source in filter(Path.is_file, media.rglob("*"))
        }
        try:
            for target in images.values():
                data_files.make_folder(target.parent)
                if target.is_dir():
                    raise IsADirectoryError(target)
            # New images before the rows that refer to them; replacements after, as the step between may fail.
            kept = {source: target for source, target in images.items() if target.exists()}
            _move({source: target for source, target in images.items() if source not in kept})
            databases.replace(alias)
            _move(kept)
        except OSError as error:
            raise databases.BackupError(f"{path} cannot be restored: {error}.") from None
    analyse()
    return databases.count_rows()["programme_event"]


def _move(images: dict[Path, Path]) -> None:
    for source, target in images.items():
        source.chmod(data_files.SHARED_FILE)
        shutil.move(source, target)
