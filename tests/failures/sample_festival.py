"""The festival of these tests, which a process of the service writes into an empty database.

It takes place on 29 and 30 July 2099, after any day on which the tests run: the service's clock is ahead of
the database's, so no edit is in its future.

Areas
    **Torget** has **Klockan** from 14:00 to 15:00 and **Middag** from 18:00 to 19:00, and on the next
    day **Frukost**. **Redaktionen** has one event for each editor. **Stora scenen** has a schedule
    (`tests/failures/schedules.py`) in its version 0.
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from programme.models import Area, Event, EventType, Festival, Occasion, Status
from tests.failures import schedules

DAY = "2099-07-29"
# 14:00 in Stockholm.
START = datetime(2099, 7, 29, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY_ENDS = START + 10 * HOUR

EDITORS = 20
PASSWORD = "festival"  # of the first editor; the others are logged in already
EVENTS = 200


def create_festival() -> None:
    """Create tables and programme, and write the data of the editors to stdout as JSON.

    For each editor: `session` is a cookie's value, `event` and `occasion` are IDs.
    """
    call_command("migrate", verbosity=0, interactive=False)
    Festival.objects.create(name_sv="Provfestivalen")
    _torget()
    with TemporaryDirectory() as directory:
        file = schedules.write_schedule(Path(directory) / "schedule.xml", DAY, EVENTS, version=0)
        call_command("import", file, verbosity=0)
    json.dump([_editor(number) for number in range(EDITORS)], sys.stdout)


def _torget() -> None:
    area = Area.objects.create(name="Torget")
    for title, start in (("Klockan", START), ("Middag", START + 4 * HOUR), ("Frukost", START + 20 * HOUR)):
        event = _event(title, area)
        Occasion.objects.create(event=event, start=start, end=start + HOUR)


def _event(title: str, area: Area) -> Event:
    return Event.objects.create(title=title, area=area, type=EventType.other(), status=Status.PUBLISHED)


def _editor(number: int) -> dict[str, object]:
    area, _ = Area.objects.get_or_create(name="Redaktionen")
    event = _event(editors_title(number, 0), area)
    occasion = Occasion.objects.create(event=event, start=START - HOUR, end=START)
    user = User.objects.create_superuser(f"editor{number}", password=PASSWORD if number == 0 else None)
    browser = Client()
    browser.force_login(user)
    session = browser.cookies["sessionid"].value
    return {"session": session, "event": event.pk, "occasion": occasion.pk}


# --- What readers are told of it ----------------------------------------------------------------


def editors_title(number: int, edit: int) -> str:
    """Return the title that an editor gives the event in an edit."""
    return f"Redaktör {number} ändring {edit}"


def editors_end(edit: int) -> str:
    """Return the clock time at which the editor's occasion ends after that edit."""
    return f"14:{edit % 60:02}"
