"""Deletes once a day what is of no use any more."""

import logging
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
from pages.starred.models import sweep_lists
from programme.backoffice.conflicts.presence import sweep_open_forms
from programme.backoffice.forms.kept_files import sweep_kept_files
from programme.backoffice.imports.uploads import sweep_uploads
from programme.backoffice.suggestions.links import sweep_links
from programme.history.news import sweep_news
from programme.models.history import models_with_history
from programme.publishing.followers import keep_address
from programme.triggers.changes import delete_obsolete

logger = logging.getLogger(__name__)

# Seconds until a process sweeps after its start, after it has swept, and after it could not.
START, DAY, RETRY = 60.0, 86_400.0, 600.0
# An image is stored a moment before the row that names it; and a preview's has no row.
IMAGE_AGE = timedelta(days=1)


def watch(stop: Event) -> None:
    """Sweep soon after the start and then once a day, until `stop` is set, and keep the followers' address.

    Several processes may do so: what one has deleted is gone for the others.
    """
    pause = START
    while not stop.wait(pause):
        pause = DAY
        try:
            sweep(clock.now())
            keep_address()
        except (Error, OSError) as error:
            pause = RETRY
            logger.warning("Nothing was swept (%s); it is tried again", str(error).partition("\n")[0])
        finally:
            connection.close()


def sweep(instant: datetime) -> dict[str, int]:
    """Carry out all tasks; return how many things each has deleted."""
    return {name: task(instant) for name, task in TASKS.items()}


def sweep_images(instant: datetime) -> int:
    """Delete images that no row names, nor any version of a row, which may be restored."""
    root, before = Path(settings.MEDIA_ROOT), (instant - IMAGE_AGE).timestamp()
    fields = [
        (model, field)
        for model in apps.get_models()
        for field in model._meta.local_concrete_fields
        if isinstance(field, FileField)
    ]
    # Before the names: what is stored meanwhile is not among them.
    stored = [
        path
        for folder in {str(field.upload_to) for _model, field in fields}
        for path in (root / folder).glob("*")
        if path.is_file() and path.lstat().st_mtime < before
    ]
    named = {name for model, field in fields for name in _find_names(model, field.name)}
    orphans = [path for path in stored if path.relative_to(root).as_posix() not in named]
    for path in orphans:
        path.unlink(missing_ok=True)
    return len(orphans)


def _find_names(model: type[Model], field: str) -> Iterator[str]:
    """Yield the files that rows of a model name, and versions of its rows."""
    yield from QuerySet(model).values_list(field, flat=True)
    if model in models_with_history():
        versions = model.history.model  # type: ignore[attr-defined]  # set by django-simple-history
        yield from versions.objects.values_list(field, flat=True).distinct()


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
    "news": sweep_news,
    # Of deleted events: who has a programme of before loads it in full.
    "logged changes": lambda _instant: delete_obsolete(),
}
