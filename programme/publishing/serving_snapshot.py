"""Snapshots with their responses, and the caching headers of these."""

from collections.abc import Hashable
from datetime import datetime, timedelta
from math import ceil, floor
from typing import Any, NamedTuple

from django.conf import settings

from feeds.news import NEVER
from feeds.programme import Programme
from feeds.response_cache import ResponseCache
from feeds.snapshot import Snapshot
from feeds.vocabulary import BEFORE_ALL

# A request that began so shortly before a snapshot is answered from it; only a clock that was set back needs
# an older one.
LATE_REQUEST = timedelta(seconds=5)
# Validators and caches count whole seconds: a cache may treat a response as fresh for one second more than it
# should (nginx does), and two states within one second have the same Last-Modified.
ONE_SECOND = timedelta(seconds=1)
# Bytes for the ETags of uncached responses: two thousand of them.
MAX_HEADS = 2_000_000


class CachePolicy(NamedTuple):
    """How caches may store a response.

    `depends_on_time`: whether time alone, without an edit, changes it; if not, caches may use it even while
    the service is unreachable (RFC 5861, section 4). `must_revalidate`: whether caches must revalidate it
    before each use, as for pages.
    """

    depends_on_time: bool = True
    must_revalidate: bool = False


class ServingSnapshot(Snapshot):
    """A snapshot with the responses written from it, which are dropped together."""

    def __init__(
        self, programme: Programme, now: datetime, shown_from: datetime = BEFORE_ALL, share: int = 1
    ) -> None:
        super().__init__(programme, now)
        self.responses = ResponseCache(settings.ANSWERS_MB * 1_000_000 // share)
        # The ETags and headers of uncached responses.
        self.heads = ResponseCache(MAX_HEADS)
        self._early_replays: dict[Hashable, Any] = {}
        self._replays: dict[Hashable, Any] = {}
        # The instant from which the programme is served; until then the former one has an earlier
        # Last-Modified.
        moved_at = programme.revision.moved_at + timedelta(seconds=settings.SWITCH_DELAY)
        self.shown_from = max(moved_at, shown_from).replace(microsecond=0)
        self.last_modified = max(self.shown_from, self.begins or BEFORE_ALL).replace(microsecond=0)
        # Computed once, because each repeated request is compared with it.
        self._identified_from = self.last_modified + ONE_SECOND
        self._serves_from = self.begins - LATE_REQUEST if self.begins else BEFORE_ALL
        self._serves_until = self.ends or NEVER
        # Until then `max-age` is the longest; two seconds allow for rounding.
        self.shortens_from = self.ends - timedelta(seconds=settings.CACHE_SECONDS + 2) if self.ends else NEVER

    def serves(self, instant: datetime) -> bool:
        """Return whether this snapshot may answer a request that began at an instant."""
        return self._serves_from <= instant < self._serves_until

    def find_last_modified(self, cache_policy: CachePolicy, instant: datetime) -> datetime | None:
        """Return the moment of the programme, or of the clock where a response depends on it.

        None within that second, in which the state may change again (RFC 9110, section 8.8.2.1).
        """
        modified = self.last_modified if cache_policy.depends_on_time else self.shown_from
        return modified if instant >= modified + ONE_SECOND else None

    def replays_at(self, instant: datetime) -> dict[Hashable, Any]:
        """Return the responses to exact repeats of a request, filled by festival/http/replay_cache.py.

        Within the second of `last_modified` they are separate, because they have no Last-Modified.
        """
        return self._replays if instant >= self._identified_from else self._early_replays

    def cache_control(self, instant: datetime, cache_policy: CachePolicy) -> str:
        """Return the Cache-Control of a response at an instant; `max-age` ends with the snapshot."""
        if cache_policy.must_revalidate:
            return "public, no-cache"
        longest = settings.CACHE_SECONDS
        if longest and self.ends is not None:
            # Caches count whole seconds: fractions at either end are left out.
            left = floor(self.ends.timestamp()) - ceil(instant.timestamp()) - 1
            freshness = f"max-age={min(longest, max(0, left))}"
        else:
            freshness = f"max-age={longest}" if longest else "no-cache"
        return f"public, {freshness}, stale-if-error={0 if cache_policy.depends_on_time else 86_400}"


class ServedProgramme:
    """A programme, the instant from which it is served, and its latest snapshot.

    `share`: the number of programmes that divide the memory for responses.
    """

    def __init__(self, programme: Programme, begins: datetime = BEFORE_ALL, share: int = 1) -> None:
        self.programme = programme
        self.begins = begins
        self.share = share
        self.snapshot: ServingSnapshot | None = None

    def find(self, instant: datetime) -> ServingSnapshot | None:
        """Return the latest snapshot if it serves an instant."""
        snapshot = self.snapshot
        return snapshot if snapshot and snapshot.serves(instant) else None

    def renew(self, instant: datetime) -> ServingSnapshot:
        self.snapshot = ServingSnapshot(self.programme, instant, self.begins, self.share)
        return self.snapshot
