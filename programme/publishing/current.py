"""The programme and the snapshot from which this process answers its readers."""

import logging
import time
from collections.abc import Hashable
from datetime import datetime, timedelta
from functools import cached_property
from math import ceil, floor
from threading import Lock, RLock
from typing import Any, NamedTuple

from django.conf import settings
from django.db import Error, connection

from feeds.programme import Programme
from feeds.response_cache import LookUps, ResponseCache
from feeds.snapshot import Snapshot
from programme.publishing import disk_cache, loading

logger = logging.getLogger(__name__)

# A request that began before the clock passed an instant is answered as of after it; only a clock that was
# really set back makes an older snapshot.
LATE_REQUEST = timedelta(seconds=5)
# Validators and caches count whole seconds: a cache may treat a response as fresh for one second more than it
# should (nginx does), and two states within one second have the same Last-Modified.
ONE_SECOND = timedelta(seconds=1)
# In seconds: how often an unavailable database is tried again, and how often the log mentions it.
RETRY_INTERVAL, LOG_INTERVAL = 0.5, 60.0
# For how many seconds a reader who has a programme waits for another one's query of the revision.
LOCK_TIMEOUT = 3.0
# An error that took longer, in seconds, does not come from a connection that a restarted server has dropped.
DEAD_CONNECTION_TIMEOUT = 1.0


class DatabaseUnavailable(Exception):  # noqa: N818 - a state of affairs, answered with 503
    """The database does not answer, and there is no programme in memory or on disk."""


class CachePolicy(NamedTuple):
    """How others may cache a response.

    `depends_on_time`: whether time alone, without any edit, can make it untrue; if not, caches may use it
    even while the service is unreachable (RFC 5861, section 4). `must_revalidate`: caches must revalidate it
    before each use, because what people look at must be true at once.
    """

    depends_on_time: bool = True
    must_revalidate: bool = False


class ServingSnapshot(Snapshot):
    """A snapshot with the responses made from it: they are dropped together."""

    def __init__(self, programme: Programme, now: datetime, look_ups: LookUps | None = None) -> None:
        super().__init__(programme, now)
        self.responses = ResponseCache(settings.ANSWERS_MB * 1_000_000, look_ups)
        # Responses to exact repeats of a request: filled by festival/http/replay_cache.py.
        self.replays: dict[Hashable, Any] = {}
        moved = max(filter(None, (programme.revision.moved_at, self.begins)))
        self.last_modified = moved.replace(microsecond=0)
        # Computed once, because each repeated request is compared with it.
        self._settled_at = self.last_modified + ONE_SECOND

    @cached_property
    def _last_second(self) -> int | None:
        return None if self.ends is None else floor(self.ends.timestamp())

    def serves(self, instant: datetime) -> bool:
        """Return whether this snapshot may answer a request that began at an instant."""
        return self.covers(instant) or (
            self.begins is not None and self.begins - LATE_REQUEST <= instant < self.begins
        )

    def is_settled(self, instant: datetime) -> bool:
        """Return whether the second of `last_modified` is over, so that it identifies this state alone."""
        return instant >= self._settled_at

    def cache_control(self, instant: datetime, cache_policy: CachePolicy) -> str:
        """Return the Cache-Control of a response at an instant; it never lasts beyond the snapshot."""
        if cache_policy.must_revalidate:
            return "public, no-cache"
        stale = 0 if cache_policy.depends_on_time else 86_400
        return f"public, {self._freshness(instant)}, stale-if-error={stale}"

    def _freshness(self, instant: datetime) -> str:
        longest = settings.CACHE_SECONDS
        if not longest:
            return "no-cache"
        if self._last_second is not None:
            # Caches count whole seconds: leave out the started ones at either end.
            left = self._last_second - ceil(instant.timestamp()) - 1
            longest = min(longest, max(0, left))
        return f"max-age={longest}"


class RevisionTrust(NamedTuple):
    """Until when (monotonic seconds) the revision is trusted, unless it was invalidated since."""

    generation: object
    until: float


class OutageLog:
    """Logs that the database is unavailable once a minute, however often it comes and goes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._quiet_until = 0.0
        self._is_open = False

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._quiet_until

    def report(self, reason: str, programme: Programme | None) -> None:
        with self._lock:
            if not self.is_due:
                return
            self._quiet_until = time.monotonic() + LOG_INTERVAL
            self._is_open = True
        source = "there is no programme to answer from"
        if programme:
            source = f"readers get the programme of {programme.revision.moved_at:%Y-%m-%d %H:%M:%S %Z}"
        logger.error("The database does not answer (%s); %s.", reason, source)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            logger.warning("The database answers again.")


class Current:
    """The programme and snapshot of one process, renewed when the revision or the clock moves.

    `look_ups` counts those in the caches of all its snapshots, `loads` how often it has loaded the programme,
    in `load_seconds` altogether.
    """

    def __init__(self) -> None:
        self.look_ups = LookUps()
        self.loads, self.load_seconds = 0, 0.0
        self._query_lock = RLock()
        self._snapshot_lock = Lock()
        self._generation = object()
        self._reset()

    def _reset(self) -> None:
        self._programme: Programme | None = None
        self._snapshot: ServingSnapshot | None = None
        self._trust = RevisionTrust(self._generation, 0.0)
        self._outage_log = OutageLog()
        self._is_unavailable = False
        self._unavailable_since = 0.0
        self._reason = ""

    @property
    def latest(self) -> ServingSnapshot | None:
        """The snapshot that readers were last answered from, which may be outdated."""
        return self._snapshot

    @property
    def offline_since(self) -> float | None:
        """Since when (monotonic seconds) the database has not answered; None if it does."""
        return self._unavailable_since if self._is_unavailable else None

    def at(self, instant: datetime) -> ServingSnapshot:
        """Return the snapshot of the latest programme at an instant.

        Threads that find it outdated at the same moment share one new snapshot. Raises `DatabaseUnavailable`
        if there is no programme at all.
        """
        if not self._is_trusted():
            self._check_revision()
        if self._programme is None:
            raise DatabaseUnavailable(self._reason)
        snapshot = self._usable_snapshot(instant)
        if snapshot is None:
            with self._snapshot_lock:
                snapshot = self._usable_snapshot(instant)
                if snapshot is None:
                    snapshot = self._snapshot = ServingSnapshot(self._programme, instant, self.look_ups)
        return snapshot

    def peek(self, instant: datetime) -> ServingSnapshot | None:
        """Return the snapshot if neither a query nor a new snapshot is needed for it."""
        return self._usable_snapshot(instant) if self._is_trusted() else None

    def invalidate(self) -> None:
        """Make the next reader query the revision.

        A query that is running may have read the state before, so its result is not trusted either.
        """
        self._generation = object()

    def clear(self) -> None:
        with self._query_lock:
            self._reset()
            self.invalidate()

    def _is_trusted(self) -> bool:
        trust = self._trust
        return trust.generation is self._generation and time.monotonic() < trust.until

    def _usable_snapshot(self, instant: datetime) -> ServingSnapshot | None:
        snapshot = self._snapshot
        if snapshot and snapshot.programme is self._programme and snapshot.serves(instant):
            return snapshot
        return None

    def _check_revision(self) -> None:
        """Bring the programme to the database's revision.

        While the database is unavailable one reader waits for it, and the others are answered from memory.
        """
        if not self._query_lock.acquire(timeout=self._lock_timeout()):
            self._report_outage(f"no reply for {LOCK_TIMEOUT:g} seconds")
            return
        try:
            if not self._is_trusted():
                generation, began = self._generation, time.monotonic()
                if self._renew_or_fall_back():
                    until = began + settings.REVISION_TRUST_MS / 1000
                else:
                    until = time.monotonic() + RETRY_INTERVAL
                self._trust = RevisionTrust(generation, until)
        finally:
            self._query_lock.release()

    def _lock_timeout(self) -> float:
        """Return for how many seconds to wait for another reader's query; -1 is for ever."""
        if self._programme is None:
            return -1
        return 0 if self._is_unavailable else LOCK_TIMEOUT

    def _renew_or_fall_back(self) -> bool:
        """Renew the programme if it is outdated; return whether the database answered."""
        try:
            self._renew_with_retry()
        except Error as error:
            self._fall_back(error)
            return False
        self._is_unavailable = False
        self._outage_log.close()
        return True

    def _renew_with_retry(self) -> None:
        """Renew; replace a connection that a restarted server has dropped."""
        if self._is_unavailable:
            # Every thread has such a connection: do not try any of them.
            _disconnect()
            self._renew()
            return
        began = time.monotonic()
        try:
            self._renew()
        except Error:
            if time.monotonic() - began >= DEAD_CONNECTION_TIMEOUT or not _disconnect():
                raise
            self._renew()

    def _renew(self) -> None:
        if self._programme is None or self._programme.revision != loading.fetch_revision():
            began = time.monotonic()
            self._programme = loading.load(self._programme)
            self.loads += 1
            self.load_seconds += time.monotonic() - began
            disk_cache.writer.write_soon(self._programme)

    def _fall_back(self, error: Error) -> None:
        _disconnect()
        if self._programme is None and self._outage_log.is_due:
            self._programme = disk_cache.load()
        self._reason = str(error).strip().partition("\n")[0]
        self._report_outage(self._reason)

    def _report_outage(self, reason: str) -> None:
        if not self._is_unavailable:
            self._unavailable_since = time.monotonic()
        self._is_unavailable = True
        self._outage_log.report(reason, self._programme)


def _disconnect() -> bool:
    """Drop this thread's connection; return False inside a transaction, which would be lost with it."""
    if connection.in_atomic_block:
        return False
    connection.close()
    return True


current = Current()
