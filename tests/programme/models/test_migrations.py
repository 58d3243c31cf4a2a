"""Migrations say what the models say."""

import pytest
from django.core.management import call_command
from django.db import connection

from programme.triggers.install import drop_trigger, installed_triggers
from tests.programme.triggers.writing import execute


@pytest.mark.django_db
def test_no_migration_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    # Exits with an error if a model has changed without a migration.
    call_command("makemigrations", check=True, dry_run=True)
    assert capsys.readouterr().out == "No changes detected\n"


@pytest.mark.django_db
def test_migrating_restores_triggers() -> None:
    present = installed_triggers(connection)
    name, table = next(iter(present.items()))
    for statement in drop_trigger(connection, name, table):
        execute(statement)
    call_command("migrate", verbosity=0)
    assert installed_triggers(connection) == present
    assert len(present) > 40
