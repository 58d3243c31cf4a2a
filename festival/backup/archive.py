"""The file of a backup: a compressed tar with the images, the database, and at its end the manifest."""

import contextlib
import os
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import msgspec
from django.conf import settings
from django.db import DatabaseError, connection, connections

from festival import __version__
from festival.backup import databases
from festival.backup.databases import BackupError
from festival.configuration import data_files, migrations

DATABASE, MEDIA, MANIFEST = "database", "media", "manifest.json"
UNREADABLE = "{path} is no backup of this service, or is damaged or cut off ({reason})."
OTHER_VENDOR = "{path} is a backup of {vendor}: this database is another kind, so it cannot be restored here."
UNKNOWN = (
    "{path} was made by version {version}, which has migrations that this version does not know ({names})."
    " Install version {version} or a later one."
)


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself: `migrations` as `app.name`, numbers of rows by table, and of images."""

    version: str
    made_at: datetime
    vendor: str
    migrations: list[str]
    rows: dict[str, int]
    images: int


def create(path: Path, instant: datetime) -> Manifest:
    """Write a backup to a file, which appears when it is complete and has been restored to check it.

    Raises BackupError and OSError; after a ScratchError the file is there, unchecked.
    """
    with tempfile.TemporaryDirectory(prefix=".festival-", dir=path.parent) as name:
        folder = Path(name)
        with databases.one_state():
            applied, rows = migrations.find_applied(), databases.count_rows(connection)
            if not applied:
                raise BackupError("The database has no tables: there is nothing to back up.")
            databases.dump(folder / DATABASE)
        new = folder / "new"
        with new.open("xb") as file:
            new.chmod(0o600)
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as tar:
                # After the rows: an image is stored before the row that names it.
                images = _add_images(tar)
                manifest = Manifest(__version__, instant, connection.vendor, applied, rows, images)
                (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
                for member in (DATABASE, MANIFEST):
                    tar.add(folder / member, member)
            os.fsync(file.fileno())
        try:
            with unpack(new):
                pass
        except databases.ScratchError:
            new.replace(path)
            raise
        new.replace(path)
    return manifest


def _add_images(tar: tarfile.TarFile) -> int:
    for path in filter(Path.is_file, Path(settings.MEDIA_ROOT).rglob("*")):
        # One that is deleted meanwhile is named by no row of the backup.
        with contextlib.suppress(FileNotFoundError):
            tar.add(path, f"{MEDIA}/{path.relative_to(settings.MEDIA_ROOT)}")
    return len(tar.getmembers())


@contextmanager
def unpack(path: Path) -> Iterator[tuple[Manifest, str, Path]]:
    """Restore a backup beside the service. Raises BackupError if it is not as the manifest says.

    Yield the manifest, the alias of a database with this version's tables, and the folder of the images.
    """
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=settings.DATA_DIR) as name:
        folder = Path(name)
        manifest = _extract(path, folder)
        if manifest.vendor != connection.vendor:
            raise BackupError(OTHER_VENDOR.format(path=path, vendor=manifest.vendor))
        if unknown := migrations.find_unknown(manifest.migrations):
            names = ", ".join(unknown[:3])
            raise BackupError(UNKNOWN.format(path=path, version=manifest.version, names=names))
        with databases.scratch(folder / DATABASE) as alias:
            if reason := _compare(manifest, alias, folder / MEDIA):
                raise BackupError(UNREADABLE.format(path=path, reason=reason))
            databases.migrate(alias)
            yield manifest, alias, folder / MEDIA


def _compare(manifest: Manifest, alias: str, media: Path) -> str:
    """Return what is not as the manifest says; empty if all is."""
    try:
        found = databases.count_rows(connections[alias])
    except DatabaseError as error:
        return str(error)
    found[MEDIA] = sum(each.is_file() for each in media.rglob("*"))
    saved = {**manifest.rows, MEDIA: manifest.images}
    return ", ".join(
        f"{name} has {found.get(name)} instead of {number}"
        for name, number in saved.items()
        if number != found.get(name)
    )


def _extract(path: Path, folder: Path) -> Manifest:
    try:
        with tarfile.open(path) as tar:
            tar.extractall(folder, filter="data")
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (tarfile.TarError, EOFError, zlib.error, msgspec.MsgspecError, OSError) as error:
        raise BackupError(UNREADABLE.format(path=path, reason=error)) from None


def restore(path: Path) -> Manifest:
    """Put a backup in the place of database and images. Raises BackupError before anything is changed."""
    with unpack(path) as (manifest, alias, media):
        # Before the rows that name them are there.
        for source in filter(Path.is_file, media.rglob("*")):
            target = Path(settings.MEDIA_ROOT, source.relative_to(media))
            data_files.make_folder(target.parent)
            source.chmod(data_files.SHARED_FILE)
            source.replace(target)
        databases.replace(alias)
    return manifest
