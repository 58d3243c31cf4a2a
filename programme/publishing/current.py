"""What readers are answered from in this process: the programme in memory, and its present snapshot."""

import logging
import time
from collections.abc import Hashable
from datetime import datetime, timedelta
from math import ceil, floor
from threading import Lock, RLock
from typing import Any, NamedTuple

from django.conf import settings
from django.db import Error, connection

from feeds.programme import Programme
from feeds.response_cache import ResponseCache
from feeds.snapshot import Snapshot
from programme.publishing import disk_cache, loading

logger = logging.getLogger(__name__)

# A request that began before the clock passed an instant is answered as of after it; only a clock
# that was really set back makes an older snapshot.
LATE = timedelta(seconds=5)
# Validators and caches know whole seconds: a cache may think an answer fresh for one more than it was
# told (nginx does), and two states in one second have the same Last-Modified.
ONE_SECOND = timedelta(seconds=1)
# How often a database that is away is asked again, and how often the log says that it is, in seconds.
ASKED_AGAIN, SAID_AGAIN = 0.5, 60.0
# For how many seconds a reader who has a programme waits for the one who asks the database.
PATIENCE = 3.0
# An error that took longer was not an old connection's that a restarted server had left behind.
QUICKLY = 1.0


class DatabaseUnavailable(Exception):  # noqa: N818 - a state of affairs, answered with 503
    """The database does not answer, and there is no programme in memory or on disk."""


class CachePolicy(NamedTuple):
    """How others may keep an answer.

    `depends_on_time`: whether it can be untrue later without any edit; if not, caches may give it even while
    the service cannot be reached (RFC 5861, section 4). `must_revalidate`: they must ask before they
    give it again, as what people look at must be true at once.
    """

    depends_on_time: bool = True
    must_revalidate: bool = False


class ServingSnapshot(Snapshot):
    """A snapshot with the answers given in it: they are dropped together."""

    def __init__(self, programme: Programme, now: datetime) -> None:
        super().__init__(programme, now)
        self.responses = ResponseCache(settings.ANSWERS_MB * 1_000_000)
        # Exact repeats of what was answered in it: kept by festival/replay_cache.py.
        self.replays: dict[Hashable, Any] = {}
        moved = max(filter(None, (programme.revision.moved_at, self.begins)))
        self.last_modified = moved.replace(microsecond=0)

    def serves(self, instant: datetime) -> bool:
        """Return whether a request that began at an instant may be answered from here."""
        return self.covers(instant) or (
            self.begins is not None and self.begins - LATE <= instant < self.begins
        )

    def is_settled(self, instant: datetime) -> bool:
        """Return whether the second of `last_modified` is over, so that it tells states apart."""
        return instant >= self.last_modified + ONE_SECOND

    def cache_control(self, instant: datetime, cache_policy: CachePolicy) -> str:
        """Return for how long an answer of an instant may be kept: never past what the clock changes."""
        if cache_policy.must_revalidate:
            return "public, no-cache"
        stale = 0 if cache_policy.depends_on_time else 86_400
        return f"public, {self._freshness(instant)}, stale-if-error={stale}"

    def _freshness(self, instant: datetime) -> str:
        longest = settings.CACHE_SECONDS
        if not longest:
            return "no-cache"
        if self.ends is not None:
            # As caches count: what is left of the seconds at either end does not.
            left = floor(self.ends.timestamp()) - ceil(instant.timestamp()) - 1
            longest = min(longest, max(0, left))
        return f"max-age={longest}"


class RevisionTrust(NamedTuple):
    """Until when (monotonic seconds) the revision is trusted, unless somebody has doubted it since."""

    doubt: object
    until: float


class Current:
    """Holds one process's programme and snapshot, and renews them when the revision or the clock moves."""

    def __init__(self) -> None:
        self._asking = RLock()
        self._making = Lock()
        self._saying = Lock()
        self._programme: Programme | None = None
        self._present: ServingSnapshot | None = None
        self._doubt = object()
        self._trust = RevisionTrust(self._doubt, 0.0)
        self._is_away = self._has_said = False
        self._said_until = 0.0
        self._reason = ""

    def at(self, instant: datetime) -> ServingSnapshot:
        """Return the snapshot of the programme as it is now, seen from an instant.

        Threads that find it outdated at the same moment make one new one between them. Raises `Away`
        where there is no programme at all.
        """
        if not self._is_trusted():
            self._ask()
        if self._programme is None:
            raise DatabaseUnavailable(self._reason)
        present = self._present
        if present is None or not self._is_present(present, instant):
            with self._making:
                present = self._present
                if present is None or not self._is_present(present, instant):
                    present = self._present = ServingSnapshot(self._programme, instant)
        return present

    def ready(self, instant: datetime) -> ServingSnapshot | None:
        """Return the snapshot if it can be had without asking or making anything."""
        present = self._present
        if present is not None and self._is_trusted() and self._is_present(present, instant):
            return present
        return None

    def doubt(self) -> None:
        """Let the next reader ask for the revision, however short a time it has been trusted.

        An answer that is on its way may be from before, so it is not trusted either.
        """
        self._doubt = object()

    def forget(self) -> None:
        """Drop what is held; the next reader loads it anew."""
        with self._asking:
            self._programme = self._present = None
            self._is_away = self._has_said = False
            self._said_until = 0.0
            self.doubt()

    def _is_trusted(self) -> bool:
        trust = self._trust
        return trust.doubt is self._doubt and time.monotonic() < trust.until

    def _is_present(self, present: ServingSnapshot, instant: datetime) -> bool:
        return present.programme is self._programme and present.serves(instant)

    def _ask(self) -> None:
        """Bring the programme to the database's revision.

        While the database is away one reader waits for it, and the others are answered from memory.
        """
        if not self._asking.acquire(timeout=self._patience()):
            self._say_away(f"it has said nothing for {PATIENCE:g} seconds")
            return
        try:
            if not self._is_trusted():
                doubt, asked_at = self._doubt, time.monotonic()
                self._trust = (
                    RevisionTrust(doubt, asked_at + settings.REVISION_TRUST_MS / 1000)
                    if self._is_renewed()
                    else RevisionTrust(doubt, time.monotonic() + ASKED_AGAIN)
                )
        finally:
            self._asking.release()

    def _patience(self) -> float:
        """Return for how many seconds to wait for another reader who asks; -1 is for ever."""
        if self._programme is None:
            return -1
        return 0 if self._is_away else PATIENCE

    def _is_renewed(self) -> bool:
        """Return whether the database could be asked."""
        try:
            self._renew_again()
        except Error as error:
            self._do_without(error)
            return False
        self._is_away = False
        if self._has_said:
            self._has_said = False
            logger.warning("The database answers again.")
        return True

    def _renew_again(self) -> None:
        """Renew; a connection that a restarted server has left behind is replaced by a new one."""
        if self._is_away:
            # Every thread has such a connection: none of them is worth a try.
            _disconnect()
            self._renew()
            return
        began = time.monotonic()
        try:
            self._renew()
        except Error:
            if time.monotonic() - began >= QUICKLY or not _disconnect():
                raise
            self._renew()

    def _renew(self) -> None:
        if self._programme is None or self._programme.revision != loading.revision():
            self._programme = loading.load(self._programme)
            disk_cache.writer.keep(self._programme)

    def _do_without(self, error: Error) -> None:
        """Look for a programme while the database is away: in memory, or kept on disk."""
        _disconnect()
        if self._programme is None and time.monotonic() >= self._said_until:
            self._programme = disk_cache.load()
        self._reason = str(error).strip().partition("\n")[0]
        self._say_away(self._reason)

    def _say_away(self, reason: str) -> None:
        """Say it once a minute, however often the database comes and goes."""
        self._is_away = True
        with self._saying:
            if time.monotonic() < self._said_until:
                return
            self._said_until = time.monotonic() + SAID_AGAIN
            self._has_said = True
        logger.error("The database does not answer (%s); %s.", reason, self._answered_from())

    def _answered_from(self) -> str:
        if self._programme is None:
            return "there is no programme to answer from"
        return f"readers get the programme of {self._programme.revision.moved_at:%Y-%m-%d %H:%M:%S %Z}"


def _disconnect() -> bool:
    """Drop this thread's connection; return False inside a transaction, which would be lost with it."""
    if connection.in_atomic_block:
        return False
    connection.close()
    return True


current = Current()
