"""The timeline of a row: what each edit changed in it and in its parts, as texts."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import ForeignKey, ImageField
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.history.versions import (
    DELETED,
    Part,
    format_editor,
    format_reason,
    format_state,
    select_latest,
)
from programme.models import Edit, Event, Occasion
from programme.models.facts import FactField
from programme.models.festival_time import festival_time

# Identities, and what the database sets: of no use to editors.
INTERNAL_FIELDS = {"id", "uuid", "uid", "published_at", "source_id"}
CREATED, CHANGED = "+", "~"


@dataclass
class FieldChange:
    """The old and new text of a field; for an uploaded image they are file names."""

    label: str
    old: str
    new: str
    is_image: bool = False


@dataclass
class RowChange:
    """A row that was created, changed or deleted; `title` is empty for the row of the timeline."""

    kind: str
    title: str
    fields: list[FieldChange] = field(default_factory=list)


@dataclass
class TimelineStep:
    moment: dt.datetime
    edit: Edit | None
    rows: list[RowChange]
    # As a form contains it.
    state: str
    # The versions of the row and its parts after it, by model and ID; None for what is deleted by then.
    present: dict[tuple[Any, int], Any]

    @property
    def editor(self) -> str:
        return format_editor(self.edit)

    @property
    def reason(self) -> str:
        return format_reason(self.edit) if self.edit and self.edit.name else ""


class RowNames:
    """Names of the rows that versions refer to, by model and primary key, deleted rows included."""

    def __init__(self, versions: Iterable[Any]) -> None:
        referenced: dict[Any, set[Any]] = defaultdict(set)
        for version in versions:
            for relation in type(version).tracked_fields:
                if isinstance(relation, ForeignKey):
                    referenced[relation.related_model].add(getattr(version, relation.attname))
        self._names: dict[tuple[Any, Any], str] = {}
        self._deleted: set[tuple[Any, Any]] = set()
        for model, keys in referenced.items():
            fields = [each for each in model._meta.local_fields if isinstance(each, ForeignKey)]
            required = [each.name for each in fields if not each.null]
            stored = model.objects.filter(pk__in=keys - {None}).select_related(*required)
            names = {row.pk: str(row) for row in stored}
            gone = keys - {None} - names.keys()
            if gone and hasattr(model, "history"):
                versions = select_latest(model.history.filter(id__in=gone))
                names |= {version.id: format_title(version) for version in versions}
            self._names |= {(model, key): name for key, name in names.items()}
            self._deleted |= {(model, key) for key in gone}

    def is_deleted(self, model: Any, key: Any) -> bool:
        return (model, key) in self._deleted

    def find(self, model: Any, key: Any) -> str:
        return "" if key is None else self._names.get((model, key)) or f"#{key}"


def format_title(version: Any) -> str:
    """Return the title of a version of a row, without a query for its relations."""
    if isinstance(version, Occasion | Occasion.history.model):
        return format_instant(version.start)
    if hasattr(version, "day_id"):
        day = str(version.day_id)
        return f"{day[:4]}-{day[4:6]}-{day[6:]}"
    names = ("title", "name", "name_sv", "title_sv")
    return str(next((getattr(version, name) for name in names if hasattr(version, name)), ""))


def format_part_title(version: Any, names: RowNames) -> str:
    """Return the title of a version, of an item of a list that of what is on the list."""
    if not hasattr(version, "on_list_id"):
        return format_title(version)
    return names.find(Event, version.event_id) or names.find(Occasion, version.occasion_id)


def format_instant(instant: dt.datetime) -> str:
    return f"{festival_time().local(instant):%Y-%m-%d %H:%M}"


def format_value(model_field: Any, value: Any, names: RowNames) -> str:
    """Return the value of a field as text, '' for none."""
    if isinstance(model_field, ForeignKey):
        return names.find(model_field.related_model, value)
    if isinstance(model_field, FactField):
        value = model_field.describe(value)
    if model_field.choices:
        return str(dict(model_field.flatchoices).get(value, value))
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, dt.datetime):
        return format_instant(value)
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    return "" if value is None else str(value)


def label_field(model_field: Any) -> str:
    return str(capfirst(model_field.verbose_name))


def compare_fields(model: Any, old: Any, new: Any, names: RowNames) -> list[FieldChange]:
    return [
        FieldChange(
            label_field(each),
            format_value(each, getattr(old, each.attname), names),
            format_value(each, getattr(new, each.attname), names),
            # In versions an image is a text field.
            isinstance(model._meta.get_field(each.name), ImageField),
        )
        for each in model.history.model.tracked_fields
        if each.name not in INTERNAL_FIELDS and getattr(old, each.attname) != getattr(new, each.attname)
    ]


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
        found = part.history.filter(id__in=ever).order_by("history_id")
        tables.append((part, list(found)))
    names = RowNames(version for _model, versions in tables for version in versions)
    edits = Edit.objects.in_bulk({each.edit_id for _model, versions in tables for each in versions} - {None})
    steps, state = [], [0] * len(tables)
    present: dict[tuple[Any, int], Any] = {}
    for group in _groups(tables):
        rows = []
        for number, found in sorted(group.versions.items()):
            state[number] = max(version.history_id for version, _before in found)
            present |= {
                (tables[number][0], version.id): None if version.history_type == DELETED else version
                for version, _before in found
            }
            rows += [_row_change(tables[number][0], number, *pair, names) for pair in found]
        # A row may have changed in internal fields only.
        rows = [row for row in rows if row.kind != CHANGED or row.fields]
        if rows:
            edit = edits.get(group.edit or 0)
            steps.append(TimelineStep(group.moment, edit, rows, format_state(tuple(state)), {**present}))
    return steps[::-1]


def _groups(tables: list[tuple[Any, list[Any]]]) -> list[_Group]:
    """Return the groups in the order in which they were written.

    That is the order of edits, not of their moments: a request that began earlier may write later. What was
    written outside any edit comes after the edit before it.
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


def _row_change(model: Any, number: int, version: Any, before: Any, names: RowNames) -> RowChange:
    name = format_part_title(before or version, names)
    title = f"{capfirst(model._meta.verbose_name)} {name}" if number else ""
    kind = version.history_type
    if kind == CHANGED and before:
        return RowChange(kind, title, compare_fields(model, before, version, names))
    return RowChange(kind, title)
