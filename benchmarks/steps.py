"""Run one step of the benchmark in its own process, and print its figures as JSON."""

import json
import os
import sys

import django
from django.core.management import call_command
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")
django.setup()

from django.apps import apps  # noqa: E402
from django.core.management.color import no_style  # noqa: E402

from benchmarks import figures, importing, page_rendering, renewing  # noqa: E402 - needs Django
from benchmarks.programme import fill  # noqa: E402


def fill_database(events: str) -> None:
    """Fill the database; the sequences begin after the IDs of the programme's own."""
    call_command("migrate", verbosity=0)
    fill(int(events))
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(statement)
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


STEPS = {
    "fill": fill_database,
    "against_json_agg": figures.against_json_agg,
    "memory": figures.memory,
    "imports": importing.imports,
    "small_selection": figures.find_small_selection,
    "renewals": renewing.renewals,
    "edit_on_request": renewing.edit_on_request,
    "pages": page_rendering.pages,
}

if __name__ == "__main__":
    print(json.dumps(STEPS[sys.argv[1]](*sys.argv[2:])))
