"""A cache before Django that replays responses to repeated requests within the current snapshot.

The key has everything that Django's response depends on, but no cookies, `User-Agent` and `Range`. A replayed
response equals Django's own, with a new `max-age`.
"""

import io
from collections import Counter, deque
from collections.abc import Callable, Iterable
from datetime import datetime
from threading import Lock
from time import monotonic, perf_counter
from typing import Any, NamedTuple

from feeds.response_cache import CachedBody, StoredResponse
from feeds.vocabulary import BEFORE_ALL
from festival import clock
from festival.http.read_your_writes import find_revision
from festival.metrics import recorder
from programme.api.responses import ReplaySource
from programme.publishing.current import current
from programme.publishing.serving_snapshot import CachePolicy

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
Headers = list[tuple[str, str]]
Key = tuple[str | None, ...]
Record = Callable[[float], None]

# The request's instant in its environ, for `festival.http.middleware`: the clock is read once per request.
INSTANT = "festival.instant"

KEY_VARIABLES = (
    *("REQUEST_METHOD", "wsgi.url_scheme", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING"),
    *("HTTP_HOST", "SERVER_NAME", "SERVER_PORT", "HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING"),
    *("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE"),
    # These announce a body: such a request is not answered from the cache.
    *("CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING"),
)
# Bounds of a snapshot's cache, so that a crawler with a million invented URLs cannot fill the memory: the
# number of responses, and the length of a key in characters.
MAX_ENTRIES, MAX_KEY_LENGTH = 2_000, 2_000
# The most requests that are repeated for a new programme before it begins.
MOST_WARMED_UP = 20

# The first parts of paths that label responses without a format in metrics.
KINDS_OF_CONTENT = frozenset({"admin", "api", "healthz", "media", "metrics", "readyz", "static"})

# The entry of responses without a body, to HEAD and 304.
NO_BODY = StoredResponse(CachedBody.build(b""))


class CachedResponse(NamedTuple):
    """A response without its body; `place` is the index of Cache-Control, whose `max-age` may decrease.

    It does not refer to its snapshot, because a reference cycle would retain outdated snapshots.
    """

    key: Key
    status: str
    headers: Headers
    place: int
    cache_policy: CachePolicy
    entry: StoredResponse
    # Records the duration of a repeat in seconds.
    record: Record


class ReplayCache:
    """WSGI middleware around Django's application."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self._lock = Lock()
        # The latest requests that were answered from snapshots since the last edit.
        self._asked: deque[Key] = deque(maxlen=MAX_ENTRIES)

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        began = perf_counter()
        instant = clock.now()
        if "HTTP_COOKIE" in environ and (number := find_revision(environ)):
            instant = current.catch_up(number, instant)
        key: Key = tuple(map(environ.get, KEY_VARIABLES))
        snapshot = current.peek(instant)
        if snapshot and (replay := snapshot.replays_at(instant).get(key)):
            key, status, headers, place, cache_policy, entry, record = replay
            # None if the cache has dropped it.
            if cached := entry.body:
                entry.is_used = True
                self._asked.append(key)
                if instant >= snapshot.shortens_from:
                    headers = [*headers]
                    headers[place] = "Cache-Control", snapshot.cache_control(instant, cache_policy)
                start_response(status, headers)
                record(perf_counter() - began)
                return [cached.body]
        environ[INSTANT] = instant
        method = environ["REQUEST_METHOD"]
        if method != method.upper():
            # Methods are case-sensitive (RFC 9110, section 9.1), but Django would accept this one: 405.
            environ["REQUEST_METHOD"] = "UNKNOWN"
        response: Iterable[bytes] = self._answer(key, environ, start_response, began)
        return response

    def _answer(self, key: Key, environ: Environ, start_response: Any, began: float | None = None) -> Any:
        """Return Django's response, and store a cacheable one; count the request if it `began`."""
        started: list[Any] = []

        def start(status: str, headers: Headers, *exception: Any) -> Any:
            started[:] = status, headers
            return start_response(status, headers, *exception)

        response = self.application(environ, start)
        first = environ.get("PATH_INFO", "").lstrip("/").partition("/")[0]
        kind = first if first in KINDS_OF_CONTENT else "page"
        content, code = getattr(response, "format", None) or kind, started[0][:3]
        if (source := getattr(response, "replay_source", None)) and _is_cacheable(environ, key):
            self._store(key, source, environ[INSTANT], recorder(content, code, "replay"), *started)
            if began:
                self._asked.append(key)
        if began:
            recorder(content, code, "django")(perf_counter() - began)
        return response

    def _store(
        self, key: Key, source: ReplaySource, instant: datetime, record: Record, *started: Any
    ) -> None:
        (snapshot, cache_policy, body_key), (status, headers) = source, started
        entry = NO_BODY if body_key is None else snapshot.responses.find(body_key)
        if entry is None:
            # The body is too large to be cached.
            return
        place = next(place for place, (name, _) in enumerate(headers) if name == "Cache-Control")
        headers = [*headers]
        headers[place] = "Cache-Control", snapshot.cache_control(BEFORE_ALL, cache_policy)
        replays = snapshot.replays_at(instant)
        with self._lock:
            if len(replays) >= MAX_ENTRIES:
                del replays[next(iter(replays))]
            replays[key] = CachedResponse(key, status, headers, place, cache_policy, entry, record)

    def warm_up(self, until: float) -> None:
        """Repeat the most frequent requests since the last edit, until `until` (monotonic seconds)."""
        # A copy, because other threads append to it.
        asked = Counter(self._asked.copy())
        self._asked.clear()
        for key, _times in asked.most_common(MOST_WARMED_UP):
            if monotonic() >= until:
                return
            environ: Environ = {
                name: value for name, value in zip(KEY_VARIABLES, key, strict=True) if value is not None
            }
            environ |= {"wsgi.input": io.BytesIO(), INSTANT: clock.now()}
            self._answer(key, environ, lambda *_start: None).close()


def _is_cacheable(environ: Environ, key: Key) -> bool:
    """Return whether repeats of a request may be replayed."""
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return False
    if environ.get("CONTENT_LENGTH", "") not in ("", "0") or "HTTP_TRANSFER_ENCODING" in environ:
        return False
    return len("".join(filter(None, key))) <= MAX_KEY_LENGTH
