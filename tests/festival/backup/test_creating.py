"""What a backup holds, and what it does not."""

import io
import tarfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django.fixtures import Settings

from feeds.formats import FORMATS
from festival import __version__
from festival.backup import creating, restoring
from festival.backup.archive import Archive
from festival.backup.creating import create_backup
from festival.backup.manifest import BackupError, MigrationName
from festival.backup.storage import find_latest
from festival.configuration.environment import Environment
from programme.models import Event, Occasion, Revision
from tests import programmes
from tests.conftest import NOW

pytestmark = pytest.mark.usefixtures("filled")


def test_what_the_manifest_says(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Environment, "names", {"SECRET_KEY", "BASE_URL"})
    made = create_backup(tmp_path / "backup.tar", NOW)
    manifest = made.manifest
    assert (manifest.version, manifest.made_at, manifest.vendor) == (__version__, NOW, connection.vendor)
    assert manifest.revision == Revision.objects.get().number
    assert manifest.events == Event.objects.count()
    assert manifest.tables["programme_occasion"].rows == Occasion.objects.count()
    assert MigrationName("programme", "0001_programme") in manifest.migrations
    assert manifest.settings == ["BASE_URL", "SECRET_KEY"]
    # Areas, the programme as one document, and events in two languages.
    assert len(manifest.answers) == 1 + 1 + 2 * len(FORMATS)
    assert (made.missing, made.unknown) == ([], [])
    with Archive(tmp_path / "backup.tar") as archive:
        assert archive.manifest == manifest
        archive.check()


def test_only_its_owner_reads_it_and_it_has_no_setting_and_no_session(
    tmp_path: Path, settings: Settings
) -> None:
    create_backup(tmp_path / "backup.tar", NOW)
    assert (tmp_path / "backup.tar").stat().st_mode & 0o777 == 0o600
    with tarfile.open(tmp_path / "backup.tar") as tar:
        assert [name for name in tar.getnames() if "session" in name] == []
    assert settings.SECRET_KEY.encode() not in (tmp_path / "backup.tar").read_bytes()


def test_a_backup_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_writer: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(creating, "_add_media", fail)
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


def test_an_image_that_is_not_there_is_named(filled: Path, settings: Settings) -> None:
    (filled / "events" / "jazz.jpg").unlink()
    out, err = io.StringIO(), io.StringIO()
    call_command("backup", check=False, stdout=out, stderr=err)
    path, instant = find_latest()
    assert instant == NOW
    size = path.stat().st_size / 1e6
    assert out.getvalue() == f"{path}: {Event.objects.count()} events, 0 images, {size:.1f} MB.\n"
    assert err.getvalue() == f"1 image(s) that rows name are not in {filled}: events/jazz.jpg.\n"


def test_migrations_of_a_newer_version_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newer = MigrationName("programme", "9999_newer")
    found = creating.tables.find_applied()
    monkeypatch.setattr(creating.tables, "find_applied", lambda: [*found, newer])
    made = create_backup(tmp_path / "backup.tar", NOW)
    assert made.unknown == [newer]
    assert newer not in made.manifest.migrations


@pytest.mark.parametrize(
    ("to", "message"),
    [("none/backup.tar", "There is no folder {}/none."), ("none/none/x", "There is no folder {}/none/none.")],
)
def test_a_folder_that_is_not_there(tmp_path: Path, to: str, message: str) -> None:
    with pytest.raises(CommandError) as error:
        call_command("backup", to=tmp_path / to)
    assert str(error.value) == message.format(tmp_path)


def test_a_backup_of_a_later_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_backup(tmp_path / "backup.tar", NOW)
    unknown = [MigrationName("programme", "9999_newer")]
    monkeypatch.setattr(restoring.tables, "find_unknown", lambda _names: unknown)
    with pytest.raises(BackupError) as error:
        restoring.check(tmp_path / "backup.tar")
    assert str(error.value) == (
        f"{tmp_path}/backup.tar was made by version 1.0.0, which has migrations that this version does not know"
        " (programme.9999_newer). Install version 1.0.0 or a later one."
    )


def test_a_database_with_a_programme_is_occupied() -> None:
    assert restoring.is_occupied()


def test_answers_are_of_the_programme_that_was_saved(tmp_path: Path) -> None:
    before = create_backup(tmp_path / "before.tar", NOW).manifest.answers
    again = create_backup(tmp_path / "again.tar", NOW).manifest.answers
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    after = create_backup(tmp_path / "after.tar", NOW).manifest.answers
    assert before == again
    assert {path for path in before if before[path] == after[path]} == {"/api/areas.json"}
