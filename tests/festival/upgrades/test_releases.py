"""Databases of earlier releases, one backup of each in tests/upgrades/: CONTRIBUTING.md says how one is made."""

import json
from pathlib import Path

import pytest
from django.db import connection, migrations, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation

from feeds.formats import FORMATS
from feeds.vocabulary import LANGUAGES
from festival.backup.archive import read_manifest
from festival.upgrades.versions import COMPATIBLE_WITH
from tests.browser import thorough
from tests.festival.backup.installations import ROOT, new_installation

RELEASES = sorted((ROOT / "tests" / "upgrades").glob("*.tar"))

# What readers were answered when the backup was made, again.
ANSWERS = """
import json
from datetime import datetime
from festival.backup.creating import digest_answers, read_programme
print(json.dumps(digest_answers(read_programme(), datetime.fromisoformat("{instant}"))))
"""
# The documents that are meant to be written otherwise since a release, by its version; all others must have the
# same bytes. Their rows are compared by restoring.
EVENTS = {f"/api/events.{each.extension}?language={code}" for each in FORMATS for code in LANGUAGES}
REWRITTEN: dict[str, set[str]] = {
    "0.1.0": EVENTS,
    # What is cancelled or moved stands in more of them, and lines of contents end with line breaks. Notes of
    # change have two languages. Rooms of schedules have a GUID.
    "1.0.0": {path for path in EVENTS if path.partition(".")[2].startswith(("atom", "rss", "ics", "frab"))}
    | {"/api/programme"},
}


@pytest.mark.django_db
@pytest.mark.parametrize("release", [RELEASES[-1], *thorough(*RELEASES[:-1])], ids=lambda path: path.stem)
def test_the_database_of_a_release_is_upgraded_and_answers_as_before(release: Path, tmp_path: Path) -> None:
    manifest = read_manifest(release)
    with new_installation(tmp_path / "installation", "sqlite") as installation:
        restored = installation.run("restore", str(release))
        assert restored.code == 0, restored.err
        statement = ANSWERS.format(instant=manifest.made_at.isoformat())
        output = installation.run("shell", "--no-imports", "-c", statement)
    answers = json.loads(output.out)
    assert answers.keys() >= manifest.answers.keys()
    changed = {path for path, digest in manifest.answers.items() if answers[path] != digest}
    assert changed == REWRITTEN[release.stem] & manifest.answers.keys(), (
        "These documents of an earlier release's database are other ones. If they are meant to be, say so in REWRITTEN;"
        " replace the backup of a release that is not out yet (CONTRIBUTING.md, Release)."
    )


# --- What has been migrated since then only adds ------------------------------------------------

# Reasons why a migration does what old code cannot see or does not mind.
HARMLESS: dict[str, str] = {
    "accounts.0002_people": "a table of its own; choices of the log's field, which no database knows",
}
# They change no table.
WITHOUT_EFFECT = (migrations.AlterModelOptions, migrations.AlterModelManagers, migrations.RunPython)


@pytest.mark.django_db
def test_what_has_been_migrated_since_the_oldest_compatible_version_only_adds() -> None:
    release = ROOT / "tests" / "upgrades" / f"{COMPATIBLE_WITH}.tar"
    loader = MigrationExecutor(connection).loader
    nodes = [tuple(each.split(".")) for each in read_manifest(release).migrations]
    known = {(model.app_label, model.name_lower) for model in loader.project_state(nodes).models.values()}
    found = [
        f"{key[0]}.{key[1]}: {operation.describe()}"
        for key in sorted(loader.disk_migrations.keys() - {*nodes})
        for operation in loader.disk_migrations[key].operations
        if f"{key[0]}.{key[1]}" not in HARMLESS and may_break(operation, key[0], known)
    ]
    assert found == [], (
        "Old processes go on while a database is migrated: add a column that may be NULL or has a db_default,"
        " and remove things a release later (CONTRIBUTING.md, Migrations). Otherwise raise COMPATIBLE_WITH."
    )


def may_break(operation: Operation, app: str, known: set[tuple[str, str]]) -> bool:
    """Return whether an operation may break code that knows these models and not the operation."""
    if isinstance(operation, (*WITHOUT_EFFECT, migrations.CreateModel, migrations.AddIndex)):
        return False
    names = (getattr(operation, attribute, None) for attribute in ("model_name", "old_name", "name"))
    name = next(filter(None, names), None)
    if name and (app, name.lower()) not in known:
        return False
    if isinstance(operation, migrations.AddField):
        field = operation.field
        return not (field.null or field.has_db_default() or field.many_to_many)
    return True


@pytest.mark.parametrize(
    ("operation", "breaks"),
    [
        (migrations.AddField("event", "note", models.TextField(null=True)), False),
        (migrations.AddField("event", "note", models.TextField(db_default="")), False),
        (migrations.AddField("event", "note", models.TextField(default="")), True),
        (migrations.AddField("ticket", "note", models.TextField(default="")), False),
        (migrations.RemoveField("event", "title"), True),
        (migrations.RenameField("event", "title", "name"), True),
        (migrations.AlterField("event", "title", models.TextField()), True),
        (migrations.RenameModel("Event", "Item"), True),
        (migrations.DeleteModel("Event"), True),
        (migrations.CreateModel("Ticket", []), False),
        (migrations.AddIndex("event", models.Index(fields=["title"], name="event_title")), False),
        (migrations.AddConstraint("event", models.UniqueConstraint("title", name="one_title")), True),
        (migrations.RunSQL("DROP TABLE programme_event"), True),
    ],
    ids=lambda each: type(each).__name__,
)
def test_which_operations_may_break_old_code(operation: Operation, breaks: bool) -> None:
    assert may_break(operation, "programme", {("programme", "event")}) is breaks
