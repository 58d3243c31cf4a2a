"""Migrations say what the models say."""

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_no_migration_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    # Exits with an error where a model has changed and no migration says so.
    call_command("makemigrations", check=True, dry_run=True)
    assert capsys.readouterr().out == "No changes detected\n"
