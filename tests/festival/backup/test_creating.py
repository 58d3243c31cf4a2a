"""What a backup holds, and what it does not."""

import io
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.fixtures import Settings

from feeds.formats import FORMATS
from festival import __version__
from festival.backup import archive, databases, restoring, storage
from festival.backup.archive import BackupError, ScratchError, read_manifest
from festival.backup.creating import create_backup
from festival.backup.storage import find_latest
from programme.models import Event, Occasion, Revision
from tests import programmes
from tests.conftest import NOW

pytestmark = pytest.mark.usefixtures("filled")


def test_what_the_manifest_says(filled: Path, tmp_path: Path) -> None:
    manifest = create_backup(tmp_path / "backup.tar", NOW)
    assert (manifest.version, manifest.made_at, manifest.vendor) == (__version__, NOW, connection.vendor)
    assert manifest.revision == Revision.objects.get().number
    assert manifest.events == Event.objects.count()
    assert manifest.rows["programme_occasion"] == Occasion.objects.count()
    assert "programme.0001_programme" in manifest.migrations
    # Areas, the programme as one document, and events in two languages.
    assert len(manifest.answers) == 1 + 1 + 2 * len(FORMATS)
    assert [*manifest.files] == ["database", "media/events/jazz.jpg"]
    assert read_manifest(tmp_path / "backup.tar") == manifest


def test_only_its_owner_reads_it_and_it_has_no_setting_and_no_session(
    tmp_path: Path, settings: Settings
) -> None:
    session = "a-session-that-a-thief-would-use"
    Session.objects.create(session_key=session, session_data="", expire_date=NOW)
    path = tmp_path / "backup.tar"
    manifest = create_backup(path, NOW)
    assert path.stat().st_mode & 0o777 == 0o600
    assert "django_session" not in manifest.rows
    file = archive.extract_database(path, tmp_path)
    with databases.scratch(file) as database:
        restored = connection.copy()
        restored.settings_dict["NAME"] = database["NAME"]
        with closing(restored), restored.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM django_session")
            assert cursor.fetchone() == (0,)
        if connection.vendor == "sqlite":
            assert session.encode() not in Path(database["NAME"]).read_bytes()
    assert settings.SECRET_KEY.encode() not in path.read_bytes()


def test_a_backup_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive, "write", fail)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(CommandError) as error:
        call_command("backup", to=tmp_path / "backup.tar")
    assert str(error.value) == "The backup cannot be written: [Errno 28] No space left on device."
    assert sorted(tmp_path.iterdir()) == before


def test_a_backup_that_cannot_be_restored_is_not_the_latest(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def fail(_path: Path) -> None:
        raise BackupError("It differs.")

    monkeypatch.setattr("festival.management.commands.backup.verify", fail)
    with pytest.raises(CommandError, match="It differs"):
        call_command("backup")
    assert find_latest() is None
    assert [path.suffix for path in settings.BACKUP_DIR.iterdir()] == [".failed"]


def test_what_was_saved_is_said() -> None:
    out = io.StringIO()
    call_command("backup", check=False, stdout=out)
    path, instant = find_latest()
    assert instant == NOW
    size = path.stat().st_size / 1e6
    assert out.getvalue() == f"{path}: {Event.objects.count()} events, 1 images, {size:.1f} MB.\n"


def test_old_ones_are_deleted_unless_it_is_written_elsewhere(tmp_path: Path) -> None:
    old = [storage.make_folder() / storage.build_name(NOW - timedelta(days=days)) for days in (365, 366)]
    for path in old:
        path.touch()
    call_command("backup", check=False, to=tmp_path)
    assert (tmp_path / storage.build_name(NOW)).exists()
    assert [*storage.find_all()] == old
    call_command("backup", check=False)
    assert [*storage.find_all().values()] == [NOW]


def test_a_backup_that_cannot_be_checked_is_kept(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    def fail(_path: Path) -> None:
        raise ScratchError("This role may not make a database.")

    monkeypatch.setattr("festival.management.commands.backup.verify", fail)
    with pytest.raises(CommandError, match="may not make"):
        call_command("backup")
    assert find_latest() is not None


def test_a_backup_of_a_later_version_is_refused(tmp_path: Path) -> None:
    MigrationRecorder(connection).record_applied("programme", "9999_newer")
    create_backup(tmp_path / "backup.tar", NOW)
    with pytest.raises(BackupError) as error:
        restoring.check(tmp_path / "backup.tar")
    MigrationRecorder(connection).record_unapplied("programme", "9999_newer")
    assert str(error.value) == (
        f"{tmp_path}/backup.tar was made by version 1.0.0, which has migrations that this version does not know"
        " (programme.9999_newer). Install version 1.0.0 or a later one."
    )


@pytest.mark.parametrize("program", ["pg_dump", "pg_restore"])
def test_a_missing_program_is_named_with_its_package(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackupError) as error:
        databases._run_tool(program)
    assert str(error.value) == f"{program} is not installed (Debian: apt install postgresql-client)."


def test_a_database_with_a_programme_is_occupied() -> None:
    assert restoring.is_occupied()


def test_answers_are_of_the_programme_that_was_saved(tmp_path: Path) -> None:
    before = create_backup(tmp_path / "before.tar", NOW).answers
    again = create_backup(tmp_path / "again.tar", NOW).answers
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    after = create_backup(tmp_path / "after.tar", NOW).answers
    assert before == again
    assert {path for path in before if before[path] == after[path]} == {"/api/areas.json"}
