"""Plans that undo an edit, restore a version or take back one field.

A row is reverted if the fields that the edit wrote have not been edited since; otherwise the whole row is
refused.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Any

from django.db.models import Q

from programme.changes.change import EDITED, GONE, UNKNOWN, Change, Plan, widen
from programme.changes.constraints import apply_constraints
from programme.changes.memory import follow_undo
from programme.changes.rights import Rights
from programme.history import batches
from programme.history.versions import Part, State, select_latest, select_parts_at
from programme.models import Edit
from programme.models.history import SET_ONCE


def plan_undo(edit: Edit) -> Plan:
    """Return the plan of undoing an edit, in a number of queries that depends only on its models."""
    written = {model for model, _key in batches.list_written_keys(edit.pk)}
    changes = [
        each for model in batches.order_models() if model in written for each in _plan_rows(model, edit.pk)
    ]
    apply_constraints(changes)
    return Plan(changes, *batches.name_undo(edit), partial(follow_undo, edit=edit))


def _plan_rows(model: Any, edit: int) -> Iterator[Change]:
    stored = model.objects.filter(pk__in=model.history.filter(edit=edit).values("id")).order_by()
    present = {each["id"]: each for each in stored.values(*batches.list_attributes(model))}
    for key, written in sorted(batches.load_rows(model, edit).items()):
        if change := _turn_back(model, key, written, present.get(key)):
            yield change


def _turn_back(model: Any, key: int, written: batches.WrittenRow, now: batches.RowState) -> Change | None:
    """Return the change that reverts a row, None if nothing differs."""
    before, after, last, is_known = written
    if not is_known:
        return Change(model, key, now, now, UNKNOWN, last=last)
    if before is None:
        return Change(model, key, now, None, _find_edited(now, after, now)) if now and after else None
    if after is None:
        kept = {name: last[name] for name in SET_ONCE & last.keys()}
        return None if now else Change(model, key, None, before | kept)
    if now is None:
        return Change(model, key, None, None, GONE, last=after)
    names = widen(model, (name for name in before if before[name] != after[name]))
    goal = now | {name: before[name] for name in names}
    if goal == now:
        return None
    # Fields that already have their former values need not be unedited.
    return Change(
        model, key, now, goal, _find_edited({n: now[n] for n in names if now[n] != goal[n]}, after, now)
    )


def _find_edited(names: Iterable[str], left: batches.RowState, now: batches.RowState) -> Any:
    is_left = all((now or {})[name] == (left or {}).get(name) for name in names if name not in SET_ONCE)
    return "" if is_left else EDITED


def plan_restoration(model: Any, key: Any, parts: Iterable[Part], state: State) -> Plan:
    """Return the plan of restoring a state of a row and its parts."""
    changes = []
    for (table, parent), number in zip([(model, "id"), *parts], state, strict=True):
        names = batches.list_attributes(table)
        then = {each["id"]: each for each in select_parts_at((table, parent), key, number).values(*names)}
        # Parts that belong to another row by now are moved back.
        stored = table.objects.filter(Q(**{parent: key}) | Q(pk__in=list(then))).order_by()
        now = {each["id"]: each for each in stored.values(*names)}
        deletions = select_latest(table.history.filter(id__in=then.keys() - now.keys()))
        last = {each["id"]: each for each in deletions.values(*names)}
        # The row itself may have no such version.
        for each in sorted(then.keys() | now.keys() if then or table is not model else ()):
            was = batches.WrittenRow(then.get(each), now.get(each), last.get(each, {}))
            changes.append(_turn_back(table, each, was, now.get(each)))
    return _plan_back(changes)


def plan_field(edit: Edit, model: Any, key: int, name: str) -> Plan:
    """Return the plan of giving a field the value that it had before an edit."""
    now = model.objects.filter(pk=key).values(*batches.list_attributes(model)).first()
    written = batches.load_rows(model, edit.pk, [key]).get(key)
    if not (written and written.before):
        return Plan([])
    goal = now and now | {each: written.before[each] for each in widen(model, [name])}
    return _plan_back([Change(model, key, now, goal, "" if now else GONE, last=written.before)])


def _plan_back(changes: Iterable[Change | None]) -> Plan:
    found = [each for each in changes if each]
    apply_constraints(found)
    return Plan(found, batches.RESTORED)


def find_offered(rights: Rights, edits: Collection[int]) -> set[int]:
    """Return the edits that a user may undo; the preview shows which rows were edited since.

    One query, and two for each model that the edits wrote.
    """
    if rights.is_unlimited:
        return {*edits}
    found: dict[int, list[Change]] = defaultdict(list)
    for model in {model for model, _key in batches.list_written_keys(*edits)}:
        for (edit, key), row in batches.load_states(model, model.history.filter(edit__in=edits)).items():
            before, after = row[:2]
            change = _turn_back(model, key, batches.WrittenRow(before, after, {}), after)
            found[edit] += [change] if change else []
    return {edit for edit in edits if not rights.find_forbidden(found[edit])}
