"""What triggers do for a row costs the same in a programme of any size: SQLite counts its steps."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from programme.models import Event, Occasion
from tests.conftest import NOW
from tests.programmes import JAZZ

MANY = 300


def count_steps(edit: Callable[[], object]) -> int:
    """Return how many instructions SQLite carries out for an edit."""
    steps = []
    connection.connection.set_progress_handler(lambda: steps.append(1) and None, 1)
    try:
        edit()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return len(steps)


def add_occasion() -> Occasion:
    return Occasion.objects.create(event_id=JAZZ, start=NOW, end=NOW + timedelta(hours=1))


EDITS: dict[str, Callable[[], object]] = {
    "an event is edited": lambda: Event.objects.filter(id=JAZZ).update(title="Ny titel"),
    "an occasion is added": add_occasion,
    "an occasion is edited": lambda: Occasion.objects.filter(id=8001).update(cancelled=True),
    "an occasion is deleted": lambda: Occasion.objects.filter(id=8001).delete(),
    "an event is withdrawn": lambda: Event.objects.filter(id=JAZZ).update(status="draft"),
}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL chooses other ways in a larger table")
@pytest.mark.django_db
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_takes_no_more_steps_beside_many_events(edit: Callable[[], object], sample: None) -> None:
    def count_and_undo() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SAVEPOINT before")
            steps = count_steps(edit)
            cursor.execute("ROLLBACK TO before")
        return steps

    few = count_and_undo()
    jazz = Event.objects.get(id=JAZZ)
    others = [Event(title="Annat", area=jazz.area, type=jazz.type, status="published") for _ in range(MANY)]
    made = Event.objects.bulk_create(others)
    Occasion.objects.bulk_create(
        Occasion(event=event, start=NOW, end=NOW + timedelta(hours=1)) for event in made
    )
    # Each event that is read takes several.
    assert count_and_undo() < few + MANY
