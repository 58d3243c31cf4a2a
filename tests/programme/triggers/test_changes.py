"""The change log: the events that each edit has changed, whichever way it was made."""

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.db import connection

from programme import models as programme
from programme.models import ChangedEvent, Event, GoneOccasion, Occasion, PublishedYear, Status
from programme.models.trigger_rules import SHARED
from programme.triggers import install
from tests.programme.triggers.writing import execute
from tests.programmes import ABROAD, JAZZ, NIGHT, utc

pytestmark = pytest.mark.django_db(transaction=True)


def revision() -> programme.Revision:
    return programme.Revision.objects.get()


def logged_by(edit: Callable[[], object]) -> set[int]:
    """Return what the log has of the numbers after the present one, once an edit is made."""
    before = revision().number
    edit()
    return set(ChangedEvent.objects.filter(revision__gt=before).values_list("event_id", flat=True))


def is_renewed_by(edit: Callable[[], object]) -> bool:
    """Return whether an edit begins another lineage of revisions."""
    before = revision().lineage
    edit()
    assert len(before) == len(revision().lineage) == 32
    return before != revision().lineage


def test_the_event_of_a_row_before_and_after_the_edit_is_logged(sample: None) -> None:
    def delete_and_restore_elsewhere() -> None:
        row = Occasion.objects.filter(event_id=JAZZ).values().first()
        Occasion.objects.filter(id=row["id"]).delete()
        ChangedEvent.objects.all().delete()
        Occasion.objects.create(**row | {"event_id": NIGHT})

    moved = Occasion.objects.filter(event_id=ABROAD)
    assert logged_by(lambda: moved.update(event_id=NIGHT)) == {ABROAD, NIGHT}
    assert logged_by(delete_and_restore_elsewhere) == {JAZZ, NIGHT}


def test_what_is_written_beside_the_programme_is_logged_with_the_next_edit(sample: None) -> None:
    def edit() -> None:
        GoneOccasion.objects.update(gone_at=utc(2026, 1, 1))
        PublishedYear.objects.update(published_at=utc(2026, 1, 1))
        before = revision().number
        Event.objects.filter(id=ABROAD).update(title="Ny titel")
        assert revision().number > before

    Event.objects.filter(id=NIGHT).delete()
    before = revision().number
    assert logged_by(edit) == {SHARED, NIGHT, ABROAD}
    assert not ChangedEvent.objects.filter(revision__lte=before, event_id=NIGHT).exists()


def test_an_event_is_in_the_log_once(sample: None) -> None:
    for status in (Status.DRAFT, Status.PUBLISHED):
        Event.objects.filter(id=JAZZ).update(status=status)
    assert ChangedEvent.objects.get(event_id=JAZZ).revision == revision().number


@pytest.mark.django_db
def test_edits_belong_to_one_lineage(sample: None) -> None:
    assert not is_renewed_by(lambda: Event.objects.update(title="Ny titel"))
    assert not is_renewed_by(lambda: Event.objects.all().delete())


def test_what_deletes_rows_without_triggers_begins_another_lineage(sample: None) -> None:
    row = Occasion.objects.filter(event_id=JAZZ).values().first()
    if connection.vendor == "postgresql":
        assert is_renewed_by(lambda: execute("TRUNCATE programme_occasion CASCADE"))
        assert is_renewed_by(lambda: execute("TRUNCATE programme_goneoccasion"))
        return
    # SQLite deletes the row that is replaced without its triggers.
    columns = "id, uuid, event_id, start, end, cancelled, source, source_id"
    values = f"id, uuid, {NIGHT}, start, end, cancelled, source, source_id"
    replace = f"REPLACE INTO programme_occasion ({columns}) SELECT {values} FROM programme_occasion"
    assert is_renewed_by(lambda: execute(f"{replace} WHERE id = {row['id']}"))


def test_a_flush_begins_another_lineage(sample: None) -> None:
    def flush() -> None:
        call_command("flush", interactive=False, verbosity=0)
        programme.Area.objects.create(name="Torget")

    assert is_renewed_by(flush)


def test_what_deletes_rows_of_the_log_begins_another_lineage(sample: None) -> None:
    assert is_renewed_by(lambda: execute(f"DELETE FROM programme_changedevent WHERE event_id = {JAZZ}"))
    assert is_renewed_by(ChangedEvent.objects.all().delete)
    if connection.vendor == "postgresql":
        assert is_renewed_by(lambda: execute("TRUNCATE programme_changedevent"))


@pytest.mark.django_db
def test_triggers_that_are_installed_begin_another_lineage(sample: None) -> None:
    name, table = next(each for each in install.installed_triggers(connection).items() if "log" in each[0])
    for statement in install.drop_trigger(connection, name, table):
        execute(statement)
    assert is_renewed_by(install.install)
    assert not is_renewed_by(install.install)
