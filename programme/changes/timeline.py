"""The timeline of a row: the changes of each edit in it and in its parts."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from programme.changes.change import Change
from programme.changes.difference import RowNames, format_part_title
from programme.changes.preview import ShownChange, show
from programme.history.versions import (
    CHANGED,
    CREATED,
    DELETED,
    Part,
    format_editor,
    format_reason,
    format_state,
    read_state,
)
from programme.models import Edit


@dataclass
class TimelineStep:
    moment: dt.datetime
    edit: Edit | None
    rows: list[ShownChange]
    # In the format of `format_state`.
    state: str

    @property
    def editor(self) -> str:
        return format_editor(self.edit)

    @property
    def reason(self) -> str:
        return format_reason(self.edit) if self.edit and self.edit.name else ""


@dataclass
class _Group:
    """The versions that one edit wrote, by the number of their table, each with the version before it."""

    edit: int | None
    moment: dt.datetime
    versions: dict[int, list[tuple[Any, Any]]] = field(default_factory=dict)


def build_timeline(model: Any, key: Any, parts: Iterable[Part]) -> list[TimelineStep]:
    """Return the edits of a row and its parts, the last first, in a constant number of queries."""
    tables: list[tuple[Any, list[Any]]] = [(model, list(model.history.filter(id=key).order_by("history_id")))]
    for part, parent in parts:
        ever = part.history.filter(**{parent: key}).values("id")
        tables.append((part, list(part.history.filter(id__in=ever).order_by("history_id"))))
    names = RowNames(version for _model, versions in tables for version in versions)
    edits = Edit.objects.in_bulk({each.edit_id for _model, versions in tables for each in versions} - {None})
    latest = [{version.id: version for version in versions} for _model, versions in tables]
    steps, state = [], [0] * len(tables)
    for group in _groups(tables):
        rows = []
        for number, found in sorted(group.versions.items()):
            state[number] = max(version.history_id for version, _before in found)
            rows += [_show(latest[number][pair[0].id], number, *pair, names) for pair in found]
        # A row may have changed in internal fields only.
        if rows := [row for row in rows if row.kind != CHANGED or row.fields]:
            edit = edits.get(group.edit or 0)
            steps.append(TimelineStep(group.moment, edit, rows, format_state(tuple(state))))
    return steps[::-1]


def _groups(tables: list[tuple[Any, list[Any]]]) -> list[_Group]:
    """Return the groups in the order in which they were written.

    The order is that of edits, not of their moments: a request that began earlier may write later. A version
    without an edit comes after the edit before it.
    """
    groups: dict[tuple[int, float], _Group] = {}
    for number, (_model, versions) in enumerate(tables):
        before: dict[Any, Any] = {}
        edit = 0
        for version in versions:
            edit = version.edit_id or edit
            order = (edit, 0 if version.edit_id else version.history_date.timestamp())
            group = groups.setdefault(order, _Group(version.edit_id, version.history_date))
            group.versions.setdefault(number, []).append((version, before.get(version.id)))
            before[version.id] = version
    return [groups[order] for order in sorted(groups)]


def _show(latest: Any, number: int, version: Any, before: Any, names: RowNames) -> ShownChange:
    """Return the change from the version before; only parts have titles."""
    model = version.instance_type
    is_there, was = version.history_type != DELETED, before if version.history_type != CREATED else None
    title = format_part_title(before or version, names)
    change = Change(
        model,
        version.id,
        read_state(was or (None if is_there else version)),
        read_state(version) if is_there else None,
        now={} if latest.history_type == DELETED else read_state(latest),
    )
    shown = show(change, names, f"{model._meta.verbose_name} {title}" if number else "")
    shown.kind = version.history_type
    return shown
