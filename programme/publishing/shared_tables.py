"""Reads the tables that events share, in one statement: each row as JSON, decoded straight into its value.

They are small, so that a statement of its own for each would take longer to put than to answer.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from django.db.models import Func, QuerySet, TextField, Value
from django.db.models.functions import Cast, Coalesce, NullIf

from feeds import vocabulary
from programme import models

Kind = TypeVar("Kind")


class FestivalRow(msgspec.Struct):
    """The festival; when it was saved is text, as the database writes it, and files are their names."""

    name: vocabulary.Text
    subtitle: vocabulary.Text
    website: str
    saved_at: str
    color: str
    logo: str
    headings: str
    font: str


class StreamRow(msgspec.Struct):
    area_id: int | None
    sub_area_id: int | None
    stream: vocabulary.Stream


class AreaDayRow(msgspec.Struct):
    area_id: int
    day: vocabulary.AreaDay


class RoomRow(msgspec.Struct):
    location_id: int
    room: vocabulary.Room


class Record(Func):
    """A row as a JSON object: of columns under their own names, and of other expressions."""

    function = "json_object"
    output_field = TextField()

    def __init__(self, *columns: str, **expressions: Any) -> None:
        super().__init__(*columns, *expressions.values())
        self.keys = (*columns, *expressions)

    def as_sql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return super().as_sql(compiler, connection, arg_joiner=self, **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        # Django's own JSONObject makes jsonb, which takes PostgreSQL twice as long.
        return self.as_sql(compiler, connection, function="json_build_object", **context)

    def join(self, values: Sequence[str]) -> str:
        """Return the function's arguments: each value after its key."""
        return ", ".join(f"'{key}', {value}" for key, value in zip(self.keys, values, strict=True))


def _text(name: str) -> Record:
    return Record(sv=f"{name}_sv", en=f"{name}_en")


AREA_COLUMNS = ("id", "name", "color", "location_name", "address", "external_url")
AREA_TEXTS = {"full_name": Coalesce(NullIf("full_name", Value("")), "name"), "info": _text("info")}

# Which table holds each kind of row, and what it is decoded from. An area's streams and days are rows too.
RECORDS: dict[type[Any], tuple[Any, Record]] = {
    FestivalRow: (
        models.Festival,
        Record(
            *("website", "saved_at", "color", "logo", "headings", "font"),
            name=_text("name"),
            subtitle=_text("subtitle"),
        ),
    ),
    StreamRow: (models.Stream, Record("area_id", "sub_area_id", stream=Record("name", "url", "source"))),
    AreaDayRow: (
        models.AreaDay,
        Record(
            "area_id",
            day=Record(
                *("opens", "closes", "ticket_opens", "ticket_closes", "title", "price_info"),
                date="day__date",
            ),
        ),
    ),
    vocabulary.Area: (
        models.Area,
        Record(*AREA_COLUMNS, "price", "ticket_url", "sort_order", **AREA_TEXTS),
    ),
    vocabulary.SubArea: (models.SubArea, Record(*AREA_COLUMNS, "area_id", **AREA_TEXTS)),
    vocabulary.EventType: (models.EventType, Record("id", "color", name=_text("name"))),
    vocabulary.Language: (models.Language, Record("code", name=_text("name"))),
    vocabulary.Location: (
        models.Location,
        Record(
            *("id", "name", "address", "online", "public_transport_station"),
            accessibility=_text("accessibility"),
        ),
    ),
    RoomRow: (
        models.Room,
        Record("location_id", room=Record("id", "name", "floor", accessibility=_text("accessibility"))),
    ),
}


def _rows(kind: type[Any]) -> QuerySet[Any]:
    model, record = RECORDS[kind]
    return model.objects.order_by().values_list(Value(kind.__name__), "id", Cast(record, TextField()))


class SharedTables:
    """The rows of all kinds: `tables[vocabulary.Location]` are the locations by ID."""

    # Not strict, because SQLite has no booleans: they are 0 and 1 there.
    _decode = {kind.__name__: msgspec.json.Decoder(kind, strict=False).decode for kind in RECORDS}

    def __init__(self) -> None:
        first, *others = map(_rows, RECORDS)
        self._by_kind: dict[str, dict[int, Any]] = {name: {} for name in self._decode}
        for name, row_id, record in first.union(*others, all=True):
            self._by_kind[name][row_id] = self._decode[name](record)

    def __getitem__(self, kind: type[Kind]) -> dict[int, Kind]:
        return self._by_kind[kind.__name__]
