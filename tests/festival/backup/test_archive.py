"""What is restored is what was saved, on SQLite and PostgreSQL, or nothing has changed."""

import io
import tarfile
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.fixtures import Settings

from festival import __version__
from festival.backup import archive, databases, storage
from festival.backup.archive import BackupError
from programme.models import Event, Festival, Occasion, Revision
from tests import programmes
from tests.conftest import NOW
from tests.festival.backup.conftest import IMAGE
from tests.festival.backup.installations import Installation, new_installation


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with new_installation(tmp_path / "installation") as made:
        yield made


@pytest.fixture
def backup(filled: Path, tmp_path: Path) -> Path:
    path = tmp_path / "backup.tar.gz"
    archive.create(path, NOW)
    return path


LINEAGE = "from programme.models import Revision; print(Revision.objects.get().lineage)"
TITLES = "from programme.models import Event; print(sorted(Event.objects.values_list('title', flat=True)))"


def test_what_the_manifest_says(filled: Path, backup: Path) -> None:
    with archive.unpack(backup) as (manifest, alias, media):
        assert (manifest.version, manifest.made_at, manifest.vendor) == (__version__, NOW, connection.vendor)
        assert manifest.rows["programme_event"] == Event.objects.count() == Event.objects.using(alias).count()
        assert manifest.rows["programme_occasion"] == Occasion.objects.using(alias).count()
        assert manifest.images == 1
        assert (media / "events" / "jazz.jpg").read_bytes() == IMAGE
    assert alias not in [each.alias for each in connections.all(initialized_only=True)]


def test_it_is_restored_on_an_empty_machine_and_instead_of_another_programme(
    filled: Path, backup: Path, tmp_path: Path, installation: Installation
) -> None:
    events, second = Event.objects.count(), tmp_path / "second.tar.gz"
    titles = sorted(Event.objects.values_list("title", flat=True))
    lineages = {str(Revision.objects.get().lineage)}
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    (filled / "events" / "jazz.jpg").write_bytes(b"another image")
    archive.create(second, NOW)

    output = installation.run("restore", str(backup))
    assert output == (
        0,
        f"Restored {events} events as of 2026-07-29 14:00 (version 1.0.0). Running processes show them"
        " within a second; editors sign in again.\n",
        output.err,
    )
    assert installation.run("shell", "--no-imports", "-c", TITLES).out == f"{titles}\n"
    assert (installation.directory / "media/events/jazz.jpg").read_bytes() == IMAGE
    lineages.add(installation.run("shell", "--no-imports", "-c", LINEAGE).out.strip())
    output = installation.run("restore", "--replace", str(second))
    assert output.code == 0, output.err
    assert "Blues" in installation.run("shell", "--no-imports", "-c", TITLES).out
    assert (installation.directory / "media/events/jazz.jpg").read_bytes() == b"another image"
    lineages.add(installation.run("shell", "--no-imports", "-c", LINEAGE).out.strip())
    # The change log leads from no earlier programme to a restored one.
    assert len(lineages) == 3
    (saved,) = (installation.directory / "backups").iterdir()
    assert installation.run("restore", "--replace", str(saved)).code == 0
    assert installation.run("shell", "--no-imports", "-c", TITLES).out == f"{titles}\n"


def test_only_its_owner_reads_it_and_it_has_no_setting_and_no_session(
    backup: Path, settings: Settings, tmp_path: Path
) -> None:
    assert Session.objects.exists()
    assert backup.stat().st_mode & 0o777 == 0o600
    with archive.unpack(backup) as (_manifest, alias, _media):
        assert not Session.objects.using(alias).exists()
    with tarfile.open(backup) as tar, closing(tar.extractfile("database")) as file:
        content = file.read()
    assert settings.SECRET_KEY.encode() not in content
    if connection.vendor == "sqlite":
        assert Session.objects.get().session_key.encode() not in content


@pytest.mark.usefixtures("filled")
def test_a_backup_that_cannot_be_restored_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(databases, "dump", lambda path: path.write_bytes(b"no database"))
    with pytest.raises(CommandError, match="The backup cannot be made: "):
        call_command("backup")
    assert [*settings.BACKUP_DIR.iterdir()] == []


@pytest.mark.usefixtures("filled")
def test_a_backup_that_cannot_be_checked_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: Path) -> None:
        raise databases.ScratchError("This role may not make a database.")

    monkeypatch.setattr(databases, "scratch", fail)
    monkeypatch.setattr(databases, "dump", lambda path: path.write_bytes(b""))
    with pytest.raises(CommandError, match="may not make"):
        call_command("backup")
    assert storage.find_latest() is not None


@pytest.mark.usefixtures("filled")
def test_what_was_saved_is_said_and_old_ones_are_deleted_unless_it_is_written_elsewhere(
    tmp_path: Path,
) -> None:
    old = [storage.make_folder() / storage.build_name(NOW - timedelta(days=days)) for days in (365, 366)]
    for path in old:
        path.touch()
    call_command("backup", to=tmp_path, stdout=io.StringIO())
    assert [*storage.find_all()] == old
    out = io.StringIO()
    call_command("backup", stdout=out)
    ((path, instant),) = storage.find_all().items()
    assert instant == NOW
    size = path.stat().st_size / 1e6
    events = Event.objects.count()
    assert out.getvalue() == f"{path}: {events} events, 1 images, {size:.1f} MB, checked by restoring it.\n"


def rewrite(path: Path, **values: object) -> None:
    """Write other values into the manifest of a backup."""
    with tarfile.open(path) as tar:
        members = {each.name: tar.extractfile(each).read() for each in tar if each.isfile()}
    manifest = msgspec.json.decode(members.pop("manifest.json"))
    members["manifest.json"] = msgspec.json.encode(manifest | values)
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"images": 2}, "is no backup of this service, or is damaged or cut off (media has 1 instead of 2)."),
        (
            {"rows": {"programme_event": 99}},
            "is no backup of this service, or is damaged or cut off (programme_event has 8 instead of 99).",
        ),
        (
            {"vendor": "oracle"},
            "is a backup of oracle: this database is another kind, so it cannot be restored here.",
        ),
        (
            {"version": "2.0.0", "migrations": ["programme.9999_newer"]},
            "was made by version 2.0.0, which has migrations that this version does not know"
            " (programme.9999_newer). Install version 2.0.0 or a later one.",
        ),
    ],
)
def test_what_is_not_as_it_was_saved_changes_nothing(
    backup: Path, values: dict[str, object], said: str
) -> None:
    rewrite(backup, **values)
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    with pytest.raises(BackupError) as error:
        archive.restore(backup)
    assert str(error.value) == f"{backup} {said}"
    assert Event.objects.get(pk=programmes.JAZZ).title == "Blues"


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-100], lambda content: b"x" + content, bytearray.upper]
)
def test_a_damaged_file_is_said_to_be_one(backup: Path, damage) -> None:
    backup.write_bytes(damage(bytearray(backup.read_bytes())))
    with pytest.raises(BackupError, match="is no backup of this service, or is damaged or cut off"):
        archive.restore(backup)


def test_a_programme_is_not_replaced_unless_that_is_asked_for(backup: Path) -> None:
    with pytest.raises(CommandError) as error:
        call_command("restore", backup)
    assert str(error.value) == (
        f"The database holds a programme or accounts. Add --replace to restore {backup} instead of"
        " them; they are backed up first."
    )


@pytest.mark.django_db
def test_a_database_with_empty_tables_is_not_occupied() -> None:
    assert not databases.is_occupied()
    Festival.objects.create(name_sv="Festivalen")
    assert databases.is_occupied()


@pytest.mark.parametrize("program", ["pg_dump", "pg_restore"])
def test_a_missing_program_is_named_with_its_package(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackupError) as error:
        databases._run(program)
    assert str(error.value) == f"{program} is not installed (Debian: apt install postgresql-client)."


# --- Versions ---------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("option", ["--prepare", "--migrate"])
def test_a_version_does_not_start_on_migrations_that_it_does_not_know(option: str) -> None:
    MigrationRecorder(connection).record_applied("programme", "9999_newer")
    with pytest.raises(CommandError) as error:
        call_command("serve", option, "--prepare", stdout=io.StringIO(), stderr=io.StringIO())
    assert str(error.value) == (
        "The database has migrations that version 1.0.0 does not know (programme.9999_newer). Install the newer"
        " version again, or restore a backup that was made before."
    )
