"""The programme as it was when a sheet was exported: the history has it at the edit that the sheet names."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from programme.exchange.readers.entries import NAMED_EDIT
from programme.history.versions import DELETED, select_latest
from programme.models import Edit
from programme.models.imports import to_json


class ExportedState:
    """What a sheet of this service was made from: `edit` is None where nobody knows that here.

    Of rows from several sheets it is the oldest of these states.
    """

    def __init__(self, cells: Iterable[str], merged: Mapping[str, Mapping[int, int]]) -> None:
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
            before = Q(edit__lte=self.edit) | Q(edit=None, history_date__lte=self.edit.moment)
            versions = select_latest(model.history.filter(before)).exclude(history_type=DELETED)
            self.rows[model] = {each.id: self._read(each) for each in versions}
        return self.rows[model].get(row.pk, {})

    def _read(self, version: Any) -> dict[str, Any]:
        values = {each.name: to_json(getattr(version, each.attname)) for each in version.tracked_fields}
        merged = {name: gone for name, gone in self.merged.items() if name in values}
        return values | {name: gone.get(values[name], values[name]) for name, gone in merged.items()}
