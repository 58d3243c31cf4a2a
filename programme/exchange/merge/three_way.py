"""Three-way merge: what an editor changed since the last import stays, unless the import overwrites it.

Each field has three values: what the last import stated, what the programme has now, and what the file
states. Where the programme has what the last import stated, nobody has edited it, and it takes the file's
value. Where it has something else, and the file yet another value, the editor's stays, and the field is
listed as a conflict. A field that no import has stated yet takes the file's value only while it is empty.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from datetime import datetime
from typing import Any, NamedTuple

from django.db import models

from programme.changes.change import GROUPS, Change
from programme.changes.constraints import list_foreign_keys
from programme.exchange.merge.named_rows import identify
from programme.exchange.readers.entries import NAMED_EDIT
from programme.exchange.values import ImportOptions
from programme.history.versions import DELETED, read_state, select_latest
from programme.models import Edit, ImportedRow
from programme.models.imports import OWN_SHEET, UNDONE, to_json


def differ(old: Any, new: Any) -> bool:
    """Compare rows by their primary keys; rows that are not stored yet differ from all others."""
    if isinstance(old, models.Model) and isinstance(new, models.Model):
        return old.pk != new.pk or old.pk is None
    return bool(old != new)


def set_values(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)


def read_planned(row: Any) -> dict[str, Any]:
    """Return the values of a row by attribute; what it names and is not stored yet has a negative number."""
    state, model = read_state(row) or {}, row._meta.model
    for each in list_foreign_keys(model):
        if state.get(each.attname, 0) is None and (named := getattr(row, each.name)):
            state[each.attname] = identify(named)
    return state


# Fields that only have a meaning together with another one are kept or overwritten together.
_UNITS = {name: group[0] for group in GROUPS for name in group[1:]}
_NEVER_STATED = object()
# The import's own: no editor sees them.
IDENTIFIERS = {"source_id", "uuid"}
GONE, MISSING = "gone", "missing"
# Of several sources that say where a place is, each compares with the one before it.
LOCATION = "location"


class ImportConflict(NamedTuple):
    """What was edited here, and what the file states: `change` is what the import would make of it.

    `key` identifies it in `ImportOptions.overwritten`. `repeated`: the file states what it stated before, so
    only the row has changed. Of a row that was deleted here there is nothing before. One that the file no
    longer has was edited here at `edited_at`.
    """

    key: str
    row: Any
    change: Change
    repeated: bool
    overwritten: bool
    edited_at: datetime | None = None


# What rows that are gone were merged into, by ID, by the fields that name them.
Merged = Mapping[str, Mapping[int, int]]


def _replace_merged(values: dict[str, Any], merged: Merged) -> dict[str, Any]:
    """Return values that name what merged rows are part of now."""
    return values | {name: gone[values[name]] for name, gone in merged.items() if values.get(name) in gone}


class ExportedState:
    """The programme as it was when a sheet was exported: `edit` is None where nobody knows that here.

    The history has it at the edit that the sheet names. Of rows from several sheets it is the oldest state.
    """

    def __init__(self, cells: Iterable[str], merged: Merged) -> None:
        named = {match.groups() for cell in cells if (match := re.search(NAMED_EDIT, cell))}
        found = Edit.objects.filter(pk__in=[number for number, _moment in named]).order_by("pk")
        # A number that another edit bears here is one of another database.
        known = [each for each in found if (str(each.pk), each.moment.isoformat()) in named]
        self.edit = known[0] if len(known) == len(named) and known else None
        self.merged = merged
        self.rows: dict[Any, dict[int, dict[str, Any]]] = {}

    def find(self, row: Any) -> dict[str, Any] | None:
        """Return the values of a row, as `ImportedRow` has them; {} where its version is purged."""
        if self.edit is None:
            return None
        model = type(row)
        if model not in self.rows:
            before = models.Q(edit__lte=self.edit) | models.Q(edit=None, history_date__lte=self.edit.moment)
            versions = select_latest(model.history.filter(before)).exclude(history_type=DELETED)
            self.rows[model] = {each.id: self._read(each) for each in versions}
        return self.rows[model].get(row.pk, {})

    def _read(self, version: Any) -> dict[str, Any]:
        values = {each.name: to_json(getattr(version, each.attname)) for each in version.tracked_fields}
        return _replace_merged(values, self.merged)


class ThreeWayMerge:
    """What imports stated last for the rows of a source, or by sheets of this service for all rows."""

    def __init__(self, options: ImportOptions, merged: Merged, exported: ExportedState | None) -> None:
        self.options = options
        # What a sheet of this service was made from, whichever sheet has changed it since.
        self.exported = exported
        # To all other sources, what editors change by a sheet of this service is edited here.
        self.prefix = OWN_SHEET if exported else ""
        own = models.Q(kind__startswith=OWN_SHEET)
        of_source = models.Q(source=options.source) | models.Q(kind=LOCATION)
        other = ~own & of_source & ~models.Q(kind__startswith=UNDONE)
        rows = ImportedRow.objects.filter(own if exported else other)
        self.rows = {(row.kind.removeprefix(self.prefix), row.row_id): row for row in rows}
        for row in self.rows.values():
            row.values = _replace_merged(row.values, merged)
        self._stated: dict[int, tuple[models.Model, dict[str, Any]]] = {}

    def merge(self, row: models.Model, values: dict[str, Any]) -> tuple[dict[str, Any], list[ImportConflict]]:
        """Return the values that may be written, and the others as conflicts."""
        last = self._find_base(row, values)
        units = {name: _UNITS.get(name, name) for name in values}
        edited = dict.fromkeys(units[name] for name in values if _is_edited(row, name, values[name], last))
        conflicts = [self._conflict(row, unit, values, last) for unit in edited]
        kept = {unit for unit, conflict in zip(edited, conflicts, strict=True) if not conflict.overwritten}
        return {name: value for name, value in values.items() if units[name] not in kept}, conflicts

    def _find_base(self, row: models.Model, values: dict[str, Any]) -> dict[str, Any]:
        """Return what values are compared with: of a sheet exported here, what it was made from.

        Where it changes a cell that it has changed before, that is what it stated then.
        """
        imported = self.rows.get((get_row_kind(row), row.pk))
        last = imported.values if imported else {}
        base = self.exported.find(row) if self.exported else None
        if base is None:
            return last
        again = {name for name, value in values.items() if name in base and to_json(value) != base[name]}
        return base | {
            name: last[name] for name in again & last.keys() if last[name] == to_json(getattr(row, name))
        }

    def _conflict(
        self, row: models.Model, unit: str, values: dict[str, Any], last: dict[str, Any]
    ) -> ImportConflict:
        stated = {
            name: value
            for name, value in values.items()
            if _UNITS.get(name, name) == unit and to_json(getattr(row, name)) != to_json(value)
        }
        after = copy(row)
        set_values(after, stated)
        key = build_conflict_key(row, row.pk, unit)
        change = Change(type(row), row.pk, read_state(row), read_planned(after), row=after)
        repeated = all(last.get(name, _NEVER_STATED) == to_json(value) for name, value in stated.items())
        return ImportConflict(key, row, change, repeated, key in self.options.overwritten)

    def remember(self, row: models.Model, values: dict[str, Any]) -> None:
        """Note what the file states for a row, for `save`."""
        _row, stated = self._stated.setdefault(id(row), (row, {}))
        stated.update({name: value for name, value in values.items() if name not in IDENTIFIERS})

    def forget(self, row: models.Model) -> None:
        """Note nothing of a row that stays as it is."""
        self._stated.pop(id(row), None)

    @property
    def has_unsaved(self) -> bool:
        """Whether the file states anything new, even if the programme has it already.

        For unchanged rows a sheet of this service itself states when they were last modified.
        """
        return not self.prefix and any(True for _row in self._unsaved())

    def save(self) -> None:
        rows = list(self._unsaved())
        # Which ones are new can only be seen before they are stored.
        new, changed = ([row for row in rows if (row.pk is None) is is_new] for is_new in (True, False))
        ImportedRow.objects.bulk_create(new, batch_size=200)
        ImportedRow.objects.bulk_update(changed, ["values", "source_id"], batch_size=200)

    def _unsaved(self) -> Iterator[ImportedRow]:
        """Yield what is stored of each row with what the file states, where that is something else."""
        for row, values in self._stated.values():
            kind = get_row_kind(row)
            last = self.rows.get((kind, row.pk))
            new = copy(last) if last else ImportedRow(kind=self.prefix + kind, row_id=row.pk)
            new.source = new.source or getattr(row, "source", self.options.source)
            new.values = new.values | {name: to_json(value) for name, value in values.items()}
            new.source_id = getattr(row, "source_id", "")
            if last is None or (new.values, new.source_id) != (last.values, last.source_id):
                yield new


def _is_edited(row: models.Model, name: str, value: Any, stated: dict[str, Any]) -> bool:
    here, last = to_json(getattr(row, name)), stated.get(name, _NEVER_STATED)
    if name in IDENTIFIERS or here in (last, to_json(value)):
        return False
    return last is not _NEVER_STATED or here not in (None, "", False, 0)


def build_conflict_key(row: models.Model, identity: Any, field: str) -> str:
    return f"{get_row_kind(row)}-{identity}-{field}"


def get_row_kind(row: models.Model) -> str:
    return str(row._meta.model_name)
