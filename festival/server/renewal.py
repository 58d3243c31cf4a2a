"""Renew the programme in a thread of each process, so that no reader waits for an edit.

The thread learns of an edit, loads the new programme and lets it write what is asked for most. Then it tells
the other processes for readers; once all have got so far, readers get it, from the same instant on.
"""

import gc
import logging
import math
import time
from collections.abc import Callable
from datetime import timedelta
from threading import Event, Thread

from django.conf import settings
from django.db import Error

from feeds.programme import Programme
from festival import clock
from festival.server.agreement import Agreement
from programme.publishing import loading
from programme.publishing.current import RETRY_INTERVAL, current
from programme.publishing.served_programmes import ServedProgramme
from programme.publishing.serving_snapshot import NEVER
from programme.publishing.watching import open_watcher

logger = logging.getLogger(__name__)

# Seconds between two questions for the revision, notified or not: whether the database still answers.
CHECK_INTERVAL = 1.0
# Seconds that a new programme has for writing what is asked for most.
WARM_UP_TIME = 0.02
# Seconds between two looks whether a new programme has begun, and for how many after an edit one waits for
# other processes; for as long as loading took, if that is longer.
LOOK_INTERVAL, LONGEST_WAIT = 0.01, 0.8
# Seconds that a process waits for its first programme before it answers readers.
START_TIMEOUT = 30.0

# Writes what is asked for most, until so many monotonic seconds.
WarmUp = Callable[[float], None]


def start(warm_up: WarmUp) -> None:
    """Start the thread of a process that serves readers, and wait until it has a programme."""
    renewal = Renewal(warm_up, _join())
    _start(renewal)
    renewal.has_tried.wait(START_TIMEOUT)


def _join() -> Agreement | None:
    """Return this process's part in the agreement; None where the disk is full or read-only."""
    try:
        return Agreement(settings.DATA_DIR / "renewal.lock")
    except OSError as error:
        logger.warning("This process shows edits without waiting for the others: %s", error)
        return None


def start_without_readers() -> None:
    """Start the thread of a process that only keeps the copy on disk."""
    _start(Renewal())


def _start(renewal: "Renewal") -> None:
    Thread(target=renewal.run, args=(Event(),), name="renewal", daemon=True).start()


class Renewal:
    """Brings this process's programme to each revision of the database."""

    def __init__(self, warm_up: WarmUp | None = None, agreement: Agreement | None = None) -> None:
        self._warm_up = warm_up
        self._agreement = agreement
        # Set when it has loaded the programme, or could not.
        self.has_tried = Event()
        # When (monotonic seconds) it was notified of the first edit that it has not read, and of the one for
        # which it renews the programme; since when it does, and until when it waits for one to begin.
        self._notified_at = math.inf
        self._edited_at = self._began = self._waits_until = 0.0

    def run(self, stop: Event) -> None:
        """Renew until `stop` is set."""
        while not stop.is_set():
            try:
                # It reports an outage.
                if self._renew():
                    self._watch(stop)
            except Error:
                # Of the watcher's own connection.
                pass
            except Exception:
                logger.exception("The programme could not be renewed")
            stop.wait(RETRY_INTERVAL)

    def _watch(self, stop: Event) -> None:
        """Renew whenever there may have been an edit, until the database does not answer."""
        with open_watcher() as watcher:
            # Of what was edited before the watcher listened there was no notification.
            self._notified_at, check_at = time.monotonic(), math.inf
            while not stop.is_set():
                if time.monotonic() >= self._find_time(min(self._notified_at, check_at)):
                    if not self._renew():
                        return
                    check_at = time.monotonic() + CHECK_INTERVAL
                if watcher.wait(self._find_pause(check_at)):
                    self._notified_at = min(self._notified_at, time.monotonic())
                self._forget_former()

    def _find_time(self, asked_at: float) -> float:
        """Return when to renew: not while a programme waits, unless another process has missed it.

        So edits that come faster than they begin are loaded together, and by all processes at one moment.
        """
        if len(current.revisions) == 1 or self._agreement is None:
            return asked_at
        retry_at = self._agreement.find_retry(current.revisions)
        return math.inf if retry_at is None else retry_at

    def _find_pause(self, check_at: float) -> float:
        pause = max(0.0, self._find_time(check_at) - time.monotonic())
        return min(pause, LOOK_INTERVAL) if len(current.revisions) > 1 else pause

    def _renew(self) -> bool:
        """Renew; return whether the database answered."""
        before, self._began = current.revisions, time.monotonic()
        self._edited_at, self._notified_at = min(self._notified_at, self._began), math.inf
        if not before:
            return self._load_first()
        has_answered = current.renew(self._schedule)
        if self._warm_up and current.revisions != before:
            with current.writing_ahead():
                self._warm_up(time.monotonic() + WARM_UP_TIME)
        self._publish(has_answered)
        return has_answered

    def _load_first(self) -> bool:
        """Load the first programme; return whether the database answered.

        Formats are prepared once readers get it.
        """
        # Nothing of it is garbage: looking for some takes a third of the time of reading a copy on disk.
        gc.disable()
        try:
            has_answered = current.renew(self._schedule)
        finally:
            gc.enable()
            self.has_tried.set()
        self._publish(has_answered)
        if current.programme:
            if self._warm_up:
                loading.prepare(current.programme)
            # Nor later, while readers or editors wait.
            gc.freeze()
        return has_answered

    def _publish(self, has_answered: bool) -> None:
        if self._agreement and has_answered:
            self._agreement.publish(current.revisions, clock.now)

    def _schedule(self, programme: Programme) -> ServedProgramme:
        agreement, revision = self._agreement, programme.revision
        if agreement is None:
            return ServedProgramme(programme)
        now = time.monotonic()
        if len(current.revisions) == 1:
            # What takes the place of a programme that others have missed waits no longer than that.
            self._waits_until = max(self._edited_at + LONGEST_WAIT, now + now - self._began)
        latest = clock.now() + timedelta(seconds=self._waits_until - now)
        return ServedProgramme(programme, latest, lambda: agreement.find(revision))

    def _forget_former(self) -> None:
        """Forget the programme that was replaced, once the next has begun, even if a clock was set back."""
        if len(current.revisions) > 1:
            is_over = time.monotonic() >= self._waits_until
            current.forget_former(NEVER if is_over else clock.now())
