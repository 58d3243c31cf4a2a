"""Restoring an earlier state of a row and of the rows that belong to it, with their identities."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import ForeignKey

from programme.history.timeline import CHANGED, CREATED, RowChange, RowNames, compare_fields, format_title
from programme.history.versions import DELETED, Part, State, select_latest, select_parts_at
from programme.models.history import SET_ONCE

# How long deleting a row with its parts may take, if it was not one edit.
DELETION_WINDOW = timedelta(minutes=1)


@dataclass
class Restoration:
    """What restoring a state would do; rows with the values that they would have."""

    changed: list[Any] = field(default_factory=list)
    created: list[Any] = field(default_factory=list)
    deleted: list[Any] = field(default_factory=list)
    # The same for display, and the names of related rows that are left out because they are deleted.
    row_changes: list[RowChange] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def apply(self) -> None:
        """Write it in the caller's transaction. Raises `ValidationError` if a row is not valid any more."""
        for row in self.deleted:
            row.delete()
        for row in self.changed:
            # Of a copy: cleaning may fill in what was empty.
            copy(row).full_clean()
            row.save()
        for row in self.created:
            copy(row).full_clean()
            row.save(force_insert=True)


def find_state_before_deletion(model: Any, key: Any, parts: Iterable[Part]) -> State:
    """Return the state in which a row was deleted, () if it exists or never did."""
    last = model.history.filter(id=key).order_by("history_id").last()
    if last is None or last.history_type != DELETED:
        return ()
    found = [last.history_id - 1]
    for part, parent in parts:
        versions = part.history.filter(**{parent: key})
        # Django deletes what belongs to a row before the row.
        same_edit = {"edit": last.edit_id}
        same_minute = {"history_date__gte": last.history_date - DELETION_WINDOW}
        deleted = versions.filter(history_type=DELETED, **(same_edit if last.edit_id else same_minute))
        first = deleted.order_by("history_id").values_list("history_id", flat=True).first()
        latest = versions.order_by("-history_id").values_list("history_id", flat=True).first()
        found.append(first - 1 if first else latest or 0)
    return tuple(found)


def plan_restoration(model: Any, key: Any, parts: list[Part], state: State) -> Restoration:
    exists = model.objects.filter(pk=key).exists()
    # Parts name a row that is restored with them.
    planner = _Planner(set() if exists else {parent for _part, parent in parts})
    tables: list[tuple[Any, str]] = [(model, "id"), *parts]
    for number, (table, parent) in enumerate(tables):
        then = {version.id: version for version in select_parts_at((table, parent), key, state[number])}
        now = {row.pk: row for row in table.objects.filter(**{parent: key})}
        # Rows that belong to another row by now are taken back from it.
        now |= {row.pk: row for row in table.objects.filter(pk__in=then.keys() - now.keys())}
        planner.add(table, then, now, is_part=number > 0)
    planner.plan.lost = list(dict.fromkeys(planner.plan.lost))
    return planner.plan


class _Planner:
    def __init__(self, restored: set[str]) -> None:
        self.plan = Restoration()
        self.restored = restored
        self.names = RowNames([])

    def add(self, model: Any, then: dict[Any, Any], now: dict[Any, Any], *, is_part: bool) -> None:
        self.names = RowNames([*then.values(), *(_as_version(row) for row in now.values())])
        deletions = select_latest(model.history.filter(id__in=then.keys() - now.keys()))
        deleted = {version.id: version for version in deletions} if then.keys() - now.keys() else {}
        for key, version in then.items():
            title = f"{model._meta.verbose_name} {format_title(version)}" if is_part else ""
            if key in now:
                self._change(now[key], version, title)
            else:
                self._create(version, deleted[key], title)
        for key in now.keys() - then.keys() if is_part else ():
            title = f"{model._meta.verbose_name} {format_title(now[key])}"
            self.plan.deleted.append(now[key])
            self.plan.row_changes.append(RowChange(DELETED, title))

    def _create(self, version: Any, deletion: Any, title: str) -> None:
        row = version.instance
        # They may have been set after the version, so they are in the version of the deletion.
        for name in SET_ONCE & deletion.__dict__.keys():
            setattr(row, name, getattr(deletion, name))
        self._drop_lost(row, None)
        self.plan.created.append(row)
        self.plan.row_changes.append(RowChange(CREATED, title))

    def _change(self, row: Any, version: Any, title: str) -> None:
        before = _as_version(row)
        for field_ in type(version).tracked_fields:
            if field_.name not in SET_ONCE:
                setattr(row, field_.attname, getattr(version, field_.attname))
        self._drop_lost(row, before)
        changes = compare_fields(type(row), before, row, self.names)
        if changes:
            self.plan.changed.append(row)
            self.plan.row_changes.append(RowChange(CHANGED, title, changes))

    def _drop_lost(self, row: Any, before: Any) -> None:
        """Keep, instead of related rows that are deleted, those that the row names now."""
        for relation in row._meta.local_concrete_fields:
            if isinstance(relation, ForeignKey) and relation.name not in self.restored:
                key = getattr(row, relation.attname)
                if self.names.is_deleted(relation.related_model, key):
                    self.plan.lost.append(self.names.find(relation.related_model, key))
                    setattr(row, relation.attname, before and getattr(before, relation.attname))


def _as_version(row: Any) -> Any:
    model = type(row).history.model
    return model(**{each.attname: getattr(row, each.attname) for each in model.tracked_fields})
