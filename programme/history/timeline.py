"""What happened to a row and the rows that belong to it, edit by edit, in words."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import ForeignKey, ImageField
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.history.versions import Part, State, latest_of_each, who, why, written_state
from programme.models import Edit, Occasion
from programme.models.festival_time import festival_time

# What no editor has to do with: identities, and what the database keeps.
UNTOLD = {"id", "uuid", "published_at", "source_id"}
CREATED, CHANGED = "+", "~"


@dataclass
class FieldChange:
    """A field that was changed, in words; of an uploaded image these are the names of its files."""

    label: str
    old: str
    new: str
    is_image: bool = False

    # Asked of the store when they are shown, for a history is long and a page of it is not.
    @property
    def old_image(self) -> str:
        return self._address(self.old)

    @property
    def new_image(self) -> str:
        return self._address(self.new)

    def _address(self, name: str) -> str:
        """Return the address of an image, '' where there is none or its file is gone."""
        return default_storage.url(name) if self.is_image and name and default_storage.exists(name) else ""


@dataclass
class RowChange:
    """A row that was created, changed or deleted; `title` is empty for the row that it is all about."""

    kind: str
    title: str
    fields: list[FieldChange] = field(default_factory=list)


@dataclass
class Step:
    """What one edit did. `state` is the state after it."""

    moment: dt.datetime
    edit: Edit | None
    rows: list[RowChange]
    state: State

    @property
    def who(self) -> str:
        return who(self.edit)

    @property
    def why(self) -> str:
        return why(self.edit) if self.edit and self.edit.name else ""

    @property
    def written(self) -> str:
        return written_state(self.state)


class Names:
    """Names of the rows that versions name, by model and primary key: of those too that are gone."""

    def __init__(self, versions: Iterable[Any]) -> None:
        wanted: dict[Any, set[Any]] = {}
        for version in versions:
            for each in _relations(type(version)):
                wanted.setdefault(each.related_model, set()).add(getattr(version, each.attname))
        self._there, self._gone = {}, {}
        for model, keys in wanted.items():
            self._there[model] = _there(model, keys - {None})
            self._gone[model] = _gone(model, keys - {None} - self._there[model].keys())

    def is_gone(self, model: Any, key: Any) -> bool:
        return key in self._gone.get(model, {})

    def of(self, model: Any, key: Any) -> str:
        names = self._there.get(model, {}) | self._gone.get(model, {})
        return "" if key is None else names.get(key, f"#{key}")


def _relations(history_model: Any) -> list[Any]:
    return [each for each in history_model.tracked_fields if isinstance(each, ForeignKey)]


def _there(model: Any, keys: set[Any]) -> dict[Any, str]:
    named = [each.name for each in model._meta.local_fields if isinstance(each, ForeignKey) and not each.null]
    return {row.pk: str(row) for row in model.objects.filter(pk__in=keys).select_related(*named)}


def _gone(model: Any, keys: set[Any]) -> dict[Any, str]:
    """Return what rows were called that are not there any more."""
    names = {key: f"#{key}" for key in keys}
    if keys and hasattr(model, "history"):
        versions = latest_of_each(model.history.filter(id__in=keys))
        names |= {version.id: title_of(version) for version in versions}
    return names


def title_of(version: Any) -> str:
    """Return what a version of a row is called, without asking for what it names."""
    if isinstance(version, Occasion | Occasion.history.model):
        return _moment(version.start)
    if hasattr(version, "day_id"):
        day = str(version.day_id)
        return f"{day[:4]}-{day[4:6]}-{day[6:]}"
    return next(getattr(version, name) for name in ("title", "name", "name_sv") if hasattr(version, name))


def _moment(instant: dt.datetime) -> str:
    return f"{festival_time().local(instant):%Y-%m-%d %H:%M}"


def in_words(model_field: Any, value: Any, names: Names) -> str:
    """Return a value of a field as one reads it, '' for nothing."""
    if isinstance(model_field, ForeignKey):
        return names.of(model_field.related_model, value)
    if model_field.choices:
        return str(dict(model_field.flatchoices).get(value, value))
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, dt.datetime):
        return _moment(value)
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    return "" if value is None else str(value)


def field_changes(model: Any, old: Any, new: Any, names: Names) -> list[FieldChange]:
    """Return what is other in the second of two versions (or rows) of a row."""
    told = [each for each in model.history.model.tracked_fields if each.name not in UNTOLD]
    return [
        FieldChange(
            str(capfirst(each.verbose_name)),
            in_words(each, getattr(old, each.attname), names),
            in_words(each, getattr(new, each.attname), names),
            # In the history an image is a line of text.
            isinstance(model._meta.get_field(each.name), ImageField),
        )
        for each in told
        if getattr(old, each.attname) != getattr(new, each.attname)
    ]


@dataclass
class _Group:
    """The versions that one edit wrote, with the versions before them, by the number of their table."""

    edit: Any
    moment: dt.datetime
    versions: dict[int, list[tuple[Any, Any]]] = field(default_factory=dict)


def timeline(model: Any, key: Any, parts: Iterable[Part]) -> list[Step]:
    """Return what was done to a row and its parts, the last first; the same queries for any number."""
    tables: list[tuple[Any, list[Any]]] = [(model, list(model.history.filter(id=key).order_by("history_id")))]
    for part, named_by in parts:
        ever = part.history.filter(**{named_by: key}).values("id")  # type: ignore[attr-defined]
        found = part.history.filter(id__in=ever).order_by("history_id")  # type: ignore[attr-defined]
        tables.append((part, list(found)))
    names = Names(version for _model, versions in tables for version in versions)
    edits = Edit.objects.in_bulk({each.edit_id for _model, versions in tables for each in versions} - {None})
    steps, state = [], [0] * len(tables)
    for group in _in_order(_groups(tables)):
        rows = []
        for number, found in sorted(group.versions.items()):
            state[number] = max(version.history_id for version, _before in found)
            rows += [_row_change(tables[number][0], number, *pair, names) for pair in found]
        # What changed is nothing that is told: an identity, for example.
        rows = [row for row in rows if row.kind != CHANGED or row.fields]
        if rows:
            steps.append(Step(group.moment, edits.get(group.edit), rows, tuple(state)))
    return steps[::-1]


def _groups(tables: list[tuple[Any, list[Any]]]) -> list[_Group]:
    groups: dict[Any, _Group] = {}
    for number, (_model, versions) in enumerate(tables):
        before: dict[Any, Any] = {}
        for version in versions:
            key = (version.edit_id, None if version.edit_id else version.history_date)
            group = groups.setdefault(key, _Group(version.edit_id, version.history_date))
            group.versions.setdefault(number, []).append((version, before.get(version.id)))
            before[version.id] = version
    return list(groups.values())


def _in_order(groups: list[_Group]) -> list[_Group]:
    """Return the groups in the order in which they were written, which each table knows of its own.

    Moments alone would not do: a request that began earlier may be written later.
    """
    groups = sorted(groups, key=lambda group: (group.moment, group.edit or 0))
    order: list[_Group] = []
    while groups:
        following = next((each for each in groups if _first(each, groups)), groups[0])
        groups.remove(following)
        order.append(following)
    return order


def _first(group: _Group, groups: list[_Group]) -> bool:
    return all(
        found[0][0].history_id <= other.versions[number][0][0].history_id
        for number, found in group.versions.items()
        for other in groups
        if number in other.versions
    )


def _row_change(model: Any, number: int, version: Any, before: Any, names: Names) -> RowChange:
    title = f"{capfirst(model._meta.verbose_name)} {title_of(before or version)}" if number else ""
    kind = version.history_type
    if kind == CHANGED and before:
        return RowChange(kind, title, field_changes(model, before, version, names))
    return RowChange(kind, title)
