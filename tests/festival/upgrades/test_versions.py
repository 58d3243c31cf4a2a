"""A version runs on a database that a newer one has migrated only if that one says so."""

import io
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from festival import __version__
from festival.upgrades import versions
from festival.upgrades.models import MigratedVersion
from tests.conftest import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that version 2.0.0 has migrated."""
    MigrationRecorder(connection).record_applied("programme", "9999_newer")
    monkeypatch.setattr(versions, "__version__", "1.3.0")


def record(version: str, compatible_with: str) -> None:
    MigratedVersion.objects.create(version=version, compatible_with=compatible_with, migrated_at=NOW)


def test_a_migration_records_its_version_once() -> None:
    before = MigratedVersion.objects.get(version=__version__)
    call_command("migrate", verbosity=0)
    assert MigratedVersion.objects.get() == before
    assert before.compatible_with == versions.COMPATIBLE_WITH
    assert MigratedVersion.objects.get().migrated_at - before.migrated_at == timedelta()


def test_a_database_of_this_version() -> None:
    assert versions.explain_newer_database() == ""
    assert versions.find_unapplied() == []


@pytest.mark.usefixtures("newer")
def test_a_newer_version_that_is_compatible_with_this_one() -> None:
    record("2.0.0", "1.3.0")
    assert versions.explain_newer_database() == ""


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize("compatible_with", ["1.3.1", "1.10.0", "2.0.0"])
def test_a_newer_version_that_is_not(compatible_with: str) -> None:
    record("1.9.0", "1.0.0")
    record("2.0.0", compatible_with)
    assert versions.explain_newer_database() == (
        "The database was migrated by version 2.0.0, on which version 1.3.0 does not run; it does not know"
        " programme.9999_newer. Install the newer version again, or restore a backup that was made before."
    )


@pytest.mark.usefixtures("newer")
def test_a_newer_version_that_has_not_recorded_itself() -> None:
    record("1.2.0", "1.0.0")
    assert versions.explain_newer_database() == (
        "The database was migrated by a newer version, on which version 1.3.0 does not run; it does not know"
        " programme.9999_newer. Install the newer version again, or restore a backup that was made before."
    )


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize("option", ["--prepare", "--migrate"])
def test_the_server_does_not_start_on_it(option: str) -> None:
    with pytest.raises(CommandError, match="The database was migrated by a newer version"):
        call_command("serve", option, "--prepare", stdout=io.StringIO(), stderr=io.StringIO())


def test_versions_are_compared_by_their_numbers() -> None:
    assert sorted(["1.10.0", "1.9.1", "0.1.0", "1.9"], key=versions.parse) == [
        "0.1.0",
        "1.9",
        "1.9.1",
        "1.10.0",
    ]
