"""Makes a backup: the rows in one transaction that sees one state, then the images that they name."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import FileField, Model, QuerySet
from msgspec.structs import replace

from festival import __version__
from festival.backup import tables
from festival.backup.answers import digest_answers, digest_site, read_programme
from festival.backup.archive import MEDIA, PRIVATE, ArchiveWriter
from festival.backup.manifest import FORMAT, BackupError, Manifest, MigrationName, TableSummary
from festival.configuration.environment import Environment
from festival.upgrades.versions import find_unapplied
from programme.models import Event, Revision
from programme.publishing.loading import consistent_read

EMPTY = "The database has no tables: there is nothing to back up."


class Made(NamedTuple):
    """A backup: its manifest, images that rows name but do not exist, and migrations of a newer version."""

    manifest: Manifest
    missing: list[str]
    unknown: list[MigrationName]


def create_backup(path: Path, instant: datetime) -> Made:
    """Write a backup to a file, which appears when it is complete. Raises BackupError and OSError."""
    with _whole_file(path) as file:
        writer = ArchiveWriter(file)
        made, images = _read_database(writer, instant)
        # After the rows: an image is stored before the row that names it.
        _add_media(writer)
        manifest = replace(made.manifest, files=dict(writer.files))
        writer.close(manifest)
    missing = [name for name in sorted(images) if f"{MEDIA}{name}" not in manifest.files]
    return made._replace(manifest=manifest, missing=missing)


def _read_database(writer: ArchiveWriter, instant: datetime) -> tuple[Made, set[str]]:
    """Add the tables; return the backup as far as it goes, and the images that rows name."""
    summaries: dict[str, TableSummary] = {}
    images: set[str] = set()
    with consistent_read():
        applied = tables.find_applied()
        if not applied:
            raise BackupError(EMPTY)
        for model in tables.find_models(applied):
            digest = writer.add_table(model._meta.db_table, tables.read_lines(model))
            summaries[model._meta.db_table] = tables.build_summary(model, digest)
            images.update(_images_of(model))
        unknown = tables.find_unknown(applied)
        programme = None if find_unapplied() else read_programme()
        revision = Revision.objects.values_list("number", flat=True).first() or 0
    manifest = Manifest(
        format=FORMAT,
        version=__version__,
        made_at=instant,
        vendor=connection.vendor,
        migrations=[name for name in applied if name not in unknown],
        revision=revision,
        events=summaries[Event._meta.db_table].rows,
        tables=summaries,
        answers=digest_answers(programme, instant) if programme else {},
        site=digest_site(),
        settings=sorted(Environment.names),
        files={},
    )
    return Made(manifest, [], unknown), images


def _images_of(model: type[Model]) -> Iterator[str]:
    """Yield the names of the files that a table's rows name."""
    for field in tables.stored_fields(model):
        if isinstance(field, FileField):
            yield from QuerySet(model).exclude(**{field.name: ""}).values_list(field.name, flat=True)


def _add_media(writer: ArchiveWriter) -> None:
    root = Path(settings.MEDIA_ROOT)
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                # Deleted meanwhile, so no row of the backup names it.
                continue
            writer.add_media(path.relative_to(root).as_posix(), content)


@contextmanager
def _whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file that only its owner can read; it gets its name once it is on the disk."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), PRIVATE)
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
