"""The current programme and snapshot of this process."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Condition, Lock, RLock, get_ident
from typing import TypeVar

from django.conf import settings
from django.db import Error, OperationalError, connection

from feeds.editions import Edition
from feeds.programme import Programme
from feeds.vocabulary import BEFORE_ALL, Revision
from programme.publishing import disk_cache, loading, other_editions
from programme.publishing.other_editions import OtherEditions
from programme.publishing.serving_snapshot import ServedProgramme, ServingSnapshot

logger = logging.getLogger(__name__)

# Seconds between two log messages about an unavailable database.
LOG_INTERVAL = 60.0
# Seconds between two attempts to reach an unavailable database; that an editor waits until this process has
# loaded an edit; and after which a database that does not return its revision counts as unavailable.
RETRY_INTERVAL, CATCH_UP_TIMEOUT, PATIENCE = 0.5, 3.0, 5.0

# Returns a loaded programme with the instant at which readers get it.
ScheduleProgramme = Callable[[Programme], ServedProgramme]
Read = TypeVar("Read")


class DatabaseUnavailable(Exception):  # noqa: N818 - a state of affairs, answered with 503
    """The database does not answer, and there is no programme in memory or on disk."""


class UnknownEdition(LookupError):  # noqa: N818 - of the request, answered with 400
    """There is no edition with this slug; `known` are the existing ones."""

    def __init__(self, slug: str, known: list[str]) -> None:
        super().__init__(slug)
        self.slug = slug
        self.known = known


class Outage:
    """The state of the database: unavailable or not. Logs outages, at most once a minute.

    `since` is in monotonic seconds, None while the database answers; `reason` is the latest.
    """

    def __init__(self) -> None:
        self.since: float | None = None
        self.reason = ""
        self._quiet_until = 0.0
        self._is_logged = False

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._quiet_until

    def begin(self, reason: str, programme: Programme | None) -> None:
        """Record that the database has not answered; log which programme readers get."""
        self.since = self.since or time.monotonic()
        self.reason = reason
        if not self.is_due:
            return
        self._quiet_until = time.monotonic() + LOG_INTERVAL
        self._is_logged = True
        source = "there is no programme to answer from"
        if programme:
            source = f"readers get the programme of {programme.revision.moved_at:%Y-%m-%d %H:%M:%S %Z}"
        logger.error("The database does not answer (%s); %s.", reason, source)

    def end(self) -> None:
        """Record that the database has answered."""
        self.since = None
        if self._is_logged:
            self._is_logged = False
            logger.warning("The database answers again.")


class Current:
    """The programme and snapshot of one process, renewed when the revision or the clock moves.

    Under `serve` a thread renews the programme (festival/server/renewal.py), and no request queries the
    database. A new programme begins at an instant, and each request gets the programme of its own instant.
    Elsewhere each request queries the revision and gets a new programme at once.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._snapshot_lock = Lock()
        self._renewed = Condition()
        self._reset()

    def _reset(self) -> None:
        # In the order of their begins; mostly one.
        self._served: tuple[ServedProgramme, ...] = ()
        self._others = OtherEditions()
        self._has_thread = False
        self._thread_ahead: int | None = None
        self._outage = Outage()
        # The begin (monotonic seconds) of a query for the revision that has not returned.
        self._asked_since: float | None = None

    @property
    def programme(self) -> Programme | None:
        """The newest programme, which readers may not get yet."""
        return self._served[-1].programme if self._served else None

    @property
    def offline_since(self) -> float | None:
        """The begin (monotonic seconds) of an outage, None if the database answers."""
        asked = self._asked_since
        is_silent = asked is not None and time.monotonic() - asked >= PATIENCE
        return self._outage.since or (asked if is_silent else None)

    # --- For readers --------------------------------------------------------------------------

    def at(self, instant: datetime, edition: str = "") -> ServingSnapshot:
        """Return the snapshot of an instant, of the current edition or the one with a slug.

        Threads that need a new snapshot at the same time share it. Raise `DatabaseUnavailable` if there is no
        programme at all, `UnknownEdition` if there is no such edition.
        """
        present = self._at(instant)
        if not edition:
            return present
        found = next((each for each in present.programme.editions if each.slug == edition), None)
        if found is None:
            raise UnknownEdition(edition, [each.slug for each in present.programme.editions])
        return self._of_edition(found, present, instant)

    def holding(self, occasion_id: int, instant: datetime) -> ServingSnapshot:
        """Return the snapshot of the edition with an occasion, else of the current edition."""
        present = self._at(instant)
        programme = present.programme
        if not programme.editions or occasion_id in programme.by_id or occasion_id in programme.gone:
            return present
        found = self._others.find_holder(occasion_id) if self._away else None
        if found is None:
            start = self.ask(lambda: other_editions.find_start(occasion_id))
            day = start and programme.site.time.day_of(start)
            found = next((each for each in programme.editions if day and each.holds(day)), None)
        return self._of_edition(found, present, instant) if found else present

    def ask(self, read: Callable[[], Read]) -> Read:
        """Return the result of a query; raise `DatabaseUnavailable`, at once during an outage."""
        try:
            if self._away:
                raise self._away
            return read()
        except Error as error:
            raise DatabaseUnavailable(str(error)) from error

    @property
    def _away(self) -> Error | None:
        """The error during an outage, else None."""
        return None if self.offline_since is None else OperationalError(self._outage.reason)

    def _of_edition(self, edition: Edition, present: ServingSnapshot, instant: datetime) -> ServingSnapshot:
        if edition == present.programme.edition:
            return present
        try:
            return self._others.at(edition, present.programme, instant, self._away)
        except LookupError:
            raise UnknownEdition(edition.slug, []) from None
        except Error as error:
            raise DatabaseUnavailable(str(error)) from error

    def _at(self, instant: datetime) -> ServingSnapshot:
        if not self._has_thread:
            self._renew_or_fall_back(ServedProgramme)
        served = self._find_served(instant)
        if served is None:
            raise DatabaseUnavailable(self._outage.reason)
        snapshot = served.find(instant)
        if snapshot is None:
            with self._snapshot_lock:
                snapshot = served.find(instant) or served.renew(instant)
        return snapshot

    def peek(self, instant: datetime) -> ServingSnapshot | None:
        """Return the snapshot if it exists already and needs no query."""
        served = self._find_served(instant) if self._has_thread else None
        return served.find(instant) if served else None

    def catch_up(self, number: int, instant: datetime) -> datetime:
        """Return the first instant from a given one on at which this process shows a revision.

        Wait for the thread to load the revision, but not for the instant at which it begins.
        """
        if self._has_thread:
            with self._renewed:
                self._renewed.wait_for(
                    lambda: self._outage.since or any(each.number >= number for each in self.revisions),
                    CATCH_UP_TIMEOUT,
                )
        return max(instant, self._served[-1].begins) if self._served else instant

    def clear(self) -> None:
        with self._lock:
            self._reset()

    # --- For the thread -----------------------------------------------------------------------

    def renew(self, schedule: ScheduleProgramme = ServedProgramme) -> bool:
        """Bring the programme to the database's revision; return whether the database answered.

        After the first call, requests no longer query the revision.
        """
        self._has_thread = True
        self._others.forget_idle()
        try:
            return self._renew_or_fall_back(schedule)
        finally:
            with self._renewed:
                self._renewed.notify_all()

    @property
    def revisions(self) -> list[Revision]:
        """The revisions of the programmes that are served now and next, in order."""
        return [each.programme.revision for each in self._served]

    @contextmanager
    def writing_ahead(self) -> Iterator[None]:
        """Respond to this thread's requests from the newest programme, before it begins."""
        self._thread_ahead = get_ident()
        try:
            yield
        finally:
            self._thread_ahead = None

    def forget_former(self, instant: datetime) -> None:
        """Drop the programmes that are not served any more at an instant."""
        with self._lock:
            if served := self._find_begun(instant):
                self._served = self._served[self._served.index(served) :]

    # ------------------------------------------------------------------------------------------

    def _find_served(self, instant: datetime) -> ServedProgramme | None:
        if self._thread_ahead == get_ident() and self._served:
            return self._served[-1]
        return self._find_begun(instant)

    def _find_begun(self, instant: datetime) -> ServedProgramme | None:
        """Return the programme of an instant, the first one if none has begun."""
        served = self._served
        for each in reversed(served):
            if each.begins <= instant:
                return each
        return served[0] if served else None

    def _renew_or_fall_back(self, schedule: ScheduleProgramme) -> bool:
        """Renew the programme if it is outdated; return whether the database answered."""
        with self._lock:
            self._asked_since = time.monotonic()
            try:
                self._renew(schedule)
            except Error as error:
                self._fall_back(error)
                return False
            finally:
                self._asked_since = None
            self._outage.end()
            return True

    def _renew(self, schedule: ScheduleProgramme) -> None:
        before = self.programme
        if before and before.revision == loading.fetch_revision():
            return
        # The database has answered; loading may take longer.
        self._asked_since = None
        programme = loading.load(before)
        served = schedule(programme) if before else ServedProgramme(programme)
        # A programme that begins at once replaces all others.
        self._served = (served,) if served.begins == BEFORE_ALL else (*self._served, served)
        # The back office's process writes it, if there is one.
        if not settings.READERS_ONLY:
            disk_cache.writer.write_soon(programme)

    def _fall_back(self, error: Error) -> None:
        if not connection.in_atomic_block:
            # A restarted server may have dropped the connection.
            connection.close()
        if self.programme is None and self._outage.is_due and (stored := disk_cache.load()):
            self._served = (ServedProgramme(stored),)
        self._outage.begin(str(error).strip().partition("\n")[0], self.programme)


current = Current()
