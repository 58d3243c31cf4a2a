"""Deletes once a day what is of no use any more, from one process of a machine at a time."""

import logging
import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import Error, connection
from django.db.models import FileField, Model, QuerySet

from festival import clock
from festival.accounts.log import sweep_attempts, sweep_log
from festival.threads import try_lock
from pages.starred.models import sweep_lists
from programme.backoffice.conflicts.presence import sweep_open_forms
from programme.backoffice.forms.kept_files import sweep_kept_files
from programme.backoffice.imports.uploads import sweep_uploads
from programme.backoffice.suggestions.links import sweep_links
from programme.models.history import models_with_history
from programme.triggers.changes import delete_obsolete

logger = logging.getLogger(__name__)

INTERVAL = timedelta(days=1)
# Seconds from the start of a process to its first look, and between looks.
FIRST_LOOK, NEXT_LOOK = 60.0, 600.0
# An image is stored a moment before the row that names it; and a preview's has no row.
IMAGE_AGE = timedelta(days=1)


def watch(stop: Event) -> None:
    """Sweep whenever a day has passed since anybody has, until `stop` is set."""
    pause = FIRST_LOOK
    while not stop.wait(pause):
        pause = NEXT_LOOK
        try:
            sweep_if_due(clock.now())
        except (Error, OSError) as error:
            logger.warning("Nothing was swept (%s); it is tried again", str(error).partition("\n")[0])
        finally:
            connection.close()


def sweep_if_due(instant: datetime) -> None:
    """Sweep if the last time, which is that of a file, was a day ago."""
    path = Path(settings.DATA_DIR, "swept")
    with try_lock(path.with_suffix(".lock")) as is_locked:
        is_due = not path.exists() or instant.timestamp() - path.stat().st_mtime >= INTERVAL.total_seconds()
        if is_locked and is_due:
            sweep(instant)


def sweep(instant: datetime) -> dict[str, int]:
    """Carry out all tasks; return how many things each has deleted."""
    deleted = {name: task(instant) for name, task in TASKS.items()}
    path = Path(settings.DATA_DIR, "swept")
    path.touch()
    os.utime(path, times=(instant.timestamp(), instant.timestamp()))
    return deleted


def sweep_images(instant: datetime) -> int:
    """Delete images that no row names, nor any version of a row, which may be restored."""
    before = (instant - IMAGE_AGE).timestamp()
    # Before the names: what is stored meanwhile is not among them.
    stored = [path for path in _find_images() if path.lstat().st_mtime < before]
    named = {*_find_names()}
    root = Path(settings.MEDIA_ROOT)
    orphans = [path for path in stored if path.relative_to(root).as_posix() not in named]
    for path in orphans:
        path.unlink(missing_ok=True)
    return len(orphans)


def _file_fields() -> Iterator[tuple[type[Model], str, str]]:
    """Yield each model with a field that names files, the field's name and its folder."""
    for model in apps.get_models():
        for field in model._meta.local_concrete_fields:
            if isinstance(field, FileField):
                yield model, field.name, str(field.upload_to)


def _find_images() -> Iterator[Path]:
    for folder in {folder for _model, _name, folder in _file_fields()}:
        yield from (path for path in Path(settings.MEDIA_ROOT, folder).glob("*") if path.is_file())


def _find_names() -> Iterator[str]:
    for model, name, _folder in _file_fields():
        yield from QuerySet(model).exclude(**{name: ""}).values_list(name, flat=True)
        if model in models_with_history():
            versions = model.history.model  # type: ignore[attr-defined]  # set by django-simple-history
            yield from versions.objects.exclude(**{name: ""}).values_list(name, flat=True).distinct()


TASKS: dict[str, Callable[[datetime], int]] = {
    "sessions": lambda instant: Session.objects.filter(expire_date__lt=instant).delete()[0],
    "uploads": sweep_uploads,
    "files of refused forms": sweep_kept_files,
    "open forms": sweep_open_forms,
    "images": sweep_images,
    "lines of the log": sweep_log,
    "counted attempts": sweep_attempts,
    "lists of stars": sweep_lists,
    "links of organizers": sweep_links,
    # Of deleted events: who has a programme of before loads it in full.
    "logged changes": lambda _instant: delete_obsolete(),
}
