"""Makes a backup: the database in one transaction that sees one state, then the images that it names."""

import hashlib
import os
import tempfile
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.template import engines

import feeds
from feeds.formats import AREA_FORMATS, FORMATS
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.programme_document import write_programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES
from festival import __version__
from festival.backup import archive, databases
from festival.backup.archive import FORMAT, BackupError, Manifest
from festival.upgrades.versions import find_unapplied
from programme.publishing import loading, programme_reader


def create_backup(path: Path, instant: datetime) -> Manifest:
    """Write a backup to a file, which appears when it is complete. Raises BackupError and OSError."""
    with tempfile.TemporaryDirectory(prefix=".festival-", suffix=".partial", dir=path.parent) as folder:
        dump, new = Path(folder, "dump"), Path(folder, "new")
        with databases.one_state():
            manifest = _describe(instant)
            databases.dump(dump)
        # After the rows: an image is stored before the row that names it.
        manifest = archive.write(new, dump, manifest)
        new.chmod(0o600)
        with new.open("rb") as file:
            os.fsync(file.fileno())
        new.replace(path)
    return manifest


def _describe(instant: datetime) -> Manifest:
    """Return the manifest of a backup that is made now, without files."""
    applied = sorted(".".join(name) for name in MigrationRecorder(connection).applied_migrations())
    if not applied:
        raise BackupError("The database has no tables: there is nothing to back up.")
    programme = None if find_unapplied() else read_programme()
    rows = count_rows()
    return Manifest(
        format=FORMAT,
        version=__version__,
        made_at=instant,
        vendor=connection.vendor,
        migrations=applied,
        revision=programme.revision.number if programme else 0,
        events=rows["programme_event"],
        rows=rows,
        answers=digest_answers(programme, instant) if programme else {},
        site=digest_site(),
    )


def read_programme() -> Programme:
    """Return the published programme, read in the transaction that is open."""
    return programme_reader.read_programme(loading.fetch_revision(), loading.build_site(), None)


def digest_answers(programme: Programme, instant: datetime) -> dict[str, str]:
    """Return the SHA-256 of every document of the whole programme as of an instant, by path."""
    programme.precompute()
    snapshot = Snapshot(programme, instant)
    answers = {f"/api/areas.{each.extension}": each().write_areas(snapshot) for each in AREA_FORMATS}
    answers["/api/programme"] = write_programme(Listing(snapshot, Selection()))
    for language in LANGUAGES:
        listing = Listing(snapshot, Selection(language=language))
        for each in FORMATS:
            answers[f"/api/events.{each.extension}?language={language}"] = each().write_events(listing)
    return {path: hashlib.sha256(body).hexdigest() for path, body in answers.items()}


def digest_site() -> str:
    """Return a digest of what answers depend on beside the programme: settings, and the code of formats."""
    digest = hashlib.sha256(repr((loading.build_site(), settings.MEDIA_URL)).encode())
    sources = [*Path(feeds.__file__).parent.rglob("*.py")]
    for folder in engines["django"].template_dirs:
        sources += Path(folder, "feeds").glob("*")
    for path in sorted(sources):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def count_rows() -> dict[str, int]:
    """Return the number of rows of each table that is saved."""
    rows = {}
    with connection.cursor() as cursor:
        for table in sorted({*connection.introspection.table_names()}.difference(databases.LEFT_OUT)):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
            rows[table] = int(cursor.fetchone()[0])
    return rows
