"""Names of backups, the latest one, and which are kept."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from festival.backup import storage
from tests.conftest import NOW


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.BACKUP_DIR = tmp_path / "backups"
    return storage.make_folder()


def write(folder: Path, instant: datetime) -> Path:
    path = folder / storage.build_name(instant)
    path.touch()
    return path


def test_only_the_owner_enters_the_folder(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_latest_is_found_by_its_name(folder: Path) -> None:
    assert storage.find_latest() is None
    latest = write(folder, NOW)
    write(folder, NOW - timedelta(days=1))
    (folder / "festival-of-2027.tar.gz").touch()
    (folder / "festival-20991231T000000Z.tar.gz.failed").touch()
    assert storage.find_latest() == (latest, NOW)


def test_no_folder_is_no_backup(settings: Settings, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path / "none"
    assert storage.find_latest() is None


def test_recent_ones_and_the_last_of_each_day_and_week_are_kept() -> None:
    # Every six hours for ten weeks; NOW is a Wednesday.
    instants = [NOW - timedelta(hours=6 * number) for number in range(4 * 70)]
    kept = sorted(storage.select_kept(instants, NOW, days=3), reverse=True)
    assert kept == [
        # All of the last 48 hours.
        *(NOW - timedelta(hours=hours) for hours in range(0, 48, 6)),
        # Of the day three days ago, what is younger than three days; it is its week's last one too.
        datetime(2026, 7, 26, 18, tzinfo=UTC),
        *(datetime(2026, 7, 19, 18, tzinfo=UTC) - timedelta(weeks=weeks) for weeks in range(7)),
    ]


def test_hourly_ones_do_not_delete_each_other() -> None:
    instants = [NOW - timedelta(hours=number) for number in range(48)]
    assert storage.select_kept(instants, NOW, days=0) == set(instants)


def test_the_latest_is_kept_however_old() -> None:
    old = NOW - timedelta(days=900)
    assert storage.select_kept([old, old - timedelta(days=1)], NOW, days=14) == {old}


def test_the_others_are_deleted(folder: Path, settings: Settings) -> None:
    settings.BACKUP_KEEP_DAYS = 2
    kept = [write(folder, NOW), write(folder, NOW - timedelta(days=1))]
    write(folder, NOW - timedelta(days=300))
    storage.prune(NOW)
    assert sorted(folder.iterdir()) == sorted(kept)
