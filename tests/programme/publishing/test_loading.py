"""Loading the published programme: its queries, and the values of its rows."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import DatabaseError, connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from feeds.vocabulary import Identity, Text
from programme import models
from programme.models import Status
from programme.publishing import loading, shared_values
from programme.publishing.shared_tables import SharedTables
from programme.publishing.shared_values import NO_FESTIVAL
from programme.triggers import install
from tests import programmes
from tests.conftest import NOW
from tests.programmes import mark_changed, occasion_uuid, utc

pytestmark = pytest.mark.django_db


def in_another_connection(edit: Any) -> None:
    """Run an edit in a thread, which has a database connection of its own, and wait for it."""

    def run() -> None:
        try:
            edit()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


@pytest.mark.django_db(transaction=True)
def test_loading_takes_seven_queries_in_one_transaction(sample: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        loading.load()
    first, *questions, last = [query["sql"] for query in queries]
    begins = {
        "postgresql": (
            "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
            " SET LOCAL lock_timeout = '400ms'; SET LOCAL statement_timeout = '30s'"
        ),
        "sqlite": "BEGIN DEFERRED",
    }
    assert (first, last) == (begins[connection.vendor], "COMMIT")
    assert [question.lstrip("(").split()[0] for question in questions] == ["SELECT"] * 7


@pytest.mark.django_db(transaction=True)
def test_a_failure_leaves_no_transaction_open(sample: None, monkeypatch: pytest.MonkeyPatch) -> None:
    before = loading.load()

    def fail(_former: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM no_such_table")

    monkeypatch.setattr(shared_values, "SharedTables", fail)
    with pytest.raises(DatabaseError):
        loading.load()
    monkeypatch.undo()
    in_another_connection(lambda: models.Area.objects.update(price="10 kr"))
    after = loading.load()
    assert after.revision.number > before.revision.number
    assert {area.price for area in after.areas} == {"10 kr"}


@pytest.mark.django_db(transaction=True)
def test_loading_sees_one_state_during_edits(sample: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def edit_and_read(_former: Any) -> Any:
        # After the revision has been read and before anything else has.
        in_another_connection(lambda: models.Event.objects.update(title="Ny titel"))
        return SharedTables()

    before = loading.load()
    monkeypatch.setattr(shared_values, "SharedTables", edit_and_read)
    during = loading.load()
    monkeypatch.undo()
    after = loading.load()
    assert during == before
    assert after.revision.number > before.revision.number
    assert {occasion.event.title for occasion in after.occasions} == {"Ny titel"}


@pytest.mark.django_db(transaction=True)
def test_loading_does_not_block_writers(sample: None) -> None:
    with loading.consistent_read():
        loading.fetch_revision()
        in_another_connection(lambda: models.Area.objects.update(price="10 kr"))
    assert set(models.Area.objects.values_list("price", flat=True)) == {"10 kr"}


def remove_triggers_of(model: type[Model]) -> None:
    with connection.cursor() as cursor:
        for name, table in install.installed_triggers(connection).items():
            if table == model._meta.db_table:
                for statement in install.drop_trigger(connection, name, table):
                    cursor.execute(statement)


def test_an_empty_database_is_an_empty_programme() -> None:
    # With its trigger the row would be there again.
    remove_triggers_of(models.Revision)
    models.Revision.objects.all().delete()
    programme = loading.load()
    assert (programme.areas, programme.occasions, programme.gone) == ((), (), {})
    assert programme.revision == loading.NO_REVISION
    assert programme.festival == NO_FESTIVAL


def test_drafts_and_events_without_occasions_are_not_loaded(sample: None) -> None:
    programme = loading.load()
    published = {programmes.JAZZ, programmes.NIGHT, programmes.ABROAD}
    published |= {programmes.CLOCKS, programmes.MARATHON, programmes.BARE}
    assert set(programme.by_event) == published


def test_withdrawn_and_deleted_occasions_are_gone(sample: None) -> None:
    models.Event.objects.filter(id=programmes.ABROAD).update(status=Status.DRAFT)
    models.Event.objects.filter(id=programmes.NIGHT).delete()
    models.Occasion.objects.filter(id=8001).delete()
    # This one was never published.
    models.Occasion.objects.filter(event_id=programmes.DRAFT).delete()
    gone = loading.load().gone
    assert {key: Identity(each.id, each.uuid, each.event_id) for key, each in gone.items()} == {
        8001: Identity(8001, occasion_uuid(8001), programmes.JAZZ),
        8004: Identity(8004, occasion_uuid(8004), programmes.NIGHT),
        8005: Identity(8005, occasion_uuid(8005), programmes.ABROAD),
        8006: Identity(8006, occasion_uuid(8006), programmes.ABROAD),
    }
    at = dict(models.GoneOccasion.objects.values_list("id", "gone_at"))
    withdrawn_at = models.Event.objects.get(id=programmes.ABROAD).last_modified
    assert {key: each.at for key, each in gone.items()} == at | {8005: withdrawn_at, 8006: withdrawn_at}


def test_an_occasion_has_the_mark_that_is_read_from_its_news_whatever_event_it_has_now(sample: None) -> None:
    occasions, told = models.Occasion.objects, utc(2026, 7, 28, 9)
    mark_changed(occasions.filter(id=8013), Text(), told, {"start": "2026-07-29T13:30:00+00:00"})
    mark_changed(occasions.filter(id=8015), Text("Ny sal", "New hall"), told)
    occasions.filter(id=8015).update(event=programmes.ABROAD)
    loaded = loading.load().by_id
    marks = {
        key: (loaded[key].change_info, loaded[key].changed_at, loaded[key].previous_start)
        for key in (8003, 8013, 8015, 8016)
    }
    assert marks == {
        8003: (Text('Ny sal: "Sal 2" <nu>'), utc(2026, 7, 28, 6, 0, 0, 123456), None),
        8013: (Text(), told, utc(2026, 7, 29, 13, 30)),
        8015: (Text("Ny sal", "New hall"), told, None),
        8016: (Text(), None, None),
    }


def test_a_place_that_was_merged_into_another_is_no_other_place(sample: None) -> None:
    rows = models.Occasion.objects.filter(id=8014)
    former = {"start": "2026-07-29T13:30:00+00:00", "location": 5003, "place": "Magasinet"}
    mark_changed(rows, Text(), utc(2026, 7, 28, 9), former)
    assert loading.load().by_id[8014].previous_place == "Magasinet"
    models.ImportedRow.objects.create(kind="merged-location", row_id=5003, values={"into": 5001})
    assert loading.load().by_id[8014].previous_place == ""


def test_an_occasion_has_its_facts_and_those_of_its_event_and_place(sample: None) -> None:
    opens = utc(2026, 7, 1, 8)
    models.Location.objects.filter(pk=5001).update(access="step-free no-hearing-loop")
    event = models.Event.objects.get(occasions=8001)
    event.audience, event.age, event.price = "families children unknown", "6-12", "Gratis"
    event.save()
    link = {"booking_url": "https://boka.example/", "booking_from": opens}
    models.Occasion.objects.filter(pk=8001).update(booking="needed", **link)
    models.Occasion.objects.filter(pk=8002).update(booking="full", access="captions")
    by_id = loading.load().by_id
    shared = ("audience:children", "audience:families", "age:6-12", "free:true")
    # Its room says something of its own, and takes nothing from the location.
    assert by_id[8001].facts == (*shared, "booking:needed", "access:sign-language")
    place = ("access:step-free", "access:no-hearing-loop")
    assert by_id[8002].facts == (*shared, "booking:full", *place, "access:captions")
    booking = [(each.booking_url, each.booking_from) for each in (by_id[8001], by_id[8002])]
    assert booking == [("https://boka.example/", opens), ("", None)]
    event.refresh_from_db()
    assert event.audience == "children families"


def test_an_uploaded_image_overrides_an_external_one(sample: None) -> None:
    external = loading.load().by_id[8001].event.image_url
    models.Event.objects.filter(id=programmes.JAZZ).update(image="events/jazz å.jpg")
    uploaded = loading.load().by_id[8001].event.image_url
    assert external == "https://bilder.example/jazz.jpg"
    assert uploaded == "https://program.example/media/events/jazz%20%C3%A5.jpg"


def test_the_first_hour_of_the_day_is_a_setting(sample: None, settings: Any) -> None:
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    programme = loading.load()
    assert programme.site.time.first_hour == 5
    assert programme.site.time.day_of(NOW - timedelta(hours=10)).isoformat() == "2026-07-28"


def test_loading_again_reuses_unchanged_values(sample: None) -> None:
    before = loading.load()
    models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel")
    after = loading.load(before)
    assert after == loading.load()
    changed = {each.event.id for each in after.occasions if each is not before.by_id[each.id]}
    assert changed == {programmes.JAZZ}
    assert all(each.event.area is before.by_id[each.id].event.area for each in after.occasions)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("edit", "questions"),
    [
        # Revision, log, organizers, events, occasions, gone occasions, news.
        (lambda: models.Event.objects.filter(id=programmes.JAZZ).update(title="Ny titel"), 7),
        (lambda: models.Occasion.objects.filter(id=8001).delete(), 7),
        (lambda: models.Organizer.objects.filter(id=programmes.FORENINGEN).update(name="Jazz"), 7),
        # Revision, log, shared tables.
        (lambda: models.Festival.objects.update(town="Åsunda"), 3),
        # All events: revision, log, and the six queries for everything.
        (lambda: models.Event.objects.update(title="Ny titel"), 8),
    ],
    ids=["event", "occasion", "organizer", "festival", "all events"],
)
def test_loading_again_reads_what_was_logged(sample: None, edit: Any, questions: int) -> None:
    before = loading.load()
    edit()
    with CaptureQueriesContext(connection) as queries:
        after = loading.load(before)
    assert len(queries) == questions + 2
    assert after == loading.load()
    assert after.revision.number > before.revision.number


@pytest.mark.django_db(transaction=True)
def test_an_edit_is_read_without_the_rows_of_other_events(sample: None) -> None:
    before = loading.load()
    models.Event.objects.filter(id=programmes.NIGHT).update(title="Ny titel")
    with CaptureQueriesContext(connection) as queries:
        loading.load(before)
    tables = [query["sql"] for query in queries if "FROM" in query["sql"]][2:]
    assert all(f"IN ({programmes.NIGHT})" in sql for sql in tables)


@pytest.mark.django_db(transaction=True)
def test_everything_is_read_where_the_log_does_not_lead(
    sample: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_everything_read() -> bool:
        read = Mock(wraps=loading.read_programme)
        models.Event.objects.filter(id=programmes.NIGHT).update(title="Ny titel")
        with monkeypatch.context() as patched:
            patched.setattr(loading, "read_programme", read)
            programme = loading.load(before)
        assert programme == loading.load()
        return read.called

    before = loading.load()
    assert not is_everything_read()
    models.Revision.objects.update(lineage="another")
    assert is_everything_read()
    before = loading.load()
    models.ChangedEvent.objects.filter(event_id=programmes.JAZZ).delete()
    assert is_everything_read()
    before = loading.load()
    assert not is_everything_read()
    settings.BASE_URL = "https://other.example"
    assert is_everything_read()


@pytest.mark.django_db(transaction=True)
def test_a_fault_of_ours_keeps_no_edit_from_readers(
    sample: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = loading.load()
    models.Event.objects.filter(id=programmes.NIGHT).update(title="Ny titel")
    monkeypatch.setattr(loading.logger, "handlers", [])
    monkeypatch.setattr(loading.change_reader, "derive", Mock(side_effect=AssertionError))
    monkeypatch.setattr(loading.JsonFormat, "prepare", Mock(side_effect=RecursionError))
    assert loading.load(before) == loading.load()
    assert [each.message for each in caplog.records] == [
        "A fault in deriving the programme from the change log",
        "A fault in writing ahead",
    ]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no server")
def test_a_start_of_the_server_begins_another_lineage(sample: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM pg_postmaster_start_time())")
        ((started,),) = cursor.fetchall()
    stored = models.Revision.objects.get().lineage
    assert loading.fetch_revision().lineage == f"{stored} {started}"
