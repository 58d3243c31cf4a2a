"""Tables are analysed after a migration; after an import: tests/programme/exchange/merge/test_sheet.py."""

import pytest
from django.core.management.sql import emit_post_migrate_signal

from programme.models import Area
from tests.databases import forget_statistics, has_statistics


@pytest.mark.parametrize(("plan", "expected"), [([("a migration", False)], True), ([], False)])
@pytest.mark.django_db
def test_tables_are_analysed_after_a_migration_that_did_something(plan, expected):
    forget_statistics()
    Area.objects.create(name="Parken")
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default", plan=plan)
    assert has_statistics("programme_area") is expected
