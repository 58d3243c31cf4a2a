"""Stores the programme of another service under its own IDs, all or nothing."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from feeds.json_parts import name_attribute
from feeds.marks import Mark
from feeds.vocabulary import Text
from programme import models
from programme.changes.memory import IMPORT
from programme.exchange.moving.documents import Table, Tables
from programme.exchange.readers.entries import split_uid
from programme.exchange.readers.fields import as_dict, as_dicts
from programme.exchange.values import UnreadableFileError
from programme.history import edits, news
from programme.models.cleaning import clean_line

# The models by the names of their tables, each after those that it refers to.
_MODELS: dict[str, Any] = {
    "areas": models.Area, "subAreas": models.SubArea, "locations": models.Location, "rooms": models.Room,
    "organizers": models.Organizer, "types": models.EventType, "languages": models.Language,
    "editions": models.Edition, "events": models.Event, "occasions": models.Occasion,
    "lists": models.OccasionList,
}  # fmt: skip
# What they refer to: the field, by the key that holds the ID of a row, and the table of that.
_REFERENCES = {
    "areaID": ("area", "areas"), "subAreaID": ("sub_area", "subAreas"), "eventID": ("event", "events"),
    "organizerID": ("organizer", "organizers"), "language": ("language", "languages"),
    "locationID": ("location", "locations"), "roomID": ("room", "rooms"),
}  # fmt: skip
# What nobody enters for the days of areas, and fields that tables have by other names.
_NOT_ENTERED = {"date", "name", "occationCount"}
_NAMES = {"startsAt": "start", "endsAt": "end"}


def move_in(tables: Tables) -> dict[str, int]:
    """Store the tables; return how many rows there are of each kind. Raises `UnreadableFileError`."""
    if any(model.objects.exists() for model in (*_MODELS.values(), models.GoneOccasion)):
        raise UnreadableFileError(_("there is a programme here already: move into an empty database"))
    with transaction.atomic():
        with edits.record(reason=IMPORT):
            (move := _Move(tables)).run()
            edit = edits.begin()
        # What readers were told is not told again.
        marks = ((move.rows["occasions"][each["id"]], _read_mark(each)) for each in tables["occasions"])
        models.News.objects.bulk_create(news.build_pieces(marks, edit), batch_size=200)
    return {name: len(rows) for name, rows in move.rows.items()}


class _Move:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        # By the names of their tables and their IDs; languages by their codes.
        self.rows: dict[str, dict[Any, Any]] = {name: {} for name in _MODELS}
        self.streams: dict[tuple[Any, ...], models.Stream] = {}
        # Documents say of occasions what their events state: all occasions of an event say the same.
        self.facts = {each["eventID"]: {"facts": each.get("facts")} for each in tables["occasions"]}

    def run(self) -> None:
        festival = build(models.Festival, self.tables["festival"][0])
        if festival.name_sv and not models.Festival.objects.exists():
            festival.save()
        for name, model in _MODELS.items():
            tables = self.tables.get(name, [])
            rows = [self._build(name, number, table) for number, table in enumerate(tables)]
            model.objects.bulk_create(rows, batch_size=200)
            for row, table in zip(rows, tables, strict=True):
                self._store_parts(row, table)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(_MODELS.values())):
                cursor.execute(statement)

    def _build(self, name: str, number: int, table: Table) -> Any:
        row = build(_MODELS[name], table | self.facts.get(table["id"], {}) if name == "events" else table)
        for key, (field, of) in _REFERENCES.items():
            if key in table:
                setattr(row, field, self.rows[of].get(table[key]))
        if name in {"areas", "types"}:
            row.sort_order = number
        elif name == "editions":
            row.current_since = Now() if table["isCurrent"] else None
        elif name == "lists":
            row.published = True
        elif name == "events":
            row.status = models.Status.PUBLISHED
            types = [self.rows["types"][key] for key in table["typeIDs"] if key]
            row.types = types or [models.EventType.other()]
        elif name == "occasions":
            row.uuid, row.uid = split_uid(table["uid"])
            row.stream = self._find_stream(as_dict(table.get("stream")))
        return self.rows[name].setdefault(table.get("code") or row.pk or number, row)

    def _find_stream(self, table: Table, **owner: Any) -> models.Stream | None:
        """Return a stream, which an area or an occasion before may have had; None without one."""
        key = tuple(table.values())
        if table and key not in self.streams:
            self.streams[key] = build(models.Stream, table, **owner)
            self.streams[key].save()
        return self.streams.get(key)

    def _store_parts(self, row: Any, table: Table) -> None:
        if isinstance(row, models.Area | models.SubArea):
            for each in as_dicts(table.get("streams")):
                self._find_stream(each, **{"area" if isinstance(row, models.Area) else "sub_area": row})
        if isinstance(row, models.Area):
            models.AreaDay.objects.bulk_create(_build_days(row, as_dicts(table.get("days"))))
        if isinstance(row, models.OccasionList):
            items = (models.ListItem(on_list=row, occasion_id=key) for key in table["occasionIDs"])
            models.ListItem.objects.bulk_create(items)


def _read_mark(table: Table) -> Mark:
    key = {"id": table["id"]}
    note = {"note": table.get("changeNote"), "toldAt": table.get("changeTimestamp")}
    told = build(models.News, key | note)
    former = build(models.Occasion, key | {"start": table.get("previousStart")})
    place = clean_line(table.get("previousPlace") or "")
    return Mark(told.told_at, Text(told.note_sv, told.note_en), former.start, place)


def _build_days(area: models.Area, tables: list[Table]) -> Iterator[models.AreaDay]:
    """Yield what was entered for the days of an area: days that only have occasions say nothing."""
    for table in tables:
        entered = {name: value for name, value in table.items() if name not in _NOT_ENTERED}
        if any(entered.values()) or not table.get("occationCount"):
            day = models.Day.on(date.fromisoformat(table["date"]))
            yield build(models.AreaDay, entered, area=area, day=day)


def build(model: Any, table: Table, **more: Any) -> Any:
    """Return a row with the ID and those fields that a table and the model have, in both languages.

    Raises `UnreadableFileError` if the model cannot hold one of them.
    """
    fields = {each.name: each for each in model._meta.concrete_fields if not each.is_relation}
    values: Table = {
        name: " ".join(codes) for name, codes in as_dict(table.get("facts")).items() if name in fields
    }
    for name, value in table.items():
        attribute = _NAMES.get(name, name_attribute(name))
        if isinstance(value, dict) and f"{attribute}_en" in fields:
            swedish = attribute if attribute in fields else f"{attribute}_sv"
            values |= {swedish: value.get("sv"), f"{attribute}_en": value.get("en")}
        elif attribute in fields:
            values[attribute] = str(value) if isinstance(value, float) else value
    try:
        stated = {
            name: fields[name].clean(value, None) for name, value in values.items() if value is not None
        }
    except ValidationError as reason:
        named = {"kind": model._meta.verbose_name, "id": table.get("id", "")}
        what = " ".join(reason.messages)
        raise UnreadableFileError(_("%(kind)s %(id)s: %(reason)s"), **named, reason=what) from None
    return model(**stated, **more)
