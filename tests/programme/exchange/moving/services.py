"""A service with the interface, as its addresses answer, and the programme that is taken away before a move."""

import re
from pathlib import Path

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.test import Client

from programme.demo.creation import clear
from programme.models import Day, GoneOccasion, ImportedRow

# The files of a move, and where they are had. The last one holds what the interface has no words for.
INTERFACE = {
    "areas.json": "/api/areas",
    "events.json": "/api/events",
    "events-en.json": "/api/events?language=en",
    "events.ics": "/api/events.ics",
}
WHOLE = INTERFACE | {"programme.json": "/api/programme"}
# What a move cannot keep: when this database wrote a row, and first published it; and the festival's terms.
_MOMENTS = re.compile(
    rb'"lastModified":"[^"]*"|DTSTAMP:\S+|LAST-MODIFIED:\S+|SEQUENCE:\S+|<(updated|published|pubDate|lastBuildDate'
    rb'|dcterms:modified)>[^<]*<|<(?:rights type="text"|copyright)>[^<]*</(?:rights|copyright)>'
)


def fetch(path: str) -> bytes:
    response = Client(SERVER_NAME="localhost").get(path)
    assert response.status_code == 200, response.content
    return response.getvalue()


def save_files(folder: Path, files: dict[str, str]) -> Path:
    """Save what an office would save from its present service, as the documentation has it."""
    for name, path in files.items():
        (folder / name).write_bytes(fetch(path))
    return folder


def read_answers(paths: list[str]) -> dict[str, bytes]:
    """Return answers without the moments of this database."""
    return {path: _MOMENTS.sub(b"", fetch(path)) for path in paths}


def read_uids(calendar: bytes) -> dict[str, str]:
    """Return the UIDs in a calendar by the addresses of their occasions."""
    unfolded = calendar.decode().replace("\r\n ", "")
    events = unfolded.split("BEGIN:VEVENT")[1:]
    return {re.search(r"\r\nURL:(\S+)", each)[1]: re.search(r"\r\nUID:(.+)\r", each)[1] for each in events}


def empty() -> None:
    """Take the programme away with all memory of it, as in a new installation."""
    clear()
    for model in (ImportedRow, GoneOccasion, Day):
        model.objects.all().delete()
    models = [model for model in apps.get_app_config("programme").get_models() if model._meta.auto_field]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name LIKE 'programme_%'")
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
