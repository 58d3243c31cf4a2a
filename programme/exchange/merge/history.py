"""Finds in the history who withdrew or deleted rows, and how they were, to restore them."""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from django.db.models import ForeignKey, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext_noop

from programme.history.restore import DELETION_WINDOW
from programme.history.versions import DELETED, select_latest
from programme.models import Event, Occasion, Status

# The reason that the history gives for an edit.
IMPORT = gettext_noop("import")


class WithdrawnEvents(NamedTuple):
    """The primary keys of drafts that were published before, by who withdrew them."""

    by_imports: Collection[int] = ()
    by_editors: Collection[int] = ()


def find_withdrawn_events(events: QuerySet[Event]) -> WithdrawnEvents:
    drafts = events.filter(status=Status.DRAFT).order_by()
    published = Event.history.filter(id=OuterRef("id"), status=Status.PUBLISHED)
    last = Subquery(published.order_by("-history_id").values("history_id")[:1])
    since = Event.history.filter(id__in=drafts.values("id"), history_id__gt=last).order_by("history_id")
    reasons: dict[int, str] = {}
    for key, reason in since.values_list("id", "edit__reason"):
        reasons.setdefault(key, reason or "")
    by_imports = {key for key, reason in reasons.items() if reason == IMPORT}
    return WithdrawnEvents(by_imports, reasons.keys() - by_imports)


def find_deletions(model: Any, keys: Collection[int]) -> dict[int, Any]:
    """Return the versions in which these rows were deleted; none of rows that are stored again."""
    versions = select_latest(model.history.filter(id__in=keys)).filter(history_type=DELETED)
    return {version.id: version for version in versions.select_related("edit")}


def find_owners(uuids: Collection[str]) -> dict[str, int]:
    """Return the events that deleted occasions belonged to, by the occasions' UUIDs."""
    deletions = Occasion.history.filter(uuid__in=uuids, history_type=DELETED).order_by("history_id")
    return {str(uuid): event for uuid, event in deletions.values_list("uuid", "event_id")}


def find_occasion_deletions(events: dict[int, Any]) -> list[Any]:
    """Return the versions in which occasions were deleted together with their events."""
    deletions = select_latest(Occasion.history.filter(event_id__in=events, history_type=DELETED))
    return [each for each in deletions.select_related("edit") if _same_edit(each, events[each.event_id])]


def _same_edit(part: Any, whole: Any) -> bool:
    if whole.edit_id:
        return bool(part.edit_id == whole.edit_id)
    return bool(abs(whole.history_date - part.history_date) <= DELETION_WINDOW)


def build_rows(model: Any, versions: Iterable[Any], restored: Collection[int] = ()) -> dict[int, Any]:
    """Return versions as rows to insert, without references to rows that are gone.

    `restored` are events that are inserted themselves. Occasions are left out where another one has their
    UUID by now, or where their event is gone.
    """
    rows = {version.id: version.instance for version in versions}
    for field in model._meta.local_concrete_fields:
        if isinstance(field, ForeignKey):
            _set_references(rows.values(), field, restored)
    if model is not Occasion:
        return rows
    uuids = [row.uuid for row in rows.values()]
    taken = set(Occasion.objects.filter(uuid__in=uuids).values_list("uuid", flat=True))
    return {key: row for key, row in rows.items() if row.uuid not in taken and row.event_id is not None}


def _set_references(rows: Collection[Any], field: Any, restored: Collection[int]) -> None:
    keys = {getattr(row, field.attname) for row in rows} - {None}
    # With the rows that these must name.
    found = field.related_model.objects.select_related().in_bulk(keys)
    for row in rows:
        key = getattr(row, field.attname)
        if key in found:
            setattr(row, field.name, found[key])
        elif field.related_model is not Event or key not in restored:
            setattr(row, field.attname, None)
