"""Fills an empty database from a backup, and compares it with what the manifest says."""

from collections.abc import Iterator
from pathlib import Path

from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Model

from festival import __version__, clock
from festival.backup import tables
from festival.backup.answers import digest_answers, digest_site, read_programme
from festival.backup.archive import Archive
from festival.backup.manifest import BackupError, Manifest
from programme.models import RandomText, Revision
from programme.publishing.loading import consistent_read

OTHER_COLUMNS = "{path} has other columns of {table} than the migrations that it names."


def fill(path: Path, after: int | None) -> list[str]:
    """Restore a backup into the default database, which must have no tables; return what differs.

    The tables are made as the version of the service that made the backup had them, and migrated
    afterwards.
    """
    with Archive(path) as archive:
        manifest = archive.manifest
        tables.migrate_to(manifest.migrations)
        models = tables.find_models(manifest.migrations)
        _write(archive, models)
        problems = [*_compare_tables(manifest, models)]
    call_command("migrate", verbosity=0, interactive=False)
    problems += _compare_answers(manifest)
    Revision.objects.update(lineage=RandomText())
    if after is not None:
        number = max(manifest.revision, after) + 1
        Revision.objects.update(number=number, moved_at=clock.now(), writer=None)
    return problems


def _write(archive: Archive, models: list[type[Model]]) -> None:
    summaries = archive.manifest.tables
    for model in models:
        _require_columns(model, archive)
    with transaction.atomic():
        # What migrations have written is in the backup, too.
        with connection.cursor() as cursor:
            for model in models:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
        for model in models:
            if model._meta.db_table in summaries:
                tables.write_lines(model, archive.read_table(model._meta.db_table))
    tables.reset_ids(models)
    for model in models:
        summary = summaries.get(model._meta.db_table)
        if summary and summary.last_id is not None:
            tables.set_last_id(model, summary.last_id)


def _require_columns(model: type[Model], archive: Archive) -> None:
    summary = archive.manifest.tables.get(model._meta.db_table)
    names = [field.attname for field in tables.stored_fields(model)]
    if summary and summary.columns != names:
        raise BackupError(OTHER_COLUMNS.format(path=archive.path, table=model._meta.db_table))


def _compare_tables(manifest: Manifest, models: list[type[Model]]) -> Iterator[str]:
    for model in models:
        table = model._meta.db_table
        saved = manifest.tables.get(table)
        if saved is None:
            continue
        restored = tables.summarize(model)
        if (restored.rows, restored.digest) != (saved.rows, saved.digest):
            yield f"{table} has {restored.rows} rows that are not the {saved.rows} of the backup."


def _compare_answers(manifest: Manifest) -> Iterator[str]:
    # Another version, its code under development, and other settings give other answers.
    if not manifest.answers or (manifest.version, manifest.site) != (__version__, digest_site()):
        return
    with consistent_read():
        programme = read_programme()
    answers = digest_answers(programme, manifest.made_at)
    yield from (
        f"Readers would get another {path} than before."
        for path, digest in manifest.answers.items()
        if answers.get(path) != digest
    )
