"""The programme and the snapshot from which this process answers its readers."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Condition, Lock, RLock, get_ident
from typing import NamedTuple

from django.conf import settings
from django.db import Error

from feeds.programme import Programme
from feeds.vocabulary import Revision
from programme.publishing import disk_cache, loading
from programme.publishing.outage import Outage, disconnect
from programme.publishing.served_programmes import ServedProgramme, ServedProgrammes
from programme.publishing.serving_snapshot import ServingSnapshot

# In seconds: how often an unavailable database is tried again.
RETRY_INTERVAL = 0.5
# For how many seconds a reader who has a programme waits for another one's query of the revision, and one
# who has edited it for this process to have the edit.
LOCK_TIMEOUT = CATCH_UP_TIMEOUT = 3.0
# An error that took longer, in seconds, does not come from a connection that a restarted server has dropped.
DEAD_CONNECTION_TIMEOUT = 1.0
# For how many seconds the renewing thread's word is taken: it asks every second, and some loads take long.
THREAD_TRUST, LOADING_TRUST = 5.0, 60.0

# Says from which instant on readers get a programme that was loaded.
Schedule = Callable[[Programme], ServedProgramme]


class DatabaseUnavailable(Exception):  # noqa: N818 - a state of affairs, answered with 503
    """The database does not answer, and there is no programme in memory or on disk."""


class RevisionTrust(NamedTuple):
    """Until when (monotonic seconds) the revision is trusted, unless it was invalidated since."""

    generation: object
    until: float


class Current:
    """The programme and snapshot of one process, renewed when the revision or the clock moves.

    Under `serve` a thread renews the programme (festival/server/renewal.py), and no reader asks the database.
    A new programme then begins at an instant, like what the clock changes: each request gets the programme
    of its own instant. Elsewhere readers ask for the revision, and get what they load at once.

    `loads` counts how often it has loaded the programme.
    """

    def __init__(self) -> None:
        self.loads = 0
        self._query_lock = RLock()
        self._snapshot_lock = Lock()
        self._renewed = Condition()
        self._generation = object()
        self._reset()

    def _reset(self) -> None:
        self._served = ServedProgrammes()
        self._trust = RevisionTrust(self._generation, 0.0)
        self._has_thread = False
        self._thread_ahead: int | None = None
        self._outage = Outage()
        # Since when (monotonic seconds) somebody has been asking the database.
        self._asking_since = math.inf
        # When the oldest edit was made that this process knows of and does not show; None: it shows all.
        self.unshown_since: datetime | None = None

    @property
    def programme(self) -> Programme | None:
        """The newest programme, which readers may not get yet."""
        newest = self._served.newest
        return newest.programme if newest else None

    @property
    def latest(self) -> ServingSnapshot | None:
        """The snapshot that readers were last answered from, which may be outdated."""
        return next((each.snapshot for each in self._served if each.snapshot), None)

    @property
    def _is_offline(self) -> bool:
        return self._outage.since is not None

    @property
    def offline_since(self) -> float | None:
        """Since when (monotonic seconds) the database has not answered; None if it does."""
        return self._outage.since

    # --- For readers --------------------------------------------------------------------------

    def at(self, instant: datetime) -> ServingSnapshot:
        """Return the snapshot of an instant.

        Threads that find it outdated at the same moment share one new snapshot. Raises `DatabaseUnavailable`
        if there is no programme at all.
        """
        if not self._is_trusted():
            self._check_revision()
        served = self._find_served(instant)
        if served is None:
            raise DatabaseUnavailable(self._outage.reason)
        snapshot = served.find(instant)
        if snapshot is None:
            with self._snapshot_lock:
                snapshot = served.find(instant) or served.renew(instant)
        return snapshot

    def peek(self, instant: datetime) -> ServingSnapshot | None:
        """Return the snapshot if neither a query nor a new snapshot is needed for it."""
        served = self._find_served(instant) if self._is_trusted() else None
        return served.find(instant) if served else None

    def catch_up(self, number: int, instant: datetime) -> datetime:
        """Return an instant, not before the given one, at which readers of this process get a revision.

        It waits for the thread to load it, but not for the instant at which all others get it.
        """
        if self._has_thread:
            with self._renewed:
                self._renewed.wait_for(
                    lambda: self._is_offline or self._served.have(number), CATCH_UP_TIMEOUT
                )
        elif not self._served.have(number):
            self.invalidate()
        newest = self._served.newest
        return max(instant, newest.begins) if newest else instant

    def invalidate(self) -> None:
        """Make the next reader query the revision.

        A query that is running may have read the state before, so its result is not trusted either.
        """
        self._generation = object()

    def clear(self) -> None:
        with self._query_lock:
            self._reset()
            self.invalidate()

    # --- For the thread -----------------------------------------------------------------------

    def renew(self, schedule: Schedule) -> bool:
        """Bring the programme to the database's revision; return whether the database answered.

        From the first time on, readers leave asking to the thread, unless it has not been heard of for long.
        """
        self._has_thread = True
        with self._asking():
            try:
                return self._renew_or_fall_back(schedule)
            finally:
                # Whatever has gone wrong, asking is left to the thread.
                self._trust_for(THREAD_TRUST)
                with self._renewed:
                    self._renewed.notify_all()

    @property
    def revisions(self) -> list[Revision]:
        """Those of the programmes that readers get now and soon, in this order."""
        return [each.programme.revision for each in self._served]

    @contextmanager
    def writing_ahead(self) -> Iterator[None]:
        """Answer this thread's requests from the newest programme, before it begins."""
        self._thread_ahead = get_ident()
        try:
            yield
        finally:
            self._thread_ahead = None

    def forget_former(self, instant: datetime) -> None:
        """Forget the programmes that readers do not get any more at an instant."""
        with self._query_lock:
            self._served = self._served.since(instant)
            if len(self._served) == 1:
                self.unshown_since = None

    # ------------------------------------------------------------------------------------------

    def _find_served(self, instant: datetime) -> ServedProgramme | None:
        served = self._served
        return served.newest if self._thread_ahead == get_ident() else served.at(instant)

    def _is_trusted(self) -> bool:
        generation, until = self._trust
        return generation is self._generation and time.monotonic() < until

    def _trust_for(self, seconds: float) -> None:
        self._trust = RevisionTrust(self._generation, time.monotonic() + seconds)

    def _check_revision(self) -> None:
        """Bring the programme to the database's revision.

        While the database is unavailable one reader waits for it, and the others are answered from memory.
        """
        with self._asking(self._lock_timeout()) as is_asking:
            if not is_asking:
                self._notice_silence()
            elif not self._is_trusted():
                generation, began = self._generation, time.monotonic()
                if self._renew_or_fall_back(ServedProgramme):
                    until = began + settings.REVISION_TRUST_MS / 1000
                else:
                    until = time.monotonic() + RETRY_INTERVAL
                self._trust = RevisionTrust(generation, until)

    @contextmanager
    def _asking(self, timeout: float = -1) -> Iterator[bool]:
        """Ask the database alone; yield False if others have asked it for longer than the timeout."""
        if not self._query_lock.acquire(timeout=timeout):
            yield False
            return
        self._asking_since = time.monotonic()
        try:
            yield True
        finally:
            self._asking_since = math.inf
            self._query_lock.release()

    def _notice_silence(self) -> None:
        """Count the database as unavailable if whoever asks it has waited for long.

        On a busy machine, readers meet somebody who has only just begun.
        """
        if time.monotonic() - self._asking_since >= LOCK_TIMEOUT:
            self._outage.begin(f"no reply for {LOCK_TIMEOUT:g} seconds", self.programme)

    def _lock_timeout(self) -> float:
        """Return for how many seconds to wait for another reader's query; -1 is for ever."""
        if self.programme is None:
            return -1
        return 0 if self._is_offline or self._has_thread else LOCK_TIMEOUT

    def _renew_or_fall_back(self, schedule: Schedule) -> bool:
        """Renew the programme if it is outdated; return whether the database answered."""
        try:
            self._renew_with_retry(schedule)
        except Error as error:
            self._fall_back(error)
            return False
        self._outage.end()
        return True

    def _renew_with_retry(self, schedule: Schedule) -> None:
        """Renew; replace a connection that a restarted server has dropped."""
        if self._is_offline:
            # Every thread has such a connection: do not try any of them.
            disconnect()
            self._renew(schedule)
            return
        began = time.monotonic()
        try:
            self._renew(schedule)
        except Error:
            if time.monotonic() - began >= DEAD_CONNECTION_TIMEOUT or not disconnect():
                raise
            self._renew(schedule)

    def _renew(self, schedule: Schedule) -> None:
        before = self.programme
        if before:
            revision = loading.fetch_revision()
            if before.revision == revision:
                return
            self.unshown_since = self.unshown_since or revision.moved_at
        if self._has_thread:
            self._trust_for(LOADING_TRUST)
        programme = loading.load(before)
        self.loads += 1
        self._serve(schedule(programme) if before else ServedProgramme(programme))

    def _serve(self, served: ServedProgramme) -> None:
        self._served = self._served.followed_by(served)
        if len(self._served) == 1:
            self.unshown_since = None
        # A process for readers leaves this to the one for editors, if there is one.
        if not settings.READERS_ONLY:
            disk_cache.writer.write_soon(served.programme)

    def _fall_back(self, error: Error) -> None:
        disconnect()
        if self.programme is None and self._outage.is_due and (stored := disk_cache.load()):
            self._served = ServedProgrammes([ServedProgramme(stored)])
        self._outage.begin(str(error).strip().partition("\n")[0], self.programme)


current = Current()
