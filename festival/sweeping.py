"""Daily deletion of obsolete data."""

import logging
from collections.abc import Callable
from datetime import datetime
from threading import Event

from django.contrib.sessions.models import Session
from django.db import Error, connection

from festival import clock
from festival.accounts.log import sweep_attempts, sweep_log
from pages.starred.models import sweep_lists
from programme.backoffice.imports.uploads import sweep_uploads
from programme.backoffice.pictures import sweep_images
from programme.backoffice.suggestions.links import sweep_links
from programme.history.news import sweep_news
from programme.publishing.followers import store_address
from programme.triggers.changes import delete_obsolete

logger = logging.getLogger(__name__)

# Seconds until a process sweeps after its start, after a success, and after a failure.
START, DAY, RETRY = 60.0, 86_400.0, 600.0


def watch(stop: Event) -> None:
    """Sweep soon after the start and then daily, until `stop` is set; also store the followers' address."""
    pause = START
    while not stop.wait(pause):
        pause = DAY
        try:
            sweep(clock.now())
            store_address()
        except (Error, OSError) as error:
            pause = RETRY
            logger.warning("Nothing was swept (%s); it is tried again", str(error).partition("\n")[0])
        finally:
            connection.close()


def sweep(instant: datetime) -> dict[str, int]:
    """Carry out all tasks; return the number of deletions of each."""
    return {name: task(instant) for name, task in TASKS.items()}


TASKS: dict[str, Callable[[datetime], int]] = {
    "sessions": lambda instant: Session.objects.filter(expire_date__lt=instant).delete()[0],
    "uploads": sweep_uploads,
    "images": sweep_images,
    "lines of the log": sweep_log,
    "counted attempts": sweep_attempts,
    "lists of stars": sweep_lists,
    "links of organizers": sweep_links,
    "news": sweep_news,
    # Of deleted events; processes with an older programme then reload everything.
    "logged changes": lambda _instant: delete_obsolete(),
}
