"""Networks from which the back office refuses attempts to sign in, as a process that forwards remembers them.

Such a refusal takes the back office several queries and a page, and who guesses passwords tries again at
once. So the process that forwards asks the back office once in a while, and refuses the rest itself, slowly.
"""

from threading import BoundedSemaphore, Lock
from time import monotonic, sleep
from typing import NamedTuple

# A header of the back office's responses: for how many seconds it refuses what is sent to this path from the
# client's network, whoever sends it. It is not returned to clients.
HEADER = "X-Network-Refused"
# Seconds for which a refusal is trusted: it may end before its time, because attempts count as failed until
# their passwords have been checked. Then one request is forwarded to ask again, and others are refused until
# its response comes, for so many seconds at most.
TRUST, QUESTION = 5.0, 1.0
# A refusal takes so many seconds, because whoever is refused at once sends thousands of attempts. So many
# wait at a time, in threads that the server has for them beyond those of readers; others do not wait.
PAUSE, MOST_PAUSES = 1.0, 16
# Refusals that are remembered; the oldest are forgotten first.
MOST = 10_000


class _Refusal(NamedTuple):
    trusted_until: float
    # As the back office has announced it.
    end: float


class RefusedSenders:
    """Which networks the back office refuses, at which of its paths."""

    def __init__(self) -> None:
        self._refusals: dict[tuple[str, str], _Refusal] = {}
        self._lock = Lock()
        self._pauses = BoundedSemaphore(MOST_PAUSES)

    def find(self, network: str, path: str) -> int:
        """Return for how many seconds a request is refused; 0 if it is to be forwarded."""
        now = monotonic()
        with self._lock:
            refusal = self._refusals.get((network, path))
            if refusal is None:
                return 0
            if now >= refusal.trusted_until:
                self._refusals[network, path] = refusal._replace(trusted_until=now + QUESTION)
                return 0
        return max(1, round(refusal.end - now))

    def learn(self, network: str, path: str, seconds: str | None) -> None:
        """Remember a refusal, or forget it if a response has no such header."""
        now = monotonic()
        with self._lock:
            self._refusals.pop((network, path), None)
            if seconds is None:
                return
            if len(self._refusals) >= MOST:
                del self._refusals[next(iter(self._refusals))]
            end = now + int(seconds)
            self._refusals[network, path] = _Refusal(min(end, now + TRUST), end)

    def pause(self) -> None:
        """Let a refused client wait, unless too many do."""
        if self._pauses.acquire(blocking=False):
            try:
                sleep(PAUSE)
            finally:
                self._pauses.release()
