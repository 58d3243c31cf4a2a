"""Migrations say what the models say."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.db import connection

from programme.backoffice.roles import Role
from programme.models import Room
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


def columns(table: str) -> list[str]:
    with connection.cursor() as cursor:
        return [column.name for column in connection.introspection.get_table_description(cursor, table)]


@pytest.mark.django_db
def test_the_migration_to_roles_keeps_permissions() -> None:
    def permissions(*codenames: str) -> Any:
        return Permission.objects.filter(content_type__app_label="programme", codename__in=codenames)

    def held(row: User | Group) -> list[str]:
        own = row.permissions if isinstance(row, Group) else row.user_permissions
        return sorted(own.values_list("codename", flat=True))

    before = {
        "writes": ["add_event", "view_event"],
        "changes": ["change_event", "change_occasion", "add_area"],
        "times": ["change_occasion"],
        "looks": ["view_event", "view_occasion", "change_area"],
    }
    # As it was before: these permissions are made only after the last migration.
    permissions("publish_event", "edit_every_area").delete()
    Group.objects.all().delete()
    for name, codenames in before.items():
        User.objects.create_user(name).user_permissions.set(permissions(*codenames))
        Group.objects.create(name=name).permissions.set(permissions(*codenames))
    migration = import_module("programme.migrations.0004_roles")
    editor = SimpleNamespace(connection=connection)
    migration.make_roles(apps, editor)
    migration.carry_over(apps, editor)
    both = ["edit_every_area", "publish_event"]
    after = {
        "writes": sorted([*before["writes"], *both]),
        "changes": sorted([*before["changes"], *both]),
        "times": sorted([*before["times"], "edit_every_area"]),
        "looks": sorted(before["looks"]),
    }
    assert {user.username: held(user) for user in User.objects.all()} == after
    assert {group.name: held(group) for group in Group.objects.filter(name__in=before)} == after
    assert set(Group.objects.exclude(name__in=before).values_list("name", flat=True)) == set(Role)
