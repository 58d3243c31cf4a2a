"""What PostgreSQL tells who listens: once for each transaction that has moved the revision, when it is committed."""

from collections.abc import Callable, Iterator

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from programme.models import Area, Edit, Event
from programme.triggers.revision import CHANNEL
from tests import programmes
from tests.programmes import JAZZ

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite tells nobody"),
    pytest.mark.django_db(transaction=True),
]

CountNotifications = Callable[[], int]


@pytest.fixture
def count_notifications(sample: None) -> Iterator[CountNotifications]:
    """Return how many notifications were sent since it was asked last: those before one of its own."""
    listening, asking = connection.copy(), connection.copy()
    with listening.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")

    def count() -> int:
        with asking.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}, 'asked'")
        sent = iter(lambda: next(listening.connection.notifies(timeout=10)).payload, "asked")
        return len(list(sent))

    yield count
    listening.close()
    asking.close()


def test_a_transaction_notifies_once_and_not_before_its_end(count_notifications):
    with transaction.atomic():
        Event.objects.filter(id=JAZZ).update(title="Ny titel")
        Area.objects.filter(id=programmes.PARKEN).update(price="1 kr")
        assert count_notifications() == 0
    assert count_notifications() == 1


def test_sql_by_hand_notifies_too(count_notifications):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM programme_occasion WHERE event_id = %s", [JAZZ])
    assert count_notifications() == 1


def test_a_flush_notifies(count_notifications):
    call_command("flush", interactive=False, verbosity=0)
    assert count_notifications() >= 1


def test_what_readers_do_not_see_and_what_is_rolled_back_notify_nobody(count_notifications):
    Edit.objects.update(reason="Annat")
    with transaction.atomic():
        Event.objects.filter(id=JAZZ).update(title="Ny titel")
        transaction.set_rollback(True)
    assert count_notifications() == 0
