"""What is restored is what was saved, on SQLite and PostgreSQL."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django.fixtures import Settings

from festival.backup import archive, databases, restoring, storage
from festival.backup.creating import create_backup
from programme.models import Event, Festival, Revision
from tests import programmes
from tests.conftest import NOW, SITE
from tests.festival.backup.installations import Installation, content, new_installation


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with new_installation(tmp_path / "installation") as made:
        yield made


LINEAGE = "from programme.models import Revision; print(Revision.objects.get().lineage)"


def test_it_is_restored_on_an_empty_machine_and_instead_of_another_programme(
    filled: Path, tmp_path: Path, installation: Installation
) -> None:
    first, second = tmp_path / "first.tar", tmp_path / "second.tar"
    saved = create_backup(first, NOW)
    lineage = Revision.objects.get().lineage
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    (filled / "events" / "jazz.jpg").write_bytes(b"another image")
    later = create_backup(second, NOW)

    output = installation.run("restore", str(first))
    assert output == (
        0,
        f"Restored {saved.events} events as of 2026-07-29 14:00 (version 1.0.0). Running processes show them"
        " within a second; editors sign in again.\n",
        output.err,
    )
    restored_lineage = installation.run("shell", "--no-imports", "-c", LINEAGE).out.strip()
    output = installation.run("restore", "--replace", str(second))
    assert output.code == 0, output.err
    (before,) = (installation.directory / "backups").glob("*.tar")
    restored, replaced = restoring.check(before), installation.read_state()
    # Backups of an installation are of another instant than those of this process.
    assert content(restored) | {"answers": None} == content(saved) | {"answers": None}
    assert content(replaced) | {"answers": None} == content(later) | {"answers": None}
    assert restored.revision == saved.revision + 1
    assert replaced.revision == max(restored.revision, later.revision) + 1
    # The change log leads from no earlier programme to the restored one.
    replaced_lineage = installation.run("shell", "--no-imports", "-c", LINEAGE).out.strip()
    assert len({lineage, restored_lineage, replaced_lineage}) == 3


@pytest.mark.usefixtures("filled")
def test_a_programme_is_not_replaced_unless_that_is_asked_for(tmp_path: Path) -> None:
    create_backup(tmp_path / "backup.tar", NOW)
    with pytest.raises(CommandError) as error:
        call_command("restore", tmp_path / "backup.tar")
    assert str(error.value) == (
        f"The database holds a programme or accounts. Add --replace to restore {tmp_path}/backup.tar instead of"
        " them; they are backed up first."
    )


@pytest.mark.usefixtures("filled")
def test_replacing_deletes_no_backup(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_DIR.mkdir()
    paths = [settings.BACKUP_DIR / storage.build_name(NOW - timedelta(minutes=age)) for age in (0, 1, 2)]
    for path in paths[1:]:
        create_backup(path, NOW)
    monkeypatch.setattr(restoring, "restore", lambda path, _manifest: path.stat())
    call_command("restore", paths[2], replace=True)
    assert [*storage.find_all()] == paths
    assert capsys.readouterr().out.splitlines()[0] == (
        f"What is there is saved in {paths[0]}. After two days only the last backup of each day is kept: copy"
        f" this one and {paths[2]} elsewhere if you may need them."
    )


@pytest.mark.usefixtures("filled")
def test_a_backup_is_checked_by_restoring_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Answers are compared under the same settings only.
    monkeypatch.setenv("BASE_URL", SITE.base_url)
    monkeypatch.setenv("EXTENSION_NAMESPACE", SITE.extension_namespace)
    path = tmp_path / "backup.tar"
    manifest = create_backup(path, NOW)
    settings_before = connection.settings_dict["NAME"]
    Event.objects.all().delete()
    # What is checked is the backup, not what the database has by now.
    restoring.verify(path)
    assert (connection.settings_dict["NAME"], Event.objects.count()) == (settings_before, 0)
    answers = {**manifest.answers, "/api/programme": "another"}
    rows = {**manifest.rows, "programme_event": 99}
    wrong = msgspec.structs.replace(manifest, answers=answers, rows=rows)
    with (
        pytest.raises(restoring.BackupError) as error,
        databases.scratch(archive.extract_database(path, tmp_path)) as scratch,
    ):
        restoring.prepare(path, scratch, wrong)
    assert str(error.value) == (
        f"{path} cannot be restored as it was saved: programme_event has {manifest.events} rows instead of 99."
        " Readers would get another /api/programme than before. The database has not been changed."
    )


@pytest.mark.usefixtures("filled")
def test_a_backup_of_the_other_kind_of_database_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "backup.tar"
    create_backup(path, NOW)
    read = archive.read_manifest
    monkeypatch.setattr(
        archive, "read_manifest", lambda path: msgspec.structs.replace(read(path), vendor="oracle")
    )
    with pytest.raises(restoring.BackupError) as error:
        restoring.check(path)
    assert str(error.value) == (
        f"{path} is a backup of oracle: this database is another kind, so it cannot be restored here."
    )


@pytest.mark.django_db
def test_a_database_with_empty_tables_is_not_occupied() -> None:
    assert not restoring.is_occupied()
    Festival.objects.create(name_sv="Festivalen")
    assert restoring.is_occupied()
