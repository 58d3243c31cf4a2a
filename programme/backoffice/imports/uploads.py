"""Imports that were begun, the choices of their sources, and where an import leads when it is done."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from feeds.columns import COLUMNS
from feeds.vocabulary import Text
from programme.backoffice.changes.wording import count_rows
from programme.backoffice.errors import is_passing
from programme.exchange.merge import plan
from programme.exchange.merge.preview import KINDS
from programme.exchange.readers.sheet.columns import name_field
from programme.models import Event, Occasion, Upload
from programme.models.dates import editor_language

MAX_AGE = timedelta(days=7)


def replace_file(upload: Upload, name: str, content: bytes) -> None:
    """Let another file take a file's place: it is read with the same choices, from the same source."""
    source = upload.preview["source"] if upload.preview else ""
    upload.options = upload.options | {"source": source or upload.options["source"]}
    upload.name, upload.content, upload.preview = name, content, None
    upload.save(update_fields=["name", "content", "options", "preview"])


def read_again(upload: Upload, answers: dict[str, str]) -> None:
    """Let a file be read once more, with these answers beside those that it had."""
    upload.options |= {"answers": upload.options.get("answers", {}) | answers}
    upload.preview = None
    upload.save(update_fields=["options", "preview"])


def uploads_of(user: User) -> QuerySet[Upload]:
    return Upload.objects.filter(user=user)


def sweep_uploads(instant: datetime) -> int:
    return Upload.objects.filter(uploaded_at__lt=instant - MAX_AGE).delete()[0]


def list_pending(user: User) -> list[dict[str, Any]]:
    """Return what an editor has begun with, the latest first, without the files and the plans.

    `counts` is None of a file that was not read yet.
    """
    rows = uploads_of(user).order_by("-pk").values("pk", "name", "uploaded_at", "preview__counts")
    return [row | {"counts": (counts := row["preview__counts"]) and name_counts(counts)} for row in rows]


def name_counts(counts: dict[str, int]) -> list[tuple[str, str, int]]:
    """Return how many rows of a kind an import has: the kind, its label, and their number."""
    return [(kind, str(label), counts[kind]) for kind, label in KINDS.items() if counts[kind]]


def count_sheets(preview: dict[str, Any]) -> dict[str, Any]:
    """Return how many sheets are read, which filled ones are not, and whether one of these is a programme."""
    sheets = preview.get("sheets", [])
    return {
        "read_sheets": sum(each["is_read"] for each in sheets),
        "unread": [each["name"] for each in _list_unread(preview)],
        "lost": any(each["is_lost"] for each in sheets),
    }


def name_unread_sheets(preview: dict[str, Any]) -> str:
    """Return a sentence that names the filled sheets of a workbook that were not read, or ''."""
    sheets = ", ".join(each["description"] for each in _list_unread(preview))
    return _("Not read: %(sheets)s.") % {"sheets": sheets} if sheets else ""


def _list_unread(preview: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in preview.get("sheets", []) if each["is_filled"] and not each["is_read"]]


def build_sentences(planned: plan.PlannedImport) -> list[str]:
    rows = [each.row for each in planned.plan.written if each.model in (Event, Occasion)]
    counts = Counter((planned.find_kind(row), type(row)) for row in rows)
    done = [
        (_("Imported: %(what)s"), _count(counts, plan.NEW, plan.CHANGED)),
        (_("Updated: %(what)s"), ", ".join(str(each.row) for each in planned.list_described())),
        (_("Restored: %(what)s"), _count(counts, plan.RESTORED)),
        (_("Withdrawn: %(what)s"), _count(counts, plan.WITHDRAWN)),
        (_("Deleted: %(what)s"), _count(counts, plan.REMOVED)),
    ]
    return [text % {"what": what} for text, what in done if what]


def _count(counts: Counter[Any], *kinds: str) -> str:
    counted = [(model, sum(counts[kind, model] for kind in kinds)) for model in (Event, Occasion)]
    return ", ".join(count_rows(model, count) for model, count in counted if count)


# In exported sheets it is called number.
_EVENT_ID = Text("Programpunktens ID", "Event's ID")
# Columns of exported sheets that say nothing in others.
OF_EXPORTS = {"version", "last_modified", "occasion_no", "occasion_uid"}


def list_fields() -> list[tuple[str, str]]:
    fields = [each.field for each in COLUMNS if not each.field.endswith("_")]
    names = {field: name_field(field) for field in fields if field not in OF_EXPORTS}
    return [*(names | {"event_id": getattr(_EVENT_ID, editor_language())}).items()]


def describe_failure(upload: Upload, reason: Exception) -> str:
    # The page makes the first letter a capital, which a file's name must not get.
    return _("Nothing is imported from “%(file)s”: %(reason)s.") % {
        "file": upload.name,
        "reason": _("the database does not answer") if is_passing(reason.__cause__) else reason,
    }
