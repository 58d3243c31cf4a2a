"""Rows that editors changed after an import wrote them, which no import removes unasked."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from programme.exchange.merge.history import IMPORT
from programme.history.versions import DELETED, INITIAL_REASON
from programme.models import Event, Occasion

# Publishing what an import wrote is no edit of it.
_NO_EDIT = {"id", "status", "source", "source_id", "published_at"}


def find_edited_events(keys: Collection[int]) -> dict[int, datetime]:
    """Return when these events, or their occasions, were edited last; only those that were."""
    edited = find_edited(Event, id__in=keys)
    owners = dict(Occasion.objects.filter(event_id__in=keys).values_list("pk", "event_id"))
    for occasion, moment in find_edited(Occasion, event_id__in=keys).items():
        if owner := owners.get(occasion):
            edited[owner] = max(moment, edited.get(owner, moment))
    return edited


def find_edited(model: Any, **conditions: Any) -> dict[int, datetime]:
    """Return when rows were edited last that are not as imports have left them."""
    versions = model.history.filter(**conditions).exclude(history_type=DELETED).select_related("edit")
    by_row: dict[int, list[Any]] = defaultdict(list)
    for version in versions.order_by("history_id"):
        by_row[version.id].append(version)
    fields = [each.attname for each in model.history.model.tracked_fields if each.name not in _NO_EDIT]
    return {key: moment for key, found in by_row.items() if (moment := _last_edit(found, fields))}


def _last_edit(versions: Iterable[Any], fields: list[str]) -> datetime | None:
    imported: dict[str, Any] = {}
    before: dict[str, Any] = {}
    moment = None
    for version in versions:
        now = {name: getattr(version, name) for name in fields}
        if version.edit and version.edit.reason in (IMPORT, INITIAL_REASON):
            imported |= {name: now[name] for name in fields if not before or before[name] != now[name]}
        elif now != before:
            moment = version.history_date
        before = now
    return moment if moment and before != imported else None
