"""What is restored is what was saved, on SQLite and PostgreSQL, or nothing has changed."""

import io
import re
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from festival.accounts.models import CacheEntry
from festival.backup import archive, databases
from festival.backup.databases import BackupError
from programme.models import Event, Festival, Occasion, Revision
from tests import programmes
from tests.conftest import NOW
from tests.databases import has_statistics
from tests.festival.backup.conftest import IMAGE
from tests.festival.backup.installations import Installation, new_installation


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with new_installation(tmp_path / "installation") as made:
        yield made


@pytest.fixture
def backup(filled: Path, tmp_path: Path) -> Path:
    path = tmp_path / "backup.tar.gz"
    archive.create(path)
    return path


LINEAGE = "from programme.models import Revision; print(Revision.objects.get().lineage)"
TITLES = "from programme.models import Event; print(sorted(Event.objects.values_list('title', flat=True)))"


def test_a_backup_is_restored_beside_the_service(filled, backup):
    with archive.unpack(backup) as (alias, media):
        assert Event.objects.using(alias).count() == Event.objects.count()
        assert Occasion.objects.using(alias).count() == Occasion.objects.count()
        assert (media / "events" / "jazz.jpg").read_bytes() == IMAGE
    assert alias not in [each.alias for each in connections.all(initialized_only=True)]


LONG_NAMES = ("j" * 251 + ".jpg", "å" * 125 + ".jpeg", "långt/" * 40 + "jazz.jpg")


def test_long_names_of_images_are_restored(filled, tmp_path):
    images = {filled / name: name.encode() for name in LONG_NAMES}
    for path, content in images.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    archive.create(tmp_path / "backup.tar.gz")
    shutil.rmtree(filled)
    archive.restore(tmp_path / "backup.tar.gz")
    assert {path: path.read_bytes() for path in images} == images


def test_images_that_are_links_are_restored_as_files(filled, tmp_path):
    image = filled / "events" / "jazz.jpg"
    (filled / "hard.jpg").hardlink_to(image)
    (filled / "symbolic.jpg").symlink_to(image)
    archive.create(tmp_path / "backup.tar.gz")
    shutil.rmtree(filled)
    archive.restore(tmp_path / "backup.tar.gz")
    restored = {path.name: path.read_bytes() for path in filled.rglob("*.jpg") if not path.is_symlink()}
    assert restored == dict.fromkeys(("jazz.jpg", "hard.jpg", "symbolic.jpg"), IMAGE)


@pytest.mark.usefixtures("table_of_a_newer_version")
def test_it_takes_the_place_of_tables_that_a_newer_version_has_added(backup):
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    archive.restore(backup)
    assert Event.objects.get(pk=programmes.JAZZ).title != "Blues"
    assert TABLE not in connection.introspection.table_names()
    assert has_statistics("programme_event")
    # What it is restored to is saved and restored like any other.
    archive.create(backup)
    archive.restore(backup)


TABLE = "programme_newer"


@pytest.fixture
def table_of_a_newer_version(backup: Path) -> Iterator[None]:
    """A table that refers to one of this version, with a row."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {TABLE} (event_id bigint REFERENCES programme_event (id))")
    yield
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {TABLE}")


def test_what_fails_leaves_rows_and_images_as_they_were(filled, backup, monkeypatch):
    def fail(_alias: str) -> None:
        raise BackupError("psql failed")

    monkeypatch.setattr(databases, "replace", fail)
    (filled / "events" / "jazz.jpg").write_bytes(b"another image")
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    with pytest.raises(BackupError):
        archive.restore(backup)
    assert (filled / "events" / "jazz.jpg").read_bytes() == b"another image"
    assert Event.objects.get(pk=programmes.JAZZ).title == "Blues"


def test_a_folder_in_the_place_of_an_image_changes_nothing(filled, backup):
    (filled / "events" / "jazz.jpg").unlink()
    (filled / "events" / "jazz.jpg").mkdir()
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    with pytest.raises(BackupError, match=r"cannot be restored: .*jazz\.jpg"):
        archive.restore(backup)
    assert Event.objects.get(pk=programmes.JAZZ).title == "Blues"


def test_it_is_restored_on_an_empty_machine_and_instead_of_another_programme(
    filled, backup, tmp_path, installation
):
    events, second = Event.objects.count(), tmp_path / "second.tar.gz"
    titles = sorted(Event.objects.values_list("title", flat=True))
    lineages = {str(Revision.objects.get().lineage)}
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    (filled / "events" / "jazz.jpg").write_bytes(b"another image")
    archive.create(second)

    output = installation.run("restore", str(backup))
    assert output == (
        0,
        f"Restored {events} events. All processes show them soon; editors sign in again.\n",
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


def test_only_its_owner_reads_it_and_it_has_no_setting_and_no_session(backup, settings, tmp_path):
    assert Session.objects.exists()
    assert backup.stat().st_mode & 0o777 == 0o600
    with archive.unpack(backup) as (alias, _media):
        assert not Session.objects.using(alias).exists()
        assert not CacheEntry.objects.using(alias).exists()
    with tarfile.open(backup) as tar, closing(tar.extractfile(archive.DATABASE)) as file:
        content = file.read()
    assert settings.SECRET_KEY.encode() not in content
    if connection.vendor == "sqlite":
        assert Session.objects.get().session_key.encode() not in content


@pytest.mark.usefixtures("filled")
def test_a_backup_that_cannot_be_restored_is_not_there(tmp_path, monkeypatch, settings):
    monkeypatch.setattr(databases, "dump", lambda path: path.write_bytes(b"no database"))
    old = [archive.build_path(NOW - timedelta(days=days)) for days in (365, 366)]
    for path in old:
        path.touch()
    with pytest.raises(CommandError, match=r"not a database|valid archive"):
        call_command("backup")
    # Old ones are deleted all the same, but the latest.
    assert [*settings.BACKUP_DIR.iterdir()] == old[:1]


def test_a_backup_that_lacks_an_image_or_a_row_is_not_there(filled, monkeypatch, settings):
    extract, dump = archive._extract, databases.dump
    for module, name, lacking in (
        (archive, "_extract", lambda tar, each, *to: "media" in each.name or extract(tar, each, *to)),
        (databases, "dump", lambda path: dump(path) | {"programme_event": 99}),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, lacking)
            with pytest.raises(CommandError, match="has not all rows and images"):
                call_command("backup")
        assert [*settings.BACKUP_DIR.iterdir()] == []


@pytest.mark.usefixtures("filled")
def test_what_was_saved_is_said_and_old_ones_are_deleted_unless_it_is_written_elsewhere(tmp_path):
    old = [archive.build_path(NOW - timedelta(days=days)) for days in (365, 366)]
    for path in old:
        path.touch()
    call_command("backup", to=tmp_path, stdout=io.StringIO())
    assert [*archive.find_all()] == old
    out = io.StringIO()
    call_command("backup", stdout=out)
    ((path, instant),) = archive.find_all().items()
    assert instant == NOW
    size = path.stat().st_size / 1e6
    events = Event.objects.count()
    assert out.getvalue() == f"{path}: {events} events, 1 images, {size:.1f} MB, checked by restoring it.\n"


def write_archive(path: Path, name: str, content: bytes, kind: bytes = tarfile.REGTYPE) -> None:
    with tarfile.open(path, "w:gz") as tar:
        member = tarfile.TarInfo(name)
        member.size, member.type, member.linkname = len(content), kind, "/etc/hostname"
        tar.addfile(member, io.BytesIO(content))


@pytest.mark.parametrize(
    "name",
    [
        *("media//x", "media/../x", "media/./x", "media/x/..", "media", "media/", "../x", "/etc/x", "x", ""),
        *("database.sqlite/x", "./media/x", "mediax", "media/x\0y"),
    ],
)
def test_a_file_that_no_backup_has_changes_nothing(tmp_path, settings, name):
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    write_archive(tmp_path / "other.tar.gz", name, b"content")
    with pytest.raises(BackupError, match="is no backup of this service"):
        archive.restore(tmp_path / "other.tar.gz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "other.tar.gz"]
    assert [*settings.DATA_DIR.iterdir()] == []


@pytest.mark.parametrize("name", ["media/x", archive.DATABASE])
@pytest.mark.parametrize(
    "kind", [tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE]
)
def test_what_is_no_file_changes_nothing(tmp_path, name, kind):
    write_archive(tmp_path / "other.tar.gz", name, b"", kind)
    with pytest.raises(BackupError, match=re.escape(f"(it contains '{name}')")):
        archive.restore(tmp_path / "other.tar.gz")


@pytest.mark.parametrize("name", ["database.oracle", archive.DATABASE])
def test_what_is_no_backup_of_this_database_changes_nothing(filled, tmp_path, name):
    write_archive(tmp_path / "other.tar.gz", name, b"no database")
    with pytest.raises(BackupError):
        archive.restore(tmp_path / "other.tar.gz")
    assert Event.objects.filter(pk=programmes.JAZZ).exists()


def test_a_backup_of_a_newer_version_changes_nothing(filled, tmp_path):
    newer = ("programme", "9999_newer")
    MigrationRecorder(connection).record_applied(*newer)
    archive.create(tmp_path / "newer.tar.gz")
    # No test empties this table.
    MigrationRecorder(connection).record_unapplied(*newer)
    Event.objects.filter(pk=programmes.JAZZ).update(title="Blues")
    with pytest.raises(BackupError, match=r"does not know \(programme\.9999_newer\)"):
        archive.restore(tmp_path / "newer.tar.gz")
    assert Event.objects.get(pk=programmes.JAZZ).title == "Blues"


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-100], lambda content: b"x" + content, bytearray.upper]
)
def test_a_damaged_file_is_said_to_be_one(backup, damage):
    backup.write_bytes(damage(bytearray(backup.read_bytes())))
    with pytest.raises(BackupError, match="is no backup of this service, or is damaged or cut off"):
        archive.restore(backup)


def test_a_programme_is_not_replaced_unless_that_is_asked_for(backup):
    with pytest.raises(CommandError) as error:
        call_command("restore", backup)
    assert str(error.value) == "There is a programme here. --replace backs it up and restores instead."


@pytest.mark.django_db
def test_empty_tables_are_no_programme(tmp_path):
    with pytest.raises(BackupError, match=r"none\.tar\.gz cannot be restored: No such file or directory\."):
        call_command("restore", tmp_path / "none.tar.gz")
    with pytest.raises(BackupError, match="cannot be restored: Is a directory"):
        call_command("restore", tmp_path)
    Festival.objects.create(name_sv="Festivalen")
    with pytest.raises(CommandError, match="There is a programme here"):
        call_command("restore", tmp_path / "none.tar.gz")


@pytest.mark.parametrize("program", ["pg_dump", "pg_restore"])
def test_a_missing_program_is_named_with_its_package(program, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackupError) as error:
        databases._run(program)
    assert str(error.value) == f"{program} is not installed (Debian: apt install postgresql-client)."


@pytest.mark.django_db
@pytest.mark.parametrize("option", ["--prepare", "--migrate"])
def test_a_version_does_not_start_on_migrations_that_it_does_not_know(option):
    MigrationRecorder(connection).record_applied("programme", "9999_newer")
    with pytest.raises(CommandError) as error:
        call_command("serve", option, "--prepare", stdout=io.StringIO(), stderr=io.StringIO())
    assert str(error.value) == (
        "The database has migrations that version 1.0.0 does not know (programme.9999_newer). Install the newer"
        " version again, or restore a backup that was made before."
    )
