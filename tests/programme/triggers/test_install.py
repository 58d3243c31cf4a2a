"""Installing the triggers."""

import pytest
from django.db import connection

from programme.triggers import install
from programme.triggers.dialects import PREFIX
from tests.programme.triggers.writing import execute


@pytest.mark.django_db
def test_installing_creates_missing_triggers_and_drops_obsolete_ones() -> None:
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
