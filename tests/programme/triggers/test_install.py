"""What the database itself keeps, whichever way the programme is edited."""

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event as Signal
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from django.core.management import call_command
from django.db import connection, models, transaction
from django.test.utils import isolate_apps

from programme import models as programme
from programme.models import Area, Event, EventType, GoneOccasion, Location, Occasion, SubArea
from programme.triggers import install, rows
from programme.triggers.dialects import PREFIX
from programme.triggers.revision import published_tables
from tests import programmes
from tests.conftest import NOW
from tests.programmes import ABROAD, BARE, CLOCKS, DRAFT, JAZZ, MARATHON, NEVER, NIGHT

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
FAR_AHEAD = datetime(2999, 1, 1, tzinfo=UTC)

_numbers = itertools.count(1)


def a_name() -> str:
    return f"Namn {next(_numbers)}"


def an_area() -> Area:
    return Area.objects.create(name=a_name())


def an_event() -> Event:
    return Event.objects.create(title=a_name(), area=an_area(), type=EventType.other())


# How a new row of each model is made whose rows readers see.
NEW: dict[type[models.Model], Callable[[], models.Model]] = {
    programme.Festival: lambda: programme.Festival(name_sv=a_name()),
    Area: lambda: Area(name=a_name()),
    SubArea: lambda: SubArea(name=a_name(), area=an_area()),
    programme.Day: lambda: programme.Day(id=20260101, date=date(2026, 1, 1)),
    programme.AreaDay: lambda: programme.AreaDay(area=an_area(), day=programme.Day.on(date(2026, 1, 2))),
    programme.Stream: lambda: programme.Stream(name=a_name(), url="https://video.example/"),
    programme.Organizer: lambda: programme.Organizer(name=a_name()),
    EventType: lambda: EventType(name_sv=a_name()),
    programme.Language: lambda: programme.Language(code=f"x-{next(_numbers)}", name_sv=a_name()),
    Location: lambda: Location(name=a_name()),
    programme.Room: lambda: programme.Room(name=a_name(), location=Location.objects.create(name=a_name())),
    Event: lambda: Event(title=a_name(), area=an_area(), type=EventType.other()),
    Occasion: lambda: Occasion(event=an_event(), start=NOW, end=NOW + timedelta(hours=1)),
}
WRITTEN_BY_THE_DATABASE = {programme.Revision, GoneOccasion, programme.Edit}
NO_PROGRAMME = {programme.Editing, programme.AreaEditor}
# What its versions would say is its own date.
WITHOUT_HISTORY = {programme.Day}

# Of these readers see nothing.
KEPT_BY_IMPORTS = {programme.ImportedRow, programme.SheetMapping, programme.Upload}


def test_every_model_is_thought_of() -> None:
    every = set(apps.get_app_config("programme").get_models(include_auto_created=True))
    assert set(programme.models_with_history()) == set(NEW) - WITHOUT_HISTORY
    versions = {model.history.model for model in programme.models_with_history()}
    assert every - KEPT_BY_IMPORTS == set(NEW) | WRITTEN_BY_THE_DATABASE | NO_PROGRAMME | versions
    assert published_tables() == sorted(model._meta.db_table for model in NEW)


@isolate_apps("programme")
def test_tables_of_many_to_many_relations_are_part_of_the_programme(monkeypatch: pytest.MonkeyPatch) -> None:
    class Theme(models.Model):  # noqa: DJ008 - nobody looks at a row of it
        class Meta:
            app_label = "programme"

    class Talk(models.Model):  # noqa: DJ008
        themes = models.ManyToManyField(Theme)

        class Meta:
            app_label = "programme"

    monkeypatch.setattr(rows, "apps", Theme._meta.apps)
    assert published_tables() == ["programme_talk", "programme_talk_themes", "programme_theme"]


# --- The revision -----------------------------------------------------------------------------


def revision() -> int:
    row = programme.Revision.objects.first()
    return row.number if row else 0


def ways_to_edit(model: type[models.Model], new: Callable[[], Any], path: Path) -> Iterator[tuple[str, Any]]:
    """Yield each way to edit by name, with what does it; each finds what the one before it left."""
    table, rows = model._meta.db_table, model._default_manager
    key = model._meta.pk.column
    row = new()
    field = next(f.name for f in model._meta.local_concrete_fields if not (f.primary_key or f.is_relation))
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
    ours = ("name_key", "full_name_key", "saved_at", "last_modified", "published_at")
    keyed = model is programme.Day
    return [
        f for f in model._meta.local_concrete_fields if f.name not in ours and (keyed or not f.primary_key)
    ]


def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("model", NEW, ids=lambda model: model.__name__)
def test_the_revision_moves_with_every_way_to_edit(model: type[models.Model], tmp_path: Path) -> None:
    moved = {}
    for way, edit in ways_to_edit(model, NEW[model], tmp_path / "row.json"):
        before = revision()
        edit()
        moved[way] = revision() > before
    assert moved == dict.fromkeys(moved, True)
    assert len(moved) == 14


@pytest.mark.django_db(transaction=True)
def test_the_revision_does_not_move_when_nothing_is_written() -> None:
    event = an_event()
    before = revision()
    list(Event.objects.all())
    event.full_clean()
    assert revision() == before


@pytest.mark.django_db(transaction=True)
def test_the_revision_is_not_moved_by_what_is_rolled_back() -> None:
    event = an_event()
    before = revision()
    with transaction.atomic():
        event.save()
        transaction.set_rollback(True)
    assert revision() == before


@pytest.mark.django_db(transaction=True)
def test_a_transaction_moves_the_revision_once_on_postgresql_and_at_least_once_on_sqlite() -> None:
    an_event()
    before = revision()
    with transaction.atomic():
        for _ in range(3):
            an_event()
        Event.objects.all().delete()
    moves = revision() - before
    assert moves == 1 if connection.vendor == "postgresql" else moves > 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite knows no moment of committing")
def test_the_revision_s_moment_is_the_end_of_its_transaction() -> None:
    with transaction.atomic():
        event = an_event()
        begun = programme.Revision.objects.get().moved_at
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.05)")
            cursor.execute("SELECT clock_timestamp()")
            ended = cursor.fetchone()[0]
    after = programme.Revision.objects.get()
    assert begun < ended <= after.moved_at
    event.save()
    assert programme.Revision.objects.get().number == after.number + 1


@pytest.mark.django_db(transaction=True)
def test_a_flush_moves_the_moment_so_that_no_revision_stands_for_two_states() -> None:
    Area.objects.create(name="Torget")
    before = programme.Revision.objects.get()
    call_command("flush", interactive=False, verbosity=0)
    Area.objects.create(name="Parken")
    after = programme.Revision.objects.get()
    assert (after.number, after.moved_at) != (before.number, before.moved_at)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time")
def test_writers_who_would_deadlock_wait_for_each_other_and_move_the_revision_in_order(sample: None) -> None:
    first_has_written, numbers = Signal(), {}

    def second() -> None:
        try:
            first_has_written.wait(10)
            with transaction.atomic():
                Event.objects.filter(id=JAZZ).update(title="Andra")
                Area.objects.filter(id=programmes.PARKEN).update(price="2 kr")
                numbers["second"] = revision()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Area.objects.filter(id=programmes.PARKEN).update(price="1 kr")
            first_has_written.set()
            waiting = pool.submit(second)
            wait_until_somebody_waits_for_a_lock()
            Event.objects.filter(id=JAZZ).update(title="Första")
            numbers["first"] = revision()
        waiting.result()
    assert numbers["second"] == numbers["first"] + 1
    assert Event.objects.get(id=JAZZ).title == "Andra"
    assert Area.objects.get(id=programmes.PARKEN).price == "2 kr"


def wait_until_somebody_waits_for_a_lock() -> None:
    sql = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    for _ in range(500):
        with connection.cursor() as cursor:
            # What a transaction has read of this view it keeps, unless told not to.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(sql)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    pytest.fail("Nobody waits for a lock.")


# --- The moments of events --------------------------------------------------------------------


def touched_by(edit: Callable[[], object]) -> set[int]:
    """Return the events whose `last_modified` an edit has moved."""
    Event.objects.update(last_modified=LONG_AGO)
    edit()
    assert not Event.objects.filter(last_modified__lt=LONG_AGO).exists()
    return set(Event.objects.filter(last_modified__gt=LONG_AGO).values_list("id", flat=True))


def of(model: type[models.Model], pk: int) -> Any:
    return model._default_manager.get(pk=pk)


NAMED = [
    (Area, programmes.TORGET, {JAZZ, NIGHT, BARE, DRAFT, NEVER}),
    (Area, programmes.TOMTEN, set()),
    (SubArea, programmes.TORGET_SCENEN, {JAZZ}),
    (programme.Organizer, programmes.FORENINGEN, {JAZZ, CLOCKS}),
    (EventType, 4001, {JAZZ, CLOCKS, MARATHON, DRAFT, NEVER}),
    (programme.Language, 4501, {JAZZ}),
    # Of an event, of an occasion, by way of a room of either.
    (Location, 5001, {JAZZ, MARATHON, CLOCKS}),
    (Location, 5003, {NIGHT, CLOCKS, JAZZ}),
    (programme.Room, 6001, {JAZZ, CLOCKS}),
    (programme.Room, 6002, {JAZZ}),
    (programme.Stream, 9003, {JAZZ}),
    (Occasion, 8004, {NIGHT}),
    (Event, NIGHT, {NIGHT}),
    # An area's own streams, days and the festival are not named by events.
    (programme.Stream, 9001, set()),
    (programme.Day, 20260729, set()),
    (programme.Festival, 1, set()),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "pk", "events"), NAMED)
def test_last_modified_moves_with_what_the_event_names(
    sample: None, model: type[models.Model], pk: int, events: set[int]
) -> None:
    field = next(f for f in model._meta.local_concrete_fields if not (f.primary_key or f.is_relation))
    row = of(model, pk)
    value = getattr(row, field.name)
    rows = model._default_manager.filter(pk=pk)
    assert touched_by(row.save) == events
    assert touched_by(lambda: rows.update(**{field.name: value})) == events
    assert touched_by(lambda: model._default_manager.bulk_update([row], [field.name])) == events


def an_occasion_of(event_id: int) -> Occasion:
    return Occasion(event_id=event_id, start=NOW, end=NOW + timedelta(hours=1))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("edit", "events"),
    [
        (lambda: an_occasion_of(NIGHT).save(), {NIGHT}),
        (lambda: Occasion.objects.bulk_create(map(an_occasion_of, (NIGHT, BARE))), {NIGHT, BARE}),
        (lambda: of(Occasion, 8001).delete(), {JAZZ}),
        (lambda: Occasion.objects.filter(id__in=(8001, 8004)).delete(), {JAZZ, NIGHT}),
        # From one event to another; with its stream set to nothing; in SQL.
        (lambda: Occasion.objects.filter(id=8001).update(event_id=NIGHT), {JAZZ, NIGHT}),
        (lambda: of(programme.Stream, 9003).delete(), {JAZZ}),
        (lambda: execute("UPDATE programme_organizer SET offer_count = 4"), {JAZZ, NIGHT, MARATHON, CLOCKS}),
        (lambda: programme.AreaDay.objects.all().delete(), set()),
        (lambda: Event.objects.filter(id=ABROAD).update(area_id=programmes.TORGET), {ABROAD}),
        # What readers do not see.
        (lambda: programme.Room.objects.update(parallel=True), set()),
    ],
)
def test_last_modified_moves_with_what_is_added_moved_and_removed(
    sample: None, edit: Callable[[], object], events: set[int]
) -> None:
    assert touched_by(edit) == events


@pytest.mark.django_db
@pytest.mark.parametrize(
    "edit",
    [
        lambda: of(Event, JAZZ).save(),
        lambda: Event.objects.update(title="Ny"),
        lambda: of(Area, programmes.TORGET).save(),
        lambda: of(Occasion, 8001).delete(),
        lambda: Event.objects.update(title="Ny", last_modified=LONG_AGO),
    ],
)
def test_last_modified_never_decreases(sample: None, edit: Callable[[], object]) -> None:
    Event.objects.update(last_modified=FAR_AHEAD)
    edit()
    assert set(Event.objects.values_list("last_modified", flat=True)) == {FAR_AHEAD}


@pytest.mark.django_db
def test_last_modified_does_not_decrease_when_a_stale_copy_is_saved(sample: None) -> None:
    stale = of(Event, JAZZ)
    Event.objects.update(last_modified=FAR_AHEAD)
    stale.save()
    assert of(Event, JAZZ).last_modified == FAR_AHEAD


@pytest.mark.django_db
def test_the_festival_remembers_its_last_save(sample: None) -> None:
    before = programme.Festival.objects.get().saved_at
    programme.Festival.objects.update(name_sv="Ny")
    assert programme.Festival.objects.get().saved_at > before


# --- Installing -------------------------------------------------------------------------------


@pytest.mark.django_db
def test_installing_brings_back_what_is_missing_and_drops_what_is_out_of_date() -> None:
    before = install.installed_triggers(connection)
    name, table = next(iter(before.items()))
    for statement in install.drop_trigger(connection, name, table):
        execute(statement)
    old = f"{PREFIX}_old"
    body = "BEGIN SELECT 1; END" if connection.vendor == "sqlite" else f"EXECUTE FUNCTION {name}_()"
    if connection.vendor == "postgresql":
        execute(install.create_function(f"{name}_", "NULL"))
    execute(f"CREATE TRIGGER {old} AFTER INSERT ON {table} {body}")
    install.install()
    assert install.installed_triggers(connection) == before
