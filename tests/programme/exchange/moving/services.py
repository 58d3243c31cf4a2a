"""A service with the interface, as its addresses answer, and the programme that is taken away before a move."""

import json
import re
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.test import Client

from programme.demo.creation import clear
from programme.models import Day, GoneOccasion, ImportedRow

# What a move cannot keep: when this database wrote a row.
_MOMENTS = {"lastModified"}


def fetch(path: str, **parameters: str) -> bytes:
    response = Client(SERVER_NAME="localhost").get(path, parameters)
    assert response.status_code == 200, response.content
    return response.getvalue()


def save_files(folder: Path, *, calendar: bool = True) -> list[str]:
    """Save what an office would save from its present service."""
    files = {
        "events.json": fetch("/api/events.json"),
        "events-en.json": fetch("/api/events.json", language="en"),
        "areas.json": fetch("/api/areas.json"),
    }
    if calendar:
        files["events.ics"] = fetch("/api/events.ics")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [str(folder / name) for name in files]


def empty() -> None:
    """Take the programme away with all memory of it, as in a new installation."""
    clear()
    for model in (ImportedRow, GoneOccasion, Day):
        model.objects.all().delete()
    _restart_ids()


def _restart_ids() -> None:
    models = [model for model in apps.get_app_config("programme").get_models() if model._meta.auto_field]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name LIKE 'programme_%'")
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def read_tables(path: str, **parameters: str) -> list[dict[str, Any]]:
    tables: list[dict[str, Any]] = json.loads(fetch(path, **parameters))
    return [{name: value for name, value in table.items() if name not in _MOMENTS} for table in tables]


def read_service() -> dict[str, list[dict[str, Any]]]:
    return {
        "sv": read_tables("/api/events.json"),
        "en": read_tables("/api/events.json", language="en"),
        "areas": read_tables("/api/areas.json"),
    }


def read_uids(calendar: bytes) -> dict[str, str]:
    """Return the UIDs in a calendar by the addresses of their occasions."""
    unfolded = calendar.decode().replace("\r\n ", "")
    events = unfolded.split("BEGIN:VEVENT")[1:]
    return {re.search(r"\r\nURL:(\S+)", each)[1]: re.search(r"\r\nUID:(.+)\r", each)[1] for each in events}
