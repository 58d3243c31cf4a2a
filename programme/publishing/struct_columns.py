"""The columns of a model for the fields of a struct, and the values of these fields in a row."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from django.db.models import Model, QuerySet, TextField
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from feeds.vocabulary import Text

Row = tuple[dict[str, Any], tuple[Any, ...]]


class StructColumns:
    """The fields of a struct that are read from columns of the same name.

    A `Text` is read from two columns, `<name>_sv` or `<name>`, and `<name>_en`. An instant is read as text:
    the conversion by the database's driver and Django takes ten times as long as `parse_instant`, and half
    of the time of loading.
    """

    def __init__(self, struct: type[msgspec.Struct], model: type[Model]) -> None:
        columns = {field.attname for field in model._meta.concrete_fields}
        types = {field.name: field.type for field in msgspec.structs.fields(struct)}
        self.texts = {
            name: (name if name in columns else f"{name}_sv", f"{name}_en")
            for name, kind in types.items()
            if kind is Text
        }
        self.instants = [
            name for name, kind in types.items() if name in columns and kind in (datetime, datetime | None)
        ]
        others = {*self.instants, *self.texts}
        self.plain = [name for name in types if name in columns and name not in others]
        texts = [column for pair in self.texts.values() for column in pair]
        self.columns = (*self.plain, *texts, *(f"{name}_text" for name in self.instants))

    def select(self, query: QuerySet[Any, Any], *further: str | Combinable) -> QuerySet[Any, Any]:
        """Return the query for the columns of the struct's fields, and further ones."""
        instants = {f"{name}_text": Cast(name, TextField()) for name in self.instants}
        rows: QuerySet[Any, Any] = query.order_by().annotate(**instants)
        return rows.values_list(*self.columns, *further)

    def build(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[Row]:
        """Yield for each row the values of the struct's fields by name, and those of further columns."""
        place = {column: place for place, column in enumerate(self.columns)}
        text_places = [(name, place[sv], place[en]) for name, (sv, en) in self.texts.items()]
        instant_places = [(name, place[f"{name}_text"]) for name in self.instants]
        for row in rows:
            values = dict(zip(self.plain, row))  # noqa: B905 - the row is longer
            for name, sv, en in text_places:
                values[name] = Text(row[sv], row[en])
            for name, instant in instant_places:
                values[name] = parse_instant(row[instant]) if row[instant] else None
            yield values, row[len(self.columns) :]


def parse_instant(text: str) -> datetime:
    """Return the instant of a text from the database: SQLite writes UTC, PostgreSQL the offset."""
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo is UTC else to_utc(instant)


def to_utc(instant: datetime) -> datetime:
    """Return an instant in UTC, in which SQLite writes it without an offset."""
    return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
