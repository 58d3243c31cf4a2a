"""The revision, which moves with every statement that writes what readers see."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

import pytest
from django.db import connection, transaction

from programme import models as programme
from programme.models import Area, Event
from tests import programmes
from tests.programme.triggers.writing import make_event
from tests.programmes import JAZZ

pytestmark = pytest.mark.django_db(transaction=True)


def revision() -> int:
    row = programme.Revision.objects.first()
    return row.number if row else 0


def test_the_revision_does_not_move_when_nothing_is_written() -> None:
    event = make_event()
    before = revision()
    list(Event.objects.all())
    event.full_clean()
    assert revision() == before


def test_a_rollback_does_not_move_the_revision() -> None:
    event = make_event()
    before = revision()
    with transaction.atomic():
        event.save()
        transaction.set_rollback(True)
    assert revision() == before


def test_a_transaction_moves_the_revision_once_on_postgresql_and_at_least_once_on_sqlite() -> None:
    make_event()
    before = revision()
    with transaction.atomic():
        for _ in range(3):
            make_event()
        Event.objects.all().delete()
    moves = revision() - before
    assert moves == 1 if connection.vendor == "postgresql" else moves > 1


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite knows no moment of committing")
def test_the_revision_s_moment_is_the_end_of_its_transaction() -> None:
    with transaction.atomic():
        event = make_event()
        begun = programme.Revision.objects.get().moved_at
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.05)")
            cursor.execute("SELECT clock_timestamp()")
            ended = cursor.fetchone()[0]
    after = programme.Revision.objects.get()
    assert begun < ended <= after.moved_at
    event.save()
    assert programme.Revision.objects.get().number == after.number + 1


def test_numbers_go_on_where_the_row_is_deleted(sample: None) -> None:
    Event.objects.filter(id=JAZZ).delete()
    before = programme.Revision.objects.get()
    programme.Revision.objects.all().delete()
    after = programme.Revision.objects.get()
    assert (after.number, after.withdrawn_at) == (before.number + 1, before.withdrawn_at)
    assert after.lineage != before.lineage
    assert after.moved_at >= before.moved_at
    Area.objects.create(name="Parken")
    assert programme.Revision.objects.get().number == after.number + 1


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time")
def test_writers_wait_for_each_other_and_move_the_revision_in_order(sample: None) -> None:
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
            wait_for_a_blocked_writer()
            Event.objects.filter(id=JAZZ).update(title="Första")
            numbers["first"] = revision()
        waiting.result()
    assert numbers["second"] == numbers["first"] + 1
    assert Event.objects.get(id=JAZZ).title == "Andra"
    assert Area.objects.get(id=programmes.PARKEN).price == "2 kr"


def wait_for_a_blocked_writer() -> None:
    sql = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    for _ in range(500):
        with connection.cursor() as cursor:
            # By default a transaction keeps what it has read of this view.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(sql)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    pytest.fail("Nobody waits for a lock.")
