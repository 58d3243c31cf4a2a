"""Run one step of the benchmark in its own process, and print its figures as JSON."""

import json
import os
import sys
from functools import partial

import django
from django.core.management import call_command
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")
django.setup()

from django.apps import apps  # noqa: E402
from django.core.management.color import no_style  # noqa: E402

from benchmarks import (  # noqa: E402 - needs Django  # noqa: E402
    editions,
    exporting,
    figures,
    importing,
    in_process,
    page_rendering,
    renewing,
    screens,
    stated_facts,
)
from benchmarks.programme import fill  # noqa: E402


def fill_database(events: str) -> None:
    """Fill the database; the sequences begin after the IDs of the programme's own."""
    call_command("migrate", verbosity=0)
    fill(int(events))
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(statement)
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def sign_in_editor() -> dict[str, str]:
    """Sign an administrator in, and return the cookie of the session."""
    return {"session": screens.sign_in().cookies["sessionid"].value}


STEPS = {
    "sign_in_editor": sign_in_editor,
    "fill": fill_database,
    "against_json_agg": figures.against_json_agg,
    "each_format": figures.each_format,
    "memory": figures.memory,
    "not_asked_before": in_process.not_asked_before,
    "first_answers": in_process.first_answers,
    "document": in_process.document,
    "exports": in_process.exports,
    "imports": importing.imports,
    "export_xlsx": partial(exporting.export, "xlsx"),
    "export_csv": partial(exporting.export, "csv"),
    "warm": in_process.warm,
    "facts": stated_facts.facts,
    "add_editions": editions.add_editions,
    "edition": editions.edition,
    "renewals": renewing.renewals,
    "edit_on_request": renewing.edit_on_request,
    "pages": page_rendering.pages,
    "screens": screens.screens,
}

if __name__ == "__main__":
    print(json.dumps(STEPS[sys.argv[1]](*sys.argv[2:])))
