"""Bringing back an earlier state of a row and of the rows that belong to it, with their identities."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import ForeignKey

from programme.history.timeline import CHANGED, CREATED, Names, RowChange, field_changes, title_of
from programme.history.versions import DELETED, Part, State, latest_of_each
from programme.models.history import SET_ONCE

# How long deleting a row with its parts may take, where no edit tells that they went together.
A_MOMENT = timedelta(minutes=1)


@dataclass
class Restoration:
    """What bringing a state back would do; rows with the values that they would have."""

    changed: list[Any] = field(default_factory=list)
    created: list[Any] = field(default_factory=list)
    deleted: list[Any] = field(default_factory=list)
    # What is shown of it, and what cannot be as it was because what it named is gone.
    shown: list[RowChange] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    # By which field parts name a row that comes back itself.
    returning: set[str] = field(default_factory=set)
    names: Names = field(default_factory=lambda: Names([]))

    @property
    def changes(self) -> bool:
        return bool(self.shown)

    def carry_out(self) -> None:
        """Write it, inside the caller's transaction. Raises `ValidationError` for what cannot be."""
        for row in self.deleted:
            row.delete()
        for row in self.changed:
            # Of a copy: cleaning may fill in what was empty.
            copy(row).full_clean()
            row.save()
        for row in self.created:
            copy(row).full_clean()
            row.save(force_insert=True)


def before_deletion(model: Any, key: Any, parts: Iterable[Part]) -> State:
    """Return the state in which a row was deleted, () where it is there or never was."""
    last = model.history.filter(id=key).order_by("history_id").last()
    if last is None or last.history_type != DELETED:
        return ()
    found = [last.history_id - 1]
    for part, named_by in parts:
        versions = part.history.filter(**{named_by: key})  # type: ignore[attr-defined]
        # Django deletes what belongs to a row before the row.
        since = last.history_date - A_MOMENT
        gone = versions.filter(history_type=DELETED, history_date__gte=since)
        together = versions.filter(history_type=DELETED, edit=last.edit_id) if last.edit_id else gone
        first = together.order_by("history_id").values_list("history_id", flat=True).first()
        latest = versions.order_by("-history_id").values_list("history_id", flat=True).first()
        found.append(first - 1 if first else latest or 0)
    return tuple(found)


def plan_restoration(model: Any, key: Any, parts: list[Part], state: State) -> Restoration:
    """Return what bringing back a state would do."""
    there = model.objects.filter(pk=key).exists()
    plan = Restoration(returning=set() if there else {named_by for _part, named_by in parts})
    kinds: list[tuple[Any, str]] = [(model, "id"), *parts]
    for number, (kind, named_by) in enumerate(kinds):
        versions = kind.history.filter(history_id__lte=state[number])
        ever = versions.filter(**{named_by: key}).values("id")
        then = latest_of_each(versions.filter(id__in=ever)).exclude(history_type=DELETED)
        then = {each.id: each for each in then.filter(**{named_by: key}).order_by("id")}
        now = {row.pk: row for row in kind.objects.filter(**{named_by: key})}
        # Rows that another has by now are taken back from there.
        now |= {row.pk: row for row in kind.objects.filter(pk__in=then.keys() - now.keys())}
        plan.names = Names([*then.values(), *(_version(kind, row) for row in now.values())])
        _plan(plan, kind, bool(number), then, now)
    plan.lost = list(dict.fromkeys(plan.lost))
    return plan


def _version(kind: Any, row: Any) -> Any:
    """Return a row as a version that is not written."""
    fields = kind.history.model.tracked_fields
    return kind.history.model(**{each.attname: getattr(row, each.attname) for each in fields})


def _plan(plan: Restoration, kind: Any, is_part: bool, then: Any, now: Any) -> None:
    last = _last(kind, then.keys() - now.keys())
    for key, version in then.items():
        title = f"{kind._meta.verbose_name} {title_of(version)}" if is_part else ""
        row = now.get(key)
        if row is None:
            row = version.instance
            for name in SET_ONCE & last[key].__dict__.keys():
                setattr(row, name, getattr(last[key], name))
            _leave_out_what_is_gone(plan, row, None)
            plan.created.append(row)
            plan.shown.append(RowChange(CREATED, title))
            continue
        before = _version(kind, row)
        _set(row, version)
        _leave_out_what_is_gone(plan, row, before)
        changes = field_changes(kind, before, row, plan.names)
        if changes:
            plan.changed.append(row)
            plan.shown.append(RowChange(CHANGED, title, changes))
    for key in now.keys() - then.keys() if is_part else ():
        plan.deleted.append(now[key])
        plan.shown.append(RowChange(DELETED, f"{kind._meta.verbose_name} {title_of(now[key])}"))


def _last(kind: Any, keys: Iterable[Any]) -> dict[Any, Any]:
    """Return the versions in which rows were deleted: what is set once may have been set since the others."""
    return {each.id: each for each in latest_of_each(kind.history.filter(id__in=keys))} if keys else {}


def _set(row: Any, version: Any) -> None:
    for each in type(version).tracked_fields:
        if each.name not in SET_ONCE:
            setattr(row, each.attname, getattr(version, each.attname))


def _leave_out_what_is_gone(plan: Restoration, row: Any, before: Any) -> None:
    for each in row._meta.local_concrete_fields:
        # A row's own parent comes back with it.
        if isinstance(each, ForeignKey) and each.name not in plan.returning:
            value = getattr(row, each.attname)
            if plan.names.is_gone(each.related_model, value):
                plan.lost.append(plan.names.of(each.related_model, value))
                setattr(row, each.attname, before and getattr(before, each.attname))
