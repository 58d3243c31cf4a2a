"""What is restored is what was saved, on SQLite and PostgreSQL, and across."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from festival.backup import restoring, storage
from festival.backup.archive import Archive
from festival.backup.creating import create_backup
from festival.backup.rebuild import Job, Result
from programme.models import Event, Festival
from tests import programmes
from tests.conftest import NOW
from tests.festival.backup.installations import Installation, content, new_installation


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with new_installation(tmp_path / "installation") as made:
        yield made


def read_lineage(path: Path) -> str:
    with Archive(path) as archive:
        position = archive.manifest.tables["programme_revision"].columns.index("lineage")
        (line,) = archive.read_table("programme_revision")
    return str(msgspec.json.decode(line)[position])


def test_it_is_restored_on_an_empty_machine_and_instead_of_another_programme(
    filled: Path, tmp_path: Path, installation: Installation
) -> None:
    first, second = tmp_path / "first.tar", tmp_path / "second.tar"
    saved = create_backup(first, NOW).manifest
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    (filled / "events" / "jazz.jpg").write_bytes(b"another image")
    later = create_backup(second, NOW).manifest

    output = installation.run("restore", str(first))
    assert output == (
        0,
        f"Restored {saved.events} events as of 2026-07-29 14:00 (version 1.0.0). Running processes show them"
        " within a second; editors sign in again.\n",
        output.err,
    )
    assert installation.run("restore", "--replace", str(second)).code == 0
    (before,) = (installation.directory / "backups").glob("*.tar")
    restored, replaced = restoring.check(before), installation.read_state()
    assert content(restored) == content(saved)
    assert content(replaced) == content(later)
    assert restored.answers.keys() == saved.answers.keys()
    assert restored.revision == saved.revision + 1
    assert replaced.revision == max(restored.revision, later.revision) + 1
    # The change log leads from no earlier programme to the restored one.
    assert read_lineage(before) != read_lineage(first)


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
    manifest = [create_backup(path, NOW).manifest for path in paths[1:]][-1]
    monkeypatch.setattr(restoring, "restore", lambda path: manifest if path.exists() else None)
    call_command("restore", paths[2], replace=True)
    assert [*storage.find_all()] == paths
    assert capsys.readouterr().out.splitlines()[1] == (
        "That is the state before. The next `festival backup` keeps only the last backup of each day: copy this"
        f" one and {paths[2]} elsewhere if you may need them."
    )


@pytest.mark.usefixtures("filled")
def test_a_backup_is_checked_by_restoring_it_into_a_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_backup(tmp_path / "backup.tar", NOW)
    jobs: list[Job] = []

    def run(_command: list[str], **options: object) -> Finished:
        jobs.append(msgspec.json.decode(options["input"], type=Job))
        return Finished()

    monkeypatch.setattr(restoring.subprocess, "run", run)
    restoring.verify(tmp_path / "backup.tar")
    ((database, path, after),) = [(job.database, job.path, job.after) for job in jobs]
    assert (database["ENGINE"], path, after) == (
        "django.db.backends.sqlite3",
        str(tmp_path / "backup.tar"),
        None,
    )
    assert not Path(database["NAME"]).parent.exists()


@pytest.mark.usefixtures("filled")
def test_what_differs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_backup(tmp_path / "backup.tar", NOW)
    problem = "programme_event has 7 rows that are not the 8 of the backup."
    monkeypatch.setattr(
        restoring.subprocess, "run", lambda *_arguments, **_options: Finished(problems=[problem])
    )
    with pytest.raises(restoring.BackupError) as error:
        restoring.verify(tmp_path / "backup.tar")
    assert str(error.value) == (
        f"{tmp_path}/backup.tar cannot be restored as it was saved: {problem} The database has not been changed."
    )


class Finished:
    """A process that has ended."""

    returncode = 0

    def __init__(self, **result: object) -> None:
        self.stdout = msgspec.json.encode(Result(**result))


@pytest.mark.django_db
def test_a_database_with_empty_tables_is_not_occupied() -> None:
    assert not restoring.is_occupied()
    Festival.objects.create(name_sv="Festivalen")
    assert restoring.is_occupied()
