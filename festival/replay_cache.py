"""Exact repeats of a request, answered ahead of Django from what it answered before in the same snapshot.

A phone that polls, or a cache that asks again, repeats itself to the letter. Whatever Django's
answer depends on is in the key; what it does not depend on (cookies, `User-Agent`, `Range`) is not. What is
repeated cannot be told from what Django would answer: the same status, headers and bytes, with
`max-age` reckoned anew.
"""

from collections.abc import Callable, Hashable, Iterable
from datetime import datetime
from threading import Lock
from typing import Any, NamedTuple

from festival import clock
from programme.api.responses import ReplaySource
from programme.publishing.current import CachePolicy, ServingSnapshot, current

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
Headers = list[tuple[str, str]]

DECIDING = (
    *("REQUEST_METHOD", "wsgi.url_scheme", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING"),
    *("HTTP_HOST", "SERVER_NAME", "SERVER_PORT", "HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING"),
    *("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE"),
)
# So that a crawler with a million invented addresses fills nothing: how many requests a snapshot
# remembers, and how long (in characters) one may be.
MOST_KEPT, LONGEST_KEY = 2_000, 2_000

# What no view has: it is answered with 405.
UNKNOWN = "UNKNOWN"


class CachedResponse(NamedTuple):
    """A response without its body, cut at the one header that depends on the instant.

    The snapshot that it belongs to is not in it: a circle would outlive its snapshot.
    """

    status: str
    before: Headers
    after: Headers
    cache_policy: CachePolicy
    body_key: Hashable | None

    def headers(self, present: ServingSnapshot, instant: datetime) -> Headers:
        cache_control = present.cache_control(instant, self.cache_policy)
        return [*self.before, ("Cache-Control", cache_control), *self.after]

    def body(self, present: ServingSnapshot) -> list[bytes] | None:
        """Return the body; None if the snapshot has dropped it."""
        if self.body_key is None:
            return []
        answer = present.responses.peek(self.body_key)
        return answer and [answer.body]


class ReplayCache:
    """Wraps the WSGI application of Django."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self._lock = Lock()

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        if method != method.upper():
            # Methods are case-sensitive (RFC 9110, section 9.1), and Django would take it for another.
            environ["REQUEST_METHOD"] = UNKNOWN
        key = _key(environ)
        if key is None:
            return self.application(environ, start_response)
        instant = clock.now()
        present = current.ready(instant)
        if present and (replay := present.replays.get(key)) and present.is_settled(instant):
            body = replay.body(present)
            if body is not None:
                start_response(replay.status, replay.headers(present, instant))
                return body
        return self._answered(key, environ, start_response)

    def _answered(self, key: Hashable, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Return Django's answer, and remember it if a snapshot's answers were sent."""
        started: list[Any] = []

        def start(status: str, headers: Headers, *exception: Any) -> Any:
            started[:] = status, headers
            return start_response(status, headers, *exception)

        response = self.application(environ, start)
        if sent := getattr(response, "replay_source", None):
            self._keep(key, sent, *started)
        return response

    def _keep(self, key: Hashable, sent: ReplaySource, status: str, headers: Headers) -> None:
        place = next(place for place, (name, _) in enumerate(headers) if name == "Cache-Control")
        replays = sent.snapshot.replays
        with self._lock:
            if len(replays) >= MOST_KEPT:
                del replays[next(iter(replays))]
            before, after = headers[:place], headers[place + 1 :]
            replays[key] = CachedResponse(status, before, after, sent.cache_policy, sent.body_key)


def _key(environ: Environ) -> tuple[str, ...] | None:
    """Return what decides the answer; None for what is to go Django's way."""
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return None
    if environ.get("CONTENT_LENGTH", "") not in ("", "0") or "HTTP_TRANSFER_ENCODING" in environ:
        return None
    key = tuple([environ.get(name) for name in DECIDING])
    return key if sum(map(len, filter(None, key))) <= LONGEST_KEY else None
