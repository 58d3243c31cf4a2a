"""Which rows hold an editor's work, which an import does not take away unasked: as the history tells it."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from programme.exchange.merge.removed_rows import IMPORT
from programme.history.versions import BEGAN, DELETED
from programme.models import Event, Occasion

# Publishing what an import brought is no work on it.
_NO_WORK = {"id", "status", "source", "source_id", "published_at"}


def edited_events(keys: Collection[int]) -> dict[int, datetime]:
    """Return of these events those that were edited here, or one of whose occasions was, and when last."""
    if not keys:
        return {}
    edited = _edited(Event, Event.history.filter(id__in=keys))  # type: ignore[attr-defined]
    versions = Occasion.history.filter(event_id__in=keys)  # type: ignore[attr-defined]
    owners = dict(Occasion.objects.filter(event_id__in=keys).values_list("pk", "event_id"))
    for occasion, moment in _edited(Occasion, versions).items():
        if owner := owners.get(occasion):
            edited[owner] = max(moment, edited.get(owner, moment))
    return edited


def edited_occasions(keys: Collection[int]) -> dict[int, datetime]:
    """Return of these occasions those that were edited here, and when last."""
    if not keys:
        return {}
    return _edited(Occasion, Occasion.history.filter(id__in=keys))  # type: ignore[attr-defined]


def _edited(model: Any, versions: Any) -> dict[int, datetime]:
    """Return when rows were edited last that are not as imports have left them."""
    by_row: dict[int, list[Any]] = {}
    for version in versions.exclude(history_type=DELETED).select_related("edit").order_by("history_id"):
        by_row.setdefault(version.id, []).append(version)
    fields = [each.attname for each in model.history.model.tracked_fields if each.name not in _NO_WORK]
    return {key: moment for key, found in by_row.items() if (moment := _last_edit(found, fields))}


def _last_edit(versions: Iterable[Any], fields: list[str]) -> datetime | None:
    """Return when a row was edited last, None where all is as it was imported."""
    imported: dict[str, Any] = {}
    before: dict[str, Any] = {}
    moment = None
    for version in versions:
        now = {name: getattr(version, name) for name in fields}
        if version.edit and version.edit.reason in (IMPORT, BEGAN):
            imported |= {name: now[name] for name in fields if not before or before[name] != now[name]}
        elif now != before:
            moment = version.history_date
        before = now
    return moment if moment and before != imported else None
