"""What the history and imports know of rows: who edited or removed them, and how to restore them."""

from collections.abc import Collection, Iterable
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery

from programme.changes.memory import IMPORT
from programme.exchange.merge.editions import ImportEditions
from programme.exchange.merge.matching import parse_event_id
from programme.exchange.merge.three_way import GONE, ThreeWayMerge, build_conflict_key
from programme.exchange.values import Contents, ScheduledEvent, ScheduledOccasion, group_by
from programme.history.versions import DELETED, DELETION_WINDOW, build_rows, select_latest
from programme.models import Event, GoneOccasion, ImportedRow, Occasion, Status
from programme.models.imports import to_json


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


def build_occasions(versions: Iterable[Any], restored: Collection[int] = ()) -> dict[int, Occasion]:
    """Return versions as rows to insert, but where another one has their UUID, or their event is gone."""
    rows = build_rows(versions, restored)
    uuids = [row.uuid for row in rows.values()]
    taken = set(Occasion.objects.filter(uuid__in=uuids).values_list("uuid", flat=True))
    return {key: row for key, row in rows.items() if row.uuid not in taken and row.event_id is not None}


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
    by_row = group_by(versions.order_by("history_id"), lambda version: version.id)
    fields = [each.attname for each in model.history.model.tracked_fields if each.name not in _NO_EDIT]
    return {key: moment for key, found in by_row.items() if (moment := _last_edit(found, fields))}


def _last_edit(versions: Iterable[Any], fields: list[str]) -> datetime | None:
    imported: dict[str, Any] = {}
    before: dict[str, Any] = {}
    moment = None
    for version in versions:
        now = {name: getattr(version, name) for name in fields}
        if version.edit and version.edit.reason == IMPORT:
            imported |= {name: now[name] for name in fields if not before or before[name] != now[name]}
        elif now != before:
            moment = version.history_date
        before = now
    return moment if moment and before != imported else None


class DeletedRows:
    """The deleted rows: of other sources as imports remember them, of this service's sheets by UUIDs."""

    def __init__(
        self,
        contents: Contents,
        memory: ThreeWayMerge,
        editions: ImportEditions,
        events: set[int],
        occasions: set[int],
    ) -> None:
        self.contents = contents
        self.memory = memory
        self.has_editions = bool(editions.all)
        self.stored_events = events
        rows = {} if contents.is_own_export else memory.rows
        stored = {ImportedRow.EVENT: events, ImportedRow.OCCASION: occasions}
        self._events, self._occasions = (
            [row for (kind, pk), row in rows.items() if kind == of and pk not in keys]
            for of, keys in stored.items()
        )
        if editions.all:
            # What was of editions that the file does not name is left out.
            every = {row.values.get("event") for row in self._occasions}
            self._occasions = [row for row in self._occasions if editions.names(row.values.get("start"))]
            others = every - {row.values.get("event") for row in self._occasions}
            self._events = [row for row in self._events if row.row_id not in others]
        self._event_by_id = {
            parse_event_id(row.source_id): row.row_id for row in self._events if row.source_id
        }
        self._occasion_by_id = {row.source_id: row.row_id for row in self._occasions if row.source_id}
        self._occasion_by_start = {
            (row.values.get("event"), row.values.get("start")): row.row_id for row in self._occasions
        }

    def find_event(self, event: ScheduledEvent) -> int | None:
        """Return the primary key that an event of the file had, None if it was not deleted."""
        if not self.contents.is_own_export:
            return self._event_by_id.get(event.source_id)
        owners = (self._owners.get(occasion.guid) for occasion in event.occasions)
        return next((owner for owner in owners if owner and owner not in self.stored_events), None)

    def find_occasion(self, occasion: ScheduledOccasion, event: Event) -> int | None:
        """Return the primary key that an occasion of another source had, None if it was not deleted."""
        known = self._occasion_by_id.get(occasion.guid) if occasion.guid else None
        # An occasion of another edition may have the guid itself.
        if known or (occasion.guid and not self.has_editions):
            return known
        return self._occasion_by_start.get((event.pk, to_json(occasion.start))) if event.pk else None

    @cached_property
    def uuids(self) -> set[str]:
        """The UUIDs of occasions that were published and have been deleted."""
        return set(map(str, GoneOccasion.objects.values_list("uuid", flat=True)))

    @cached_property
    def _owners(self) -> dict[str, int]:
        """The events that deleted occasions of the file belonged to, by the occasions' UUIDs."""
        uuids = {each.guid for event in self.contents.events for each in event.occasions} & self.uuids
        deletions = Occasion.history.filter(uuid__in=uuids, history_type=DELETED).order_by("history_id")
        return {str(uuid): event for uuid, event in deletions.values_list("uuid", "event_id")}

    @cached_property
    def _event_versions(self) -> dict[int, Any]:
        keys = {row.row_id for row in self._events}
        if self.contents.is_own_export:
            keys = set(self._owners.values()) - self.stored_events
        return find_deletions(Event, {key for key in keys if self._is_decided(Event(pk=key))})

    def _is_decided(self, row: Event | Occasion) -> bool:
        return build_conflict_key(row, row.pk, GONE) in self.memory.options.overwritten

    @cached_property
    def events(self) -> dict[int, Event]:
        """The events to restore, as they were."""
        return build_rows(self._event_versions.values())

    @cached_property
    def occasions_by_event(self) -> dict[int, list[Occasion]]:
        """The occasions that were deleted together with their events."""
        events = self._event_versions
        deletions = select_latest(Occasion.history.filter(event_id__in=events, history_type=DELETED))
        together = []
        for part in deletions.select_related("edit"):
            whole = events[part.event_id]
            apart = abs(whole.history_date - part.history_date)
            if part.edit_id == whole.edit_id if whole.edit_id else apart <= DELETION_WINDOW:
                together.append(part)
        return group_by(build_occasions(together, events).values(), lambda row: row.event_id)

    @cached_property
    def _occasion_versions(self) -> dict[int, Any]:
        return find_deletions(Occasion, {row.row_id for row in self._occasions})

    @cached_property
    def deleted_by_imports(self) -> set[int]:
        versions = self._occasion_versions.items()
        return {key for key, version in versions if version.edit and version.edit.reason == IMPORT}

    @cached_property
    def occasions(self) -> dict[int, Occasion]:
        """The occasions to restore, as they were: those that imports deleted, and those decided on."""
        versions = [
            version
            for key, version in self._occasion_versions.items()
            if version.event_id in self.stored_events
            and (key in self.deleted_by_imports or self._is_decided(Occasion(pk=key)))
        ]
        return build_occasions(versions)
