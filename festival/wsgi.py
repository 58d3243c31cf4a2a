"""The WSGI entry points that application servers load."""

import gc
import sys

if "django" not in sys.modules:
    # A worker inherits modules that the main process loaded for its log, perhaps of a former version.
    for _name in [name for name in sys.modules if name.partition(".")[0] == "festival" and name != __name__]:
        del sys.modules[_name]

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from typing import Any

from django.core.wsgi import get_wsgi_application

from festival.configuration import environment

# Each worker reads the file when it starts, and so again at each reload.
environment.load()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]

_django: Application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - these need the settings

from festival import clock, sweeping, threads  # noqa: E402
from festival.accounts.access import BackOfficeBackend  # noqa: E402
from festival.http.replay_cache import ReplayCache  # noqa: E402
from festival.server import renewal  # noqa: E402
from festival.server.server_options import GARBAGE_THRESHOLDS  # noqa: E402
from programme.backoffice import schedule  # noqa: E402
from programme.publishing.current import DatabaseUnavailable, current  # noqa: E402

application = ReplayCache(_django)
watch_schedule = partial(schedule.watch, now=clock.now, find_user=BackOfficeBackend().get_user)


def start_worker() -> Application:
    """Return the application for a worker of `serve`, once it has the programme, and start its threads."""
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    renewal.start(application.warm_up)
    if not settings.READERS_ONLY:
        threads.start("sweeping", sweeping.watch)
        start_schedule()
    return application


@cache
def start_schedule() -> None:
    threads.start("schedule", watch_schedule)


def development(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Respond under `runserver`, where no thread loads the programme, whose name the back office shows."""
    start_schedule()
    if environ["PATH_INFO"].startswith("/admin/"):
        with suppress(DatabaseUnavailable):
            current.at(clock.now())
    return application(environ, start_response)
