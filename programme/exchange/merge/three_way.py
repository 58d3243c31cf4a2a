"""What an import may change: not what an editor has changed here since the last one, unless told to.

Of each field there are three values: what the last import said of it, what the programme has now, and what
the file says. Where the programme has what the last import said, nobody has edited it, and the file's goes.
Where it has something else, and the file says another thing, the editor's stays, and the field is listed as a
conflict. What no import has said anything about yet is the file's to fill only while it is empty.
"""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import models

from programme.exchange.own_format import format_last_modified
from programme.exchange.values import ImportOptions
from programme.models import Event, ImportedRow

# What only has a meaning together is kept together.
_UNITS = {"end": "start", "room": "location", "sub_area": "area"}
_UNSAID = object()
# The import's own: no editor sees them.
IDENTITIES = {"source_id", "uuid"}
GONE, MISSING = "gone", "missing"


class Conflict(NamedTuple):
    """A field that was edited here, and what the file says of it.

    `key` stands for it in an order, together with the fields that only have a meaning with it. `again` says
    that the file says what it said before: only what is here has changed. `row` is the edited row; where
    `field` is `GONE` it has been deleted here, and `row` is what the import would make of it anew; where it
    is `MISSING` the file has it no longer, and `here` is when it was edited.
    """

    key: str
    row: Any
    field: str
    here: Any
    file: Any
    again: bool
    overwritten: bool


class ThreeWayMerge:
    """What imports said last of the rows of a source (of all rows, for sheets of our own)."""

    def __init__(self, order: ImportOptions, *, ours: bool) -> None:
        self.order = order
        # What editors change by a sheet of ours is edited here, to all other sources.
        self.prefix = "our-" if ours else ""
        rows = (
            ImportedRow.objects.filter(kind__startswith="our-")
            if ours
            else ImportedRow.objects.filter(source=order.source)
        )
        self.rows = {
            (row.kind.removeprefix(self.prefix), row.row_id): row
            for row in rows
            if ours or not row.kind.startswith("our-")
        }
        self.told: dict[int, tuple[models.Model, dict[str, Any]]] = {}

    def weigh(
        self, row: models.Model, values: dict[str, Any], seen: str = ""
    ) -> tuple[dict[str, Any], list[Conflict]]:
        """Return those of the values that may be written, and the others as conflicts; note nothing.

        `seen` is when a sheet of our own says that the event was last modified: what has not been touched
        since was not edited here.
        """
        if seen and _modified(row) <= seen:
            return values, []
        edited = {_unit(name) for name, value in values.items() if self._is_edited(row, name, value)}
        kept = {unit for unit in edited if not self.decides(self._key(row, unit))}
        conflicts = [
            self._conflict(row, name, value)
            for name, value in values.items()
            if _unit(name) in edited and stored(getattr(row, name)) != stored(value)
        ]
        return {name: value for name, value in values.items() if _unit(name) not in kept}, conflicts

    def remember(self, row: models.Model, values: dict[str, Any]) -> None:
        """Note what the import says of a row, to be kept when it is carried out."""
        _row, told = self.told.setdefault(id(row), (row, {}))
        told.update({name: value for name, value in values.items() if name not in IDENTITIES})

    def _is_edited(self, row: models.Model, name: str, value: Any) -> bool:
        here, said = stored(getattr(row, name)), self._said(row, name)
        if name in IDENTITIES or here in (stored(value), said):
            return False
        return said is not _UNSAID or not _is_empty(here)

    def _conflict(self, row: models.Model, name: str, value: Any) -> Conflict:
        key = self._key(row, _unit(name))
        again = self._said(row, name) == stored(value)
        here = getattr(row, name)
        return Conflict(key, row, name, here, value, again, overwritten=self.decides(key))

    @staticmethod
    def _key(row: models.Model, unit: str) -> str:
        return f"{kind_of(row)}-{row.pk}-{unit}"

    def _said(self, row: models.Model, name: str) -> Any:
        remembered = self.rows.get((kind_of(row), row.pk))
        return remembered.values.get(name, _UNSAID) if remembered else _UNSAID

    def decides(self, key: str) -> bool:
        """Return whether the file goes in a conflict, by its key."""
        return self.order.overwrite or key in self.order.decided

    def write(self) -> None:
        """Keep what was said, of the rows of which something else was known; the rows are saved by now."""
        created, changed = [], []
        for row, values in self.told.values():
            known = self.rows.get((kind_of(row), row.pk))
            told = {name: stored(value) for name, value in values.items()}
            if known is None:
                created.append(_new(row, self.prefix, told))
            elif known.values | told != known.values or known.source_id != row.source_id:  # type: ignore[attr-defined]
                known.values |= told
                known.source_id = row.source_id  # type: ignore[attr-defined]
                changed.append(known)
        ImportedRow.objects.bulk_create(created, batch_size=200)
        ImportedRow.objects.bulk_update(changed, ["values", "source_id"], batch_size=200)

    @property
    def writes(self) -> bool:
        """Whether anything that was said is not known yet, and has to be kept.

        Of what a sheet of ours does not change the sheet itself says when it was modified.
        """
        return not self.prefix and any(self._is_news(row, values) for row, values in self.told.values())

    def _is_news(self, row: models.Model, values: dict[str, Any]) -> bool:
        known = self.rows.get((kind_of(row), row.pk))
        told = {name: stored(value) for name, value in values.items()}
        return known is None or known.values | told != known.values or known.source_id != row.source_id  # type: ignore[attr-defined]


def missing_key(row: models.Model) -> str:
    """Return what stands for a row that was edited here and is no longer in the file, in an order."""
    return f"{kind_of(row)}-{row.pk}-{MISSING}"


def gone_key(kind: str, identity: Any) -> str:
    """Return what stands for a row that was deleted here, in an order."""
    return f"{kind}-{identity}-{GONE}"


def stored(value: Any) -> Any:
    """Return a value as it is remembered."""
    if isinstance(value, models.Model):
        # A row that is not saved yet is none that was remembered.
        return value.pk or f"new {id(value)}"
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def _unit(name: str) -> str:
    return _UNITS.get(name, name)


def kind_of(row: models.Model) -> str:
    return ImportedRow.EVENT if isinstance(row, Event) else ImportedRow.OCCASION


def _modified(row: models.Model) -> str:
    return format_last_modified(row if isinstance(row, Event) else row.event)  # type: ignore[attr-defined]


def _is_empty(value: Any) -> bool:
    return value in (None, "", False, 0)


def _new(row: models.Model, prefix: str, values: dict[str, Any]) -> ImportedRow:
    return ImportedRow(
        kind=prefix + kind_of(row),
        row_id=row.pk,
        source=row.source,  # type: ignore[attr-defined]
        source_id=row.source_id,  # type: ignore[attr-defined]
        values=values,
    )
