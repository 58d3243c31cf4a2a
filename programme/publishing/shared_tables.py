"""Reads the tables of shared values in one statement: each row as JSON, decoded into a struct.

The tables are small, so that a query for each would take longer to send than to execute.
"""

from datetime import datetime
from typing import Any, TypeVar

import msgspec
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, Func, Model, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast, Coalesce, NullIf
from django.db.models.sql.compiler import SQLCompiler
from msgspec.structs import fields, replace

from feeds import vocabulary
from feeds.editions import Edition
from feeds.facts import facts_of
from programme import models
from programme.history.merging import MERGEABLE, MERGED_KIND
from programme.publishing.struct_columns import to_utc

Kind = TypeVar("Kind")


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


class ListItemRow(msgspec.Struct):
    on_list_id: int
    event_id: int | None
    occasion_id: int | None


class PublishedYearRow(msgspec.Struct):
    start: datetime
    published_at: datetime


class MergedRow(msgspec.Struct):
    """The record of a merged row (programme/history/merging.py)."""

    kind: str
    row_id: int
    into: int
    undone: bool | None


class Record(Func):
    """A row as a JSON object of expressions."""

    output_field = TextField()

    def __init__(self, **expressions: Any) -> None:
        super().__init__(*expressions.values())
        self.keys = tuple(expressions)

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_: Any, **__: Any) -> Any:
        # Django's own JSONObject makes jsonb, which takes PostgreSQL twice as long.
        function = "json_build_object" if connection.vendor == "postgresql" else "json_object"
        compiled = [compiler.compile(each) for each in self.get_source_expressions()]
        pairs = ", ".join(f"'{key}', {sql}" for key, (sql, _) in zip(self.keys, compiled, strict=True))
        return f"{function}({pairs})", [each for _, params in compiled for each in params]


def derive_record(struct: type[Any], model: type[Model], **expressions: Any) -> Record:
    """Return a record of the fields of a struct: given expressions, else columns of the same name.

    A `Text` has two columns, another struct columns of the same row. Other fields must have defaults.
    """
    columns = {field.attname for field in model._meta.concrete_fields}
    for field in fields(struct):
        name = field.name
        if name in expressions or name in columns:
            expressions.setdefault(name, F(name))
        elif field.type is vocabulary.Text:
            expressions[name] = Record(sv=f"{name}_sv", en=f"{name}_en")
        elif field.required:
            expressions[name] = derive_record(field.type, model)
    return Record(**expressions)


# The parameters that select rows, by the kind of the records of merged rows.
MERGED = {
    f"{MERGED_KIND}{model._meta.model_name}": parameter
    for model, parameter in zip(MERGEABLE, ("location", "room", "organizer", "type"), strict=True)
}


class List(Func):
    """Columns as a JSON array; Django's own asks SQLite first, in a transaction, whether it has JSON."""

    output_field = TextField()

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_: Any, **__: Any) -> Any:
        function = "json_build_array" if connection.vendor == "postgresql" else "json_array"
        return super().as_sql(compiler, connection, function=function)


def _list_stated(level: str) -> List:
    return List(*(fact.name for fact in facts_of(level)))


FULL_NAME = Coalesce(NullIf("full_name", Value("")), "name")
# The rows of each kind, and the fields that are not columns of the same name.
SOURCES: dict[type[Any], tuple[QuerySet[Any], dict[str, Any]]] = {
    vocabulary.Festival: (
        models.Festival.objects.all(),
        {
            "theme": derive_record(
                vocabulary.Theme,
                models.Festival,
                palette=derive_record(vocabulary.Palette, models.Festival),
                logo_url=F("logo"),
                hero_url=F("hero"),
                icon_url=F("icon"),
                map_url=F("map"),
            ),
            "terms": derive_record(vocabulary.Terms, models.Festival),
            "links": derive_record(vocabulary.FooterLinks, models.Festival),
        },
    ),
    StreamRow: (models.Stream.objects.all(), {}),
    AreaDayRow: (
        models.AreaDay.objects.all(),
        {"day": derive_record(vocabulary.AreaDay, models.AreaDay, date=F("day__date"))},
    ),
    vocabulary.Area: (models.Area.objects.all(), {"full_name": FULL_NAME}),
    vocabulary.SubArea: (models.SubArea.objects.all(), {"full_name": FULL_NAME}),
    vocabulary.EventType: (models.EventType.objects.all(), {}),
    vocabulary.Language: (models.Language.objects.all(), {}),
    vocabulary.Location: (models.Location.objects.all(), {"stated": _list_stated("location")}),
    RoomRow: (
        models.Room.objects.all(),
        {"room": derive_record(vocabulary.Room, models.Room, stated=_list_stated("room"))},
    ),
    vocabulary.OccasionList: (models.OccasionList.objects.filter(published=True), {}),
    ListItemRow: (models.ListItem.objects.filter(on_list__published=True), {}),
    Edition: (models.Edition.objects.all(), {}),
    vocabulary.Picture: (
        models.Picture.objects.all(),
        {"folder": F("name"), "focus": List("focus_x", "focus_y")},
    ),
    PublishedYearRow: (models.PublishedYear.objects.all(), {}),
    # Not F, which internally raises an error whose traceback retains the caller's variables.
    MergedRow: (
        models.ImportedRow.objects.filter(kind__in=MERGED),
        {name: KeyTransform(name, "values") for name in ("into", "undone")},
    ),
}
_FIRST, *_OTHERS = (
    rows.order_by().values_list(
        Value(kind.__name__), "id", Cast(derive_record(kind, rows.model, **own), TextField())
    )
    for kind, (rows, own) in SOURCES.items()
)
ROWS: QuerySet[Any, Any] = _FIRST.union(*_OTHERS, all=True)


class SharedTables:
    """The rows of all kinds: `tables[vocabulary.Location]` are the locations by ID."""

    # Not strict, because SQLite has no booleans: they are 0 and 1 there.
    _decode = {kind.__name__: msgspec.json.Decoder(kind, strict=False).decode for kind in SOURCES}
    _instants = {
        kind.__name__: [each.name for each in fields(kind) if each.type in (datetime, datetime | None)]
        for kind in SOURCES
    }

    def __init__(self, former: "SharedTables | None" = None) -> None:
        self.by_name: dict[str, dict[int, Any]] = {name: {} for name in self._decode}
        for name, row_id, record in ROWS.all():
            row = self._decode[name](record)
            if instants := self._instants[name]:
                row = replace(
                    row, **{each: at and to_utc(at) for each in instants for at in [getattr(row, each)]}
                )
            known = former.by_name[name].get(row_id) if former else None
            # The former row if it is equal.
            self.by_name[name][row_id] = known if known == row else row

    def __getitem__(self, kind: type[Kind]) -> dict[int, Kind]:
        return self.by_name[kind.__name__]
