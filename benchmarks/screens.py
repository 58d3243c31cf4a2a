"""What the service takes for each screen of the back office, in this process."""

import gc
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from benchmarks.figures import Figures
from benchmarks.programme import FIRST_DAY, NOW
from benchmarks.timing import medians, milliseconds
from festival import clock
from festival.server.server_options import GARBAGE_THRESHOLDS
from programme.history import edits
from programme.models import Edit, Event, Occasion

ROUNDS = 3
# How many occasions a storm moves, and how many events are in a large batch.
STORM, BATCH = 600, 1600


class Screen(NamedTuple):
    """An address below /admin/, and what is sent to it, if anything."""

    path: str
    sent: dict[str, Any] | None = None

    def __str__(self) -> str:
        return self.path if self.sent is None else f"{self.path} (POST)"

    def open(self, client: Client) -> Any:
        if self.sent is None:
            return client.get(f"/admin/{self.path}", follow=True)
        return client.post(f"/admin/{self.path}", self.sent)


def screens(*paths: str) -> Figures:
    """Each screen below /admin/, as a superuser: ms after an edit and again, statements and bytes.

    Other screens and databases can be measured too: `python -m benchmarks.steps screens problems/`.
    """
    # Amid the programme: what is over is no problem any more.
    clock.now = lambda: NOW
    client = sign_in()
    # As the back office's process does.
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    every = map(Screen, paths) if paths else find_screens()
    return {str(screen): _measure(partial(screen.open, client)) for screen in every}


def sign_in() -> Client:
    """Return a client signed in as the benchmark's own administrator, who is created if missing."""
    user, _created = User.objects.get_or_create(username="benchmark", is_superuser=True, is_staff=True)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


def find_screens() -> list[Screen]:
    """Return the screens that an office works in; a day of the generated programme is a full one."""
    event = Event.objects.filter(occasions__isnull=False).earliest("pk")
    occasion, day, batch = Occasion.objects.earliest("pk"), FIRST_DAY, _write_batch()
    paths = [
        "",
        "programme/event/",
        "programme/event/?_facets=True",
        "programme/event/?q=torget",
        "programme/event/add/",
        f"programme/event/{event.pk}/change/",
        f"programme/event/{event.pk}/history/",
        f"programme/event/{event.pk}/preview/",
        f"programme/event/{event.pk}/delete/",
        "programme/occasion/",
        "programme/occasion/?_facets=True",
        f"programme/occasion/{occasion.pk}/change/",
        "programme/area/",
        "programme/organizer/",
        "programme/location/",
        "problems/",
        "changes/",
        f"changes/{batch}/",
        f"changes/{batch}/undo/",
        "change-many/",
        f"change-many/?day={day}",
        f"timetable/{day}/",
        "import/",
        "programme/event/export/",
    ]
    storm = [*Occasion.objects.order_by("start", "end", "id").values_list("pk", flat=True)[:STORM]]
    return [*map(Screen, paths), Screen("change-many/", {"occasion": storm, "shift": "+2 h", "show": "1"})]


def _write_batch() -> int:
    """Edit many events at once; return the edit."""
    with edits.record():
        Event.objects.filter(pk__lte=BATCH).update(price="100 kr")
    return Edit.objects.latest("pk").pk


_numbers = count()


def _edit() -> None:
    with edits.record():
        Event.objects.filter(pk=Event.objects.earliest("pk").pk).update(title=f"Title {next(_numbers)}")


def _measure(open_screen: Callable[[], Any]) -> Figures:
    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        response = open_screen()

    def after_an_edit() -> float:
        _edit()
        return milliseconds(open_screen)

    measures = {"edited": after_an_edit, "ms": lambda: milliseconds(open_screen)}
    taken = medians(measures, rounds=ROUNDS)
    return {
        **taken,
        "status": response.status_code,
        "statements": len(statements),
        "bytes": len(response.content),
    }
