"""The folder of the backups: their names, the latest one, and which are kept."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

from festival.configuration import data_files

_NAME = re.compile(r"festival-(\d{8}T\d{6})Z\.tar")
_FORMAT = "%Y%m%dT%H%M%S"
# Left by backups that were killed, or could not be restored.
_LEFT = (".festival-*.partial", "festival-*.failed")
_ABANDONED = timedelta(days=1)
# Of these all are kept, so that hourly backups do not delete each other.
_ALL_KEPT = timedelta(hours=48)


def build_name(instant: datetime) -> str:
    return f"festival-{instant.astimezone(UTC):{_FORMAT}}Z.tar"


def make_folder() -> Path:
    """Return the folder of the settings, which only its owner may enter."""
    folder = Path(settings.BACKUP_DIR)
    data_files.make_folder(folder, data_files.PRIVATE_FOLDER)
    return folder


def find_all() -> dict[Path, datetime]:
    """Return the backups in the folder of the settings with their instants, the latest first."""
    found = {
        path: datetime.strptime(name[1], _FORMAT).replace(tzinfo=UTC)
        for path in Path(settings.BACKUP_DIR).glob("festival-*.tar")
        if (name := _NAME.fullmatch(path.name))
    }
    return dict(sorted(found.items(), key=lambda item: item[1], reverse=True))


def find_latest() -> tuple[Path, datetime] | None:
    """Return the latest backup with the instant whose state it holds; None if there is none."""
    return next(iter(find_all().items()), None)


def select_kept(instants: list[datetime], now: datetime, days: int, weeks: int) -> set[datetime]:
    """Return the instants to keep: all recent ones, the last of each day and week, and the latest."""
    kept: dict[object, datetime] = {}
    for instant in sorted(instants):
        age = now - instant
        if age < _ALL_KEPT:
            kept[instant] = instant
        if age < timedelta(days=days):
            kept[instant.date()] = instant
        if age < timedelta(weeks=weeks):
            kept[instant.isocalendar()[:2]] = instant
    return {*kept.values(), *([max(instants)] if instants else [])}


def prune(now: datetime) -> list[Path]:
    """Delete the backups that are not to be kept, and what killed ones have left; return their paths."""
    found = find_all()
    kept = select_kept([*found.values()], now, settings.BACKUP_KEEP_DAYS, settings.BACKUP_KEEP_WEEKS)
    pruned = [path for path, instant in found.items() if instant not in kept]
    limit = (now - _ABANDONED).timestamp()
    left = (path for pattern in _LEFT for path in Path(settings.BACKUP_DIR).glob(pattern))
    pruned += [path for path in left if path.stat().st_mtime < limit]
    for path in pruned:
        path.unlink(missing_ok=True)
    return pruned
