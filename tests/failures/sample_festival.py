"""The festival of these tests, which a process of the service writes into an empty database.

**Torget** has three occasions, **Redaktionen** one event for each editor, and **Stora scenen** many events.
"""

import json
import sys
from datetime import UTC, datetime, timedelta

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from programme.models import Area, Event, EventType, Festival, Occasion, Status

# 14:00 in Stockholm, on a day after any on which the tests run.
START = datetime(2099, 7, 29, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
EDITORS, EVENTS = 6, 200


def create_festival() -> None:
    """Create tables and programme, and write the data of the editors to stdout as JSON.

    For each editor: `session` is a cookie's value, `event` is an ID.
    """
    call_command("migrate", verbosity=0, interactive=False)
    Festival.objects.create(name_sv="Provfestivalen")
    names = "Torget", "Redaktionen", "Stora scenen"
    torget, redaktionen, scenen = (Area.objects.create(name=name) for name in names)
    for hours, title in ((0, "Klockan"), (4, "Middag"), (20, "Frukost")):
        _create_event(title, torget, START + hours * HOUR)
    for number in range(EVENTS):
        _create_event(f"Punkt {number}", scenen, START + number * HOUR / 12)
    json.dump([_create_editor(number, redaktionen) for number in range(EDITORS)], sys.stdout)


def _create_event(title: str, area: Area, start: datetime) -> Event:
    event = Event.objects.create(title=title, area=area, type=EventType.other(), status=Status.PUBLISHED)
    Occasion.objects.create(event=event, start=start, end=start + HOUR)
    return event


def _create_editor(number: int, area: Area) -> dict[str, object]:
    event = _create_event(format_title(number, 0), area, START - HOUR)
    browser = Client()
    browser.force_login(User.objects.create_superuser(f"editor{number}"))
    return {"session": browser.cookies["sessionid"].value, "event": event.pk}


def format_title(number: int, edit: int) -> str:
    """Return the title that an editor gives the event in an edit."""
    return f"Redaktör {number} ändring {edit}"


def format_end(edit: int) -> str:
    """Return the clock time at which the editor's occasion ends after that edit."""
    return f"14:{edit % 60:02}"
