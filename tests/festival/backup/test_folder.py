"""Names of backups, and which are kept."""

from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from festival.backup import archive
from tests.conftest import NOW


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.BACKUP_DIR = tmp_path / "backups"
    return archive.build_path(NOW).parent


def write(*ages: timedelta) -> None:
    for age in ages:
        archive.build_path(NOW - age).touch()


def find_ages() -> list[timedelta]:
    return [NOW - instant for instant in archive.find_all().values()]


def test_only_the_owner_enters_the_folder(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_latest_is_found_first_by_its_name(folder: Path) -> None:
    write(timedelta(days=1), timedelta(0))
    (folder / "festival-of-2027.tar.gz").touch()
    (folder / "festival-99999999T999999Z.tar.gz").touch()
    (folder / "festival-20991231T000000Z.tar.gz.failed").touch()
    assert find_ages() == [timedelta(0), timedelta(days=1)]


def test_no_folder_is_no_backup(settings: Settings, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path / "none"
    assert archive.find_all() == {}


@pytest.mark.usefixtures("folder")
def test_recent_ones_and_the_last_of_each_day_are_kept(settings: Settings) -> None:
    settings.BACKUP_KEEP_DAYS = 5
    # Every six hours for ten days, from noon.
    write(*(timedelta(hours=6 * number) for number in range(40)))
    archive.prune(NOW)
    recent = [timedelta(hours=hours) for hours in range(0, 49, 6)]
    # At 18:00 of the days before.
    assert find_ages() == [*recent, timedelta(hours=66), timedelta(hours=90), timedelta(hours=114)]


@pytest.mark.usefixtures("folder")
def test_the_latest_is_kept_however_old() -> None:
    write(timedelta(days=900), timedelta(days=901))
    archive.prune(NOW)
    assert find_ages() == [timedelta(days=900)]
