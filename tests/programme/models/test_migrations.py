"""Migrations say what the models say."""

import pytest
from django.core.management import call_command
from django.db import connection

from programme.models import Location, Room
from programme.triggers.install import installed_triggers


@pytest.mark.django_db
def test_no_migration_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    # Exits with an error if a model has changed without a migration.
    call_command("makemigrations", check=True, dry_run=True)
    assert capsys.readouterr().out == "No changes detected\n"


@pytest.mark.django_db(transaction=True)
def test_a_migration_keeps_rows_and_restores_triggers(sample: None) -> None:
    rows, present = list(Room.objects.values()), installed_triggers(connection)
    try:
        call_command("migrate", "programme", "0001", verbosity=0)
        assert "parallel" not in columns("programme_room")
    finally:
        call_command("migrate", verbosity=0)
    assert list(Room.objects.values()) == rows
    assert installed_triggers(connection) == present
    assert len(present) > 40


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["", "Kajen 1"])
def test_places_without_an_address_are_for_several_at_once_where_others_have_one(address: str) -> None:
    stored = {"Kajen": {"address": address}, "Parken": {}, "Nätet": {"online": True}}
    for name, values in stored.items():
        Location.objects.create(name=name, **values)
    try:
        call_command("migrate", "programme", "0029", verbosity=0)
    finally:
        call_command("migrate", verbosity=0)
    marked = {"Nätet", "Parken"} if address else {"Nätet"}
    for rows in (Location.objects, Location.history):
        assert {each.name for each in rows.filter(parallel=True)} == marked


def columns(table: str) -> list[str]:
    with connection.cursor() as cursor:
        return [column.name for column in connection.introspection.get_table_description(cursor, table)]
