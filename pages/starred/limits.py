"""Rate limits of each process, by list and in all; of the latter each sender gets at most half."""

import time
from collections import OrderedDict
from math import ceil
from threading import Lock

from django.http import HttpRequest

from programme.api.client_address import find_network, get_client_address

# The most keys of a limit; a dropped key begins with a full bucket.
MAX_KEYS = 10_000


class RateLimit:
    """A token bucket for each key: so many tokens a minute, and at most `burst` at once."""

    def __init__(self, per_minute: int, burst: int) -> None:
        self.per_second = per_minute / 60
        self.burst = burst
        self._lock = Lock()
        # The tokens that were left, and when (monotonic seconds).
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str = "") -> int:
        """Take a token; return 0, or the seconds until there is one."""
        now = time.monotonic()
        with self._lock:
            left, since = self._buckets.pop(key, (float(self.burst), now))
            left = min(self.burst, left + (now - since) * self.per_second)
            is_taken = left >= 1
            self._buckets[key] = (left - is_taken, now)
            if len(self._buckets) > MAX_KEYS:
                self._buckets.popitem(last=False)
        return 0 if is_taken else ceil((1 - left) / self.per_second)

    def clear(self) -> None:
        self._buckets.clear()


class SharedLimit(RateLimit):
    """A limit for all senders, each of which gets at most half."""

    def __init__(self, per_minute: int, burst: int) -> None:
        super().__init__(per_minute, burst)
        self.of_sender = RateLimit(per_minute // 2, burst // 2)

    def take_for(self, request: HttpRequest) -> int:
        sender = find_network(get_client_address(request.META))
        return self.of_sender.take(sender) or self.take()

    def clear(self) -> None:
        super().clear()
        self.of_sender.clear()


# Visitors create a list once; a full table would be the only harm.
CREATIONS = SharedLimit(per_minute=60, burst=120)
CHANGES = SharedLimit(per_minute=1_200, burst=200)
# A browser gathers the changes of a second.
CHANGES_OF_LIST = RateLimit(per_minute=60, burst=60)
# Calendars ask every five minutes at most; each request is a query.
READS = SharedLimit(per_minute=6_000, burst=1_000)
READS_OF_LIST = RateLimit(per_minute=20, burst=40)
ALL_LIMITS = (CREATIONS, CHANGES, CHANGES_OF_LIST, READS, READS_OF_LIST)
