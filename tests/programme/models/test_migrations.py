"""Migrations say what the models say."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from feeds.vocabulary import Text
from programme.models import News, Occasion
from programme.triggers.install import drop_trigger, installed_triggers
from tests.conftest import NOW
from tests.programme.triggers.writing import execute
from tests.programmes import ABROAD, mark_changed


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


@pytest.mark.django_db
def test_news_that_was_told_before_follows_its_occasion(sample: None) -> None:
    for name, table in installed_triggers(connection).items():
        for statement in drop_trigger(connection, name, table):
            execute(statement)
    mark_changed(Occasion.objects.all(), Text("Ny"), NOW)
    Occasion.objects.filter(pk=8015).update(event_id=ABROAD)
    Occasion.objects.filter(pk=8001).delete()
    expected = {each.pk: ABROAD if each.occasion_id == 8015 else each.event_id for each in News.objects.all()}
    import_module("programme.migrations.0007_news_follows_occasions").follow(apps, None)
    assert dict(News.objects.values_list("pk", "event_id")) == expected
