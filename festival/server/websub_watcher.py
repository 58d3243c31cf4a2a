"""Watch the programme for edits and notify the WebSub hub, from one process of a machine at a time."""

import logging
from fcntl import LOCK_EX, flock
from threading import Event

from django.conf import settings

from festival import clock
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.websub import Hub, HubNotifier

logger = logging.getLogger(__name__)

# Seconds between checks of the revision, and after a fault of ours.
POLL_INTERVAL, FAULT_INTERVAL = 1.0, 60.0


def watch(stop: Event) -> None:
    """Notify the hub of edits until `stop` is set, once the process that does so has ended."""
    with (settings.DATA_DIR / "websub.lock").open("a") as lock:
        flock(lock, LOCK_EX)
        notifier = HubNotifier(Hub(settings.WEBSUB_HUB), settings.DATA_DIR / "websub.kept")
        while not stop.is_set():
            pause = POLL_INTERVAL
            try:
                instant = clock.now()
                notifier.update(current.at(instant).programme, instant)
            except DatabaseUnavailable:
                pass  # logged by `current`
            except Exception:
                logger.exception("The WebSub hub could not be notified")
                pause = FAULT_INTERVAL
            stop.wait(pause)
