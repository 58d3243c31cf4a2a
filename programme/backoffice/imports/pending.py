"""Imports that were begun and not carried out: kept for a week, and found again on the page of importing."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from programme.exchange.merge.preview import (
    CHANGED,
    CREATED,
    DELETED,
    KEPT,
    REFUSED,
    RESTORED,
    UNCHANGED,
    WITHDRAWN,
)
from programme.models import Upload

MAX_AGE = timedelta(days=7)
# Of one editor: files are stored in the database. The oldest goes first.
MOST = 20

# How many rows of a kind an import has.
Counts = list[tuple[str, str, int]]


class PendingImport(NamedTuple):
    """`counts` is None of a file that was not read yet."""

    key: int
    name: str
    uploaded_at: datetime
    counts: Counts | None


def store_upload(user: User, name: str, content: bytes, options: dict[str, Any]) -> Upload:
    """Store a file beside those that the editor has begun with."""
    kept = list(uploads_of(user).order_by("-pk").values_list("pk", flat=True)[: MOST - 1])
    uploads_of(user).exclude(pk__in=kept).delete()
    return Upload.objects.create(user=user, name=name, content=content, options=options)


def replace_file(upload: Upload, name: str, content: bytes) -> None:
    """Let another file take a file's place: it is read with the same choices, from the same source."""
    source = upload.preview["source"] if upload.preview else ""
    upload.options = upload.options | {"source": source or upload.options["source"]}
    upload.name, upload.content, upload.preview = name, content, None
    upload.save(update_fields=["name", "content", "options", "preview"])


def uploads_of(user: User) -> QuerySet[Upload]:
    return Upload.objects.filter(user=user)


def sweep_uploads(instant: datetime) -> int:
    return Upload.objects.filter(uploaded_at__lt=instant - MAX_AGE).delete()[0]


def list_pending(user: User) -> list[PendingImport]:
    """Return what an editor has begun with, the latest first, without the files and the plans."""
    rows = uploads_of(user).order_by("-pk")
    values = rows.values_list("pk", "name", "uploaded_at", "preview__counts")
    return [
        PendingImport(key, name, uploaded_at, None if counts is None else name_counts(counts))
        for key, name, uploaded_at, counts in values
    ]


def name_counts(counts: dict[str, int]) -> Counts:
    labels = {
        CREATED: _("New"),
        CHANGED: _("With changes"),
        RESTORED: _("Restored"),
        WITHDRAWN: _("Withdrawn"),
        DELETED: _("Deleted"),
        KEPT: _("Edited here"),
        REFUSED: _("Refused"),
        UNCHANGED: _("Left alone"),
    }
    return [(kind, label, counts[kind]) for kind, label in labels.items() if counts[kind]]
