"""Watch the programme for edits and notify the WebSub hub, from one process of a machine at a time."""

import logging
from threading import Event

from django.conf import settings

from festival import clock
from festival.threads import try_lock
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.websub import Hub, HubNotifier

logger = logging.getLogger(__name__)

# Seconds between checks of the revision, and between attempts to become the watching process.
POLL_INTERVAL, LOCK_INTERVAL = 1.0, 5.0


def watch(stop: Event) -> None:
    """Notify the hub of edits until `stop` is set, after another process that does so has ended."""
    while not stop.is_set():
        try:
            with try_lock(settings.DATA_DIR / "websub.lock") as is_locked:
                if is_locked:
                    _notify_of_edits(stop)
        except OSError as error:
            logger.warning("The WebSub hub is not notified (%s); it is tried again", error)
        stop.wait(LOCK_INTERVAL)


def _notify_of_edits(stop: Event) -> None:
    notifier = HubNotifier(Hub(settings.WEBSUB_HUB), settings.DATA_DIR / "websub.kept")
    while not stop.is_set():
        try:
            notifier.update(current.at(clock.now()).programme)
        except DatabaseUnavailable:
            pass  # logged by `current`
        except Exception:
            logger.exception("The WebSub hub could not be notified")
            return
        stop.wait(POLL_INTERVAL)
