"""Migrations say what the models say."""

import pytest
from django.core.management import call_command
from django.db import connection

from programme.models import Room
from programme.triggers import _present


@pytest.mark.django_db
def test_no_migration_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    # Exits with an error where a model has changed and no migration says so.
    call_command("makemigrations", check=True, dry_run=True)
    assert capsys.readouterr().out == "No changes detected\n"


@pytest.mark.django_db(transaction=True)
def test_a_table_is_altered_with_its_rows_and_the_triggers_are_there_again(sample: None) -> None:
    rows, present = list(Room.objects.values()), _present(connection)
    try:
        call_command("migrate", "programme", "0001", verbosity=0)
        assert "parallel" not in columns("programme_room")
    finally:
        call_command("migrate", verbosity=0)
    assert list(Room.objects.values()) == rows
    assert _present(connection) == present
    assert len(present) > 50


def columns(table: str) -> list[str]:
    with connection.cursor() as cursor:
        return [column.name for column in connection.introspection.get_table_description(cursor, table)]
