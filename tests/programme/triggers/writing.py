"""New rows of each model that readers see, and every way to write rows."""

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core import serializers
from django.core.management import call_command
from django.db import connection, models

from programme import models as programme
from programme.models import Area, Event, EventType, Location, Occasion, SubArea
from tests.conftest import NOW

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
FAR_AHEAD = datetime(2999, 1, 1, tzinfo=UTC)

_numbers = itertools.count(1)


def make_name() -> str:
    return f"Namn {next(_numbers)}"


def make_area() -> Area:
    return Area.objects.create(name=make_name())


def make_event() -> Event:
    return Event.objects.create(title=make_name(), area=make_area(), type=EventType.other())


def make_list() -> programme.OccasionList:
    return programme.OccasionList.objects.create(title_sv=make_name())


# How a new row of each model is made whose rows readers see.
NEW_ROWS: dict[type[models.Model], Callable[[], models.Model]] = {
    programme.Festival: lambda: programme.Festival(name_sv=make_name()),
    Area: lambda: Area(name=make_name()),
    SubArea: lambda: SubArea(name=make_name(), area=make_area()),
    programme.Day: lambda: programme.Day(id=20260101, date=date(2026, 1, 1)),
    programme.AreaDay: lambda: programme.AreaDay(area=make_area(), day=programme.Day.on(date(2026, 1, 2))),
    programme.Stream: lambda: programme.Stream(name=make_name(), url="https://video.example/"),
    programme.Edition: lambda: programme.Edition(
        slug=f"namn-{next(_numbers)}", name_sv=make_name(), first_day=NOW.date(), last_day=NOW.date()
    ),
    programme.Organizer: lambda: programme.Organizer(name=make_name()),
    EventType: lambda: EventType(name_sv=make_name()),
    programme.Language: lambda: programme.Language(code=f"x-{next(_numbers)}", name_sv=make_name()),
    Location: lambda: Location(name=make_name()),
    programme.Room: lambda: programme.Room(
        name=make_name(), location=Location.objects.create(name=make_name())
    ),
    Event: lambda: Event(title=make_name(), area=make_area(), type=EventType.other()),
    programme.OccasionList: lambda: programme.OccasionList(title_sv=make_name()),
    programme.ListItem: lambda: programme.ListItem(on_list=make_list(), event=make_event()),
    Occasion: lambda: Occasion(event=make_event(), start=NOW, end=NOW + timedelta(hours=1)),
    programme.Picture: lambda: programme.Picture(
        name=make_name(), focus_x=50, focus_y=50, width=300, height=200
    ),
    programme.News: lambda: programme.News(
        kind="new", entry=uuid4(), edit_id=1, event_id=1, occasion_id=1, told_at=NOW, appears_at=NOW
    ),
}


def iterate_ways_to_edit(
    model: type[models.Model], new: Callable[[], Any], path: Path
) -> Iterator[tuple[str, Any]]:
    """Yield each way to edit by name, with what does it; each finds what the one before it left."""
    table, rows = model._meta.db_table, model._default_manager
    key = model._meta.pk.column
    row = new()
    others = [f for f in model._meta.local_concrete_fields if not f.primary_key]
    field = min(others, key=lambda f: f.is_relation).attname
    yield "save a new row", row.save
    yield "save a row", row.save
    yield "update", lambda: rows.filter(pk=row.pk).update(**{field: getattr(row, field)})
    yield "bulk_update", lambda: rows.bulk_update([row], [field])
    yield "SQL: UPDATE", lambda: execute(f"UPDATE {table} SET {key} = {key} WHERE {key} = {row.pk}")
    path.write_text(serializers.serialize("json", [row]))
    yield "loaddata over a row", lambda: call_command("loaddata", path, verbosity=0)
    pk = row.pk
    yield "delete a row", row.delete
    yield "loaddata of a new row", lambda: call_command("loaddata", path, verbosity=0)
    yield "delete a selection", rows.filter(pk=pk).delete
    other = new()
    yield "bulk_create", lambda: rows.bulk_create([other])
    yield "delete without looking", lambda: rows.filter(pk=other.pk)._raw_delete("default")
    fields = {f.attname: getattr(new_row, f.attname) for new_row in [new()] for f in _settable(model)}
    yield "get_or_create", lambda: rows.get_or_create(**fields)
    yield "update_or_create", lambda: rows.update_or_create(**fields, defaults={field: fields[field]})
    yield "SQL: DELETE", lambda: execute(f"DELETE FROM {table}")


def _settable(model: type[models.Model]) -> list[Any]:
    # A new location without an address gets `parallel`.
    keys = {"name_key", "title_key", "full_name_key"}
    ours = {*keys, "saved_at", "last_modified", "published_at", "parallel"}
    keyed = model is programme.Day
    return [
        f for f in model._meta.local_concrete_fields if f.name not in ours and (keyed or not f.primary_key)
    ]


def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def fetch(model: type[models.Model], pk: int) -> Any:
    return model._default_manager.get(pk=pk)


def build_occasion(event_id: int) -> Occasion:
    return Occasion(event_id=event_id, start=NOW, end=NOW + timedelta(hours=1))


def touched_by(edit: Callable[[], object]) -> set[int]:
    """Return the events whose `last_modified` an edit has moved."""
    Event.objects.update(last_modified=LONG_AGO)
    edit()
    assert not Event.objects.filter(last_modified__lt=LONG_AGO).exists()
    return set(Event.objects.filter(last_modified__gt=LONG_AGO).values_list("id", flat=True))
