"""Renew the programme in a thread of each process, so that no reader waits for an edit.

The thread is notified of an edit, loads the new programme and writes the most frequent responses. Readers get
it from `SWITCH_DELAY` after the commit on, so all processes of all machines begin at the same instant without
coordination. A late process begins when it has loaded the programme.
"""

import gc
import logging
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from threading import Event

from django.conf import settings
from django.db import Error

from feeds.news import NEVER
from feeds.programme import Programme
from festival import clock, threads
from festival.metrics import LOADS
from programme.publishing import loading
from programme.publishing.current import RETRY_INTERVAL, current
from programme.publishing.serving_snapshot import ServedProgramme
from programme.publishing.watching import open_watcher

logger = logging.getLogger(__name__)

# Seconds between two queries of the revision, also without notifications, to notice an outage.
CHECK_INTERVAL = 1.0
# Seconds for writing the most frequent responses of a new programme.
WARM_UP_TIME = 0.02
# Seconds between two checks whether a new programme has begun.
LOOK_INTERVAL = 0.01
# Seconds that a process waits for its first programme before it accepts requests.
START_TIMEOUT = 30.0
# The switch interval of threads in seconds: longer than most requests, shorter than a renewal.
TURN = 0.001
MICROSECOND = timedelta(microseconds=1)

# Writes the most frequent responses, until an instant in monotonic seconds.
WarmUp = Callable[[float], None]


def start(warm_up: WarmUp) -> None:
    """Start the thread, and wait until the process has a programme."""
    sys.setswitchinterval(TURN)
    renewal = Renewal(warm_up)
    threads.start("renewal", renewal.run)
    renewal.has_tried.wait(START_TIMEOUT)


class Renewal:
    """Brings this process's programme to each revision of the database."""

    def __init__(self, warm_up: WarmUp) -> None:
        self._warm_up = warm_up
        # Set when it has loaded the programme or failed.
        self.has_tried = Event()
        # When (monotonic seconds) the newest programme begins, independent of the clock.
        self._begun_at = 0.0

    def run(self, stop: Event) -> None:
        """Renew until `stop` is set."""
        while not stop.is_set():
            try:
                # `current` logs an outage.
                if self._renew():
                    self._watch(stop)
            except Error:
                # Of the watcher's own connection.
                pass
            except Exception:
                logger.exception("The programme could not be renewed")
            stop.wait(RETRY_INTERVAL)

    def _watch(self, stop: Event) -> None:
        """Renew after each possible edit, until the database does not respond."""
        with open_watcher() as watcher:
            # At once, because earlier edits were not notified.
            renew_at = time.monotonic()
            while not stop.is_set():
                if time.monotonic() >= renew_at:
                    if not self._renew():
                        return
                    renew_at = time.monotonic() + CHECK_INTERVAL
                pause = max(0.0, renew_at - time.monotonic())
                if watcher.wait(min(pause, LOOK_INTERVAL) if len(current.revisions) > 1 else pause):
                    renew_at = time.monotonic()
                if len(current.revisions) > 1:
                    # By monotonic time, in case a clock was set back.
                    current.forget_former(NEVER if time.monotonic() > self._begun_at else clock.now())

    def _renew(self) -> bool:
        """Renew; return whether the database answered."""
        before = current.revisions
        if not before:
            return self._load_first()
        has_answered = current.renew(self._schedule)
        if current.revisions != before:
            LOADS.inc()
            with current.writing_ahead():
                self._warm_up(time.monotonic() + WARM_UP_TIME)
        return has_answered

    def _load_first(self) -> bool:
        """Load the first programme; return whether the database answered."""
        # Nothing of it is garbage, and collections take a third of the time of reading a copy on disk.
        gc.disable()
        try:
            has_answered = current.renew(self._schedule)
        finally:
            gc.enable()
            self.has_tried.set()
        if current.programme:
            LOADS.inc()
            loading.prepare(current.programme)
            # Excludes it from later collections, too.
            gc.freeze()
        return has_answered

    def _schedule(self, programme: Programme) -> ServedProgramme:
        now, delay = clock.now(), timedelta(seconds=settings.SWITCH_DELAY)
        self._begun_at = time.monotonic() + settings.SWITCH_DELAY
        # The database's clock may be ahead of ours.
        edited_at = min(programme.revision.moved_at, now)
        return ServedProgramme(programme, max(now + MICROSECOND, edited_at + delay))
