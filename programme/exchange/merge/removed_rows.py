"""What was taken away here, by whom, and as it was: for an import to bring it back with its identity."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import ForeignKey, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext_noop

from programme.history.restore import A_MOMENT
from programme.history.versions import DELETED, latest_of_each
from programme.models import Event, Occasion, Status

# Why it was edited, as the history tells it.
IMPORT = gettext_noop("import")


def withdrawn(drafts: QuerySet[Event]) -> tuple[set[int], set[int]]:
    """Return which of these drafts were published until an import withdrew them, and until somebody did."""
    versions = Event.history.filter(id__in=drafts.order_by().values("id"))  # type: ignore[attr-defined]
    published = Event.history.filter(id=OuterRef("id"), status=Status.PUBLISHED)  # type: ignore[attr-defined]
    last = Subquery(published.order_by("-history_id").values("history_id")[:1])
    since = versions.filter(history_id__gt=last).order_by("history_id")
    reasons: dict[int, str] = {}
    for key, reason in since.values_list("id", "edit__reason"):
        reasons.setdefault(key, reason or "")
    by_imports = {key for key, reason in reasons.items() if reason == IMPORT}
    return by_imports, reasons.keys() - by_imports


def deleted(model: Any, keys: Collection[int]) -> dict[int, Any]:
    """Return the versions in which these rows were deleted; none of what is there again."""
    if not keys:
        return {}
    versions = latest_of_each(model.history.filter(id__in=keys)).filter(history_type=DELETED)
    return {version.id: version for version in versions.select_related("edit")}


def deleted_by_imports(versions: dict[int, Any]) -> set[int]:
    """Return which of the deleted rows an import has deleted."""
    return {key for key, version in versions.items() if version.edit and version.edit.reason == IMPORT}


def events_of(identities: Collection[str]) -> dict[str, int]:
    """Return of which event occasions were that are not there any more, by their identities."""
    gone = Occasion.history.filter(uuid__in=identities, history_type=DELETED)  # type: ignore[attr-defined]
    return {str(uuid): event for uuid, event in gone.order_by("history_id").values_list("uuid", "event_id")}


def occasions_of(events: dict[int, Any]) -> dict[int, Any]:
    """Return the versions of the occasions that were deleted together with their events."""
    if not events:
        return {}
    gone = Occasion.history.filter(event_id__in=events, history_type=DELETED)  # type: ignore[attr-defined]
    versions = latest_of_each(gone).select_related("edit")
    return {version.id: version for version in versions if _together(version, events[version.event_id])}


def _together(part: Any, whole: Any) -> bool:
    if whole.edit_id:
        return bool(part.edit_id == whole.edit_id)
    return bool(abs(whole.history_date - part.history_date) <= A_MOMENT)


def rows_of(model: Any, versions: Iterable[Any], returning: Collection[int] = ()) -> dict[int, Any]:
    """Return versions as rows to be inserted; what they name that is gone they name no longer.

    `returning` are the events that come back themselves. Left out is what has an identity that another row
    has by now.
    """
    rows = {version.id: version.instance for version in versions}
    for field in model._meta.local_concrete_fields:
        if isinstance(field, ForeignKey):
            _name_what_is_there(rows.values(), field, returning)
    if model is not Occasion:
        return rows
    identities = [row.uuid for row in rows.values()]
    taken = set(Occasion.objects.filter(uuid__in=identities).values_list("uuid", flat=True))
    return {key: row for key, row in rows.items() if row.uuid not in taken and row.event_id is not None}


def _name_what_is_there(rows: Collection[Any], field: Any, returning: Collection[int]) -> None:
    named = {getattr(row, field.attname) for row in rows} - {None}
    there = _with_parents(field.related_model).in_bulk(named) if named else {}
    for row in rows:
        key = getattr(row, field.attname)
        if key in there:
            setattr(row, field.name, there[key])
        elif not (field.related_model is Event and key in returning):
            setattr(row, field.attname, None)


def _with_parents(model: Any) -> Any:
    """Return a model's rows with those that each of them must name."""
    named = [each.name for each in model._meta.local_fields if isinstance(each, ForeignKey) and not each.null]
    return model.objects.select_related(*named) if named else model.objects.all()
