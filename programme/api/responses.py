"""Responses: compression, validators, conditional requests (304, 412), and HEAD."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date, parse_http_date_safe

from feeds.negotiation import IDENTITY, Coding, choose_coding
from feeds.response_cache import CachedBody
from programme.publishing.serving_snapshot import CachePolicy, ServingSnapshot


class Document(NamedTuple):
    """A body, and the headers that depend on it."""

    body: bytes
    headers: Mapping[str, str]


@dataclass
class ResponseSpec:
    """A response to build: `write` returns its body, which the snapshot caches under `key`.

    The key and the snapshot determine the body, so its ETag is cached even if the body is not.

    `depends_on_time`: whether time alone, without an edit, changes it. `is_cached`: false if clients can
    request endless variants. `must_revalidate`: whether caches must revalidate before each use.
    `has_last_modified`: false if more than the programme and the clock changes the response.
    """

    key: Hashable
    write: Callable[[], bytes | Document]
    content_type: str
    depends_on_time: bool = True
    status: HTTPStatus = HTTPStatus.OK
    is_cached: bool = True
    must_revalidate: bool = False
    has_last_modified: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)
    _plain: CachedBody | None = None

    @property
    def cache_policy(self) -> CachePolicy:
        return CachePolicy(self.depends_on_time, self.must_revalidate)

    def head(self, snapshot: ServingSnapshot) -> CachedBody:
        """Return the ETag and the headers, which are cached even if the body is not."""
        heads = snapshot.responses
        key: Hashable = ("head", self.key)
        if not self.is_cached:
            # Keys of endless variants may be long.
            heads, key = snapshot.heads, blake2b(repr(self.key).encode(), digest_size=16).digest()
        return heads.get(key, lambda: msgspec.structs.replace(self._uncompressed(snapshot), body=b""))

    def body(self, snapshot: ServingSnapshot, coding: Coding) -> bytes:
        if coding is IDENTITY or not self.is_cached:
            return self._uncompressed(snapshot).compress(coding).body
        key = self.body_key(coding)
        return snapshot.responses.get(key, lambda: self._uncompressed(snapshot).compress(coding)).body

    def body_key(self, coding: Coding) -> Hashable:
        return self.key if coding is IDENTITY else (coding.name, self.key)

    def _uncompressed(self, snapshot: ServingSnapshot) -> CachedBody:
        if self._plain is None:
            self._plain = snapshot.responses.get(self.key, self._write) if self.is_cached else self._write()
        return self._plain

    def _write(self) -> CachedBody:
        written = self.write()
        body, headers = (written, {}) if isinstance(written, bytes) else written
        return CachedBody.build(body, {**self.headers, **headers})


class ReplaySource(NamedTuple):
    """The source of the response to a repeat of a request within a snapshot (`ReplayCache`).

    `body_key` is the key of the body in the snapshot's responses, None for a response without a body.
    """

    snapshot: ServingSnapshot
    cache_policy: CachePolicy
    body_key: Hashable | None


def respond(
    request: HttpRequest, instant: datetime, snapshot: ServingSnapshot, spec: ResponseSpec
) -> HttpResponse:
    """Return the response to GET or HEAD.

    406 (`Accept-Encoding` allows no content coding on offer) and 412 (`If-Match` or `If-Unmodified-Since`
    name another version) have no body. `Vary` is left to the caller.
    """
    coding = choose_coding(request.headers.get("Accept-Encoding"))
    if coding is None:
        return HttpResponse(status=HTTPStatus.NOT_ACCEPTABLE)
    head = spec.head(snapshot)
    etag = head.etag_in(coding)
    known = snapshot.find_last_modified(spec.cache_policy, instant) if spec.has_last_modified else None
    modified = int(known.timestamp()) if known else None
    full = HttpResponse(content_type=spec.content_type, status=spec.status, headers=head.headers)
    full["ETag"] = etag
    if coding is not IDENTITY:
        full["Content-Encoding"] = coding.name
    if modified is not None:
        full["Last-Modified"] = http_date(modified)
    full["Cache-Control"] = snapshot.cache_control(instant, spec.cache_policy)
    since = parse_http_date_safe(request.headers.get("If-Modified-Since", ""))
    # A date in the future is invalid: no `Last-Modified` was ever later than now.
    names_future = since is not None and since > instant.timestamp()
    if names_future or "If-None-Match" in request.headers:
        # `If-None-Match` takes precedence even if Django cannot parse it (RFC 9110, section 13.1.3).
        request.META.pop("HTTP_IF_MODIFIED_SINCE", None)
    # Preconditions apply to responses with 2xx only.
    response = get_conditional_response(request, etag, modified, full) or full
    has_body = response.status_code == spec.status
    if has_body:
        body = spec.body(snapshot, coding)
        response["Content-Length"] = str(len(body))
        response.content = b"" if request.method == "HEAD" else body
    # A client with the ETag of an uncached response has requested it before.
    is_asked_again = (
        not has_body and spec.has_last_modified and etag in request.headers.get("If-None-Match", "")
    )
    # A date in the future will be in the past at a later repeat.
    if (spec.is_cached or is_asked_again) and not names_future and response.has_header("Cache-Control"):
        body_key = spec.body_key(coding) if has_body and request.method == "GET" else None
        response.replay_source = ReplaySource(snapshot, spec.cache_policy, body_key)  # type: ignore[attr-defined]
    return response
