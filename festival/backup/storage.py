"""The folder of the backups: their names, the latest one, and which are kept."""

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

from festival.configuration import data_files

_NAME = "festival-%Y%m%dT%H%M%SZ.tar.gz"
# For how long all are kept, so that hourly ones do not delete each other, and the last one of each week.
_ALL_KEPT, _WEEKS_KEPT = timedelta(hours=48), timedelta(weeks=8)


def build_name(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime(_NAME)


def make_folder() -> Path:
    """Return the folder of the settings, which only its owner may enter."""
    folder = Path(settings.BACKUP_DIR)
    data_files.make_folder(folder, data_files.PRIVATE_FOLDER)
    return folder


def find_all() -> dict[Path, datetime]:
    """Return the backups in the folder of the settings with their instants, the latest first."""
    found = {}
    for path in Path(settings.BACKUP_DIR).glob("festival-*.tar.gz"):
        with contextlib.suppress(ValueError):
            found[path] = datetime.strptime(path.name, _NAME).replace(tzinfo=UTC)
    return dict(sorted(found.items(), key=lambda item: item[1], reverse=True))


def find_latest() -> tuple[Path, datetime] | None:
    """Return the latest backup with the instant whose state it holds; None if there is none."""
    return next(iter(find_all().items()), None)


def select_kept(instants: list[datetime], now: datetime, days: int) -> set[datetime]:
    """Return the instants to keep: all recent ones, the last of each day and week, and the latest."""
    kept: dict[object, datetime] = {}
    for instant in sorted(instants):
        if now - instant < _ALL_KEPT:
            kept[instant] = instant
        if now - instant < timedelta(days=days):
            kept[instant.date()] = instant
        if now - instant < _WEEKS_KEPT:
            kept[instant.isocalendar()[:2]] = instant
    return {*kept.values(), *([max(instants)] if instants else [])}


def prune(now: datetime) -> None:
    """Delete the backups that are not to be kept."""
    found = find_all()
    kept = select_kept([*found.values()], now, settings.BACKUP_KEEP_DAYS)
    for path, instant in found.items():
        if instant not in kept:
            path.unlink(missing_ok=True)
