"""How a ready answer is sent: compressed, with its validators, as 304 or 412, to HEAD without its body."""

from calendar import timegm
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date

from feeds.answers import CachedBody, ResponseCache
from feeds.codings import IDENTITY, Coding, preferred
from programme.publishing.current import CachePolicy, ServingSnapshot


@dataclass
class ResponseSpec:
    """What is to be sent, kept in a snapshot's answers under `key` and written if it is not there.

    `holds_clock`: whether time alone, without any edit, makes it untrue. `is_kept`: not for what
    readers could ask for without end. `is_asked_each_time`: whether caches must ask before they give it
    again. `headers`: further ones of the answer.
    """

    key: Hashable
    write: Callable[[], bytes]
    content_type: str
    holds_clock: bool = True
    status: HTTPStatus = HTTPStatus.OK
    is_kept: bool = True
    is_asked_each_time: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    _plain: CachedBody | None = None

    @property
    def keeping(self) -> CachePolicy:
        return CachePolicy(self.holds_clock, self.is_asked_each_time)

    def etag(self, present: ServingSnapshot, coding: Coding) -> str:
        """Return the ETag, which is kept even where the body is too large to be."""
        if not self.is_kept:
            return self._written(present).etag_in(coding)
        kept = present.answers.get(("etag", self.key), lambda: CachedBody(b"", self._written(present).etag))
        return kept.etag_in(coding)

    def body(self, present: ServingSnapshot, coding: Coding) -> bytes:
        if coding is IDENTITY or not self.is_kept:
            return self._written(present).coded(coding).body
        return present.answers.get(self.body_key(coding), lambda: self._written(present).coded(coding)).body

    def body_key(self, coding: Coding) -> Hashable:
        return self.key if coding is IDENTITY else (coding.name, self.key)

    def _written(self, present: ServingSnapshot) -> CachedBody:
        if self._plain is None:
            answers = present.answers if self.is_kept else ResponseCache(0)
            self._plain = answers.get(self.key, lambda: CachedBody.of(self.write(), self.headers))
        return self._plain


class ReplaySource(NamedTuple):
    """What an exact repeat of a request is answered from (festival/replay_cache.py), while a snapshot lives.

    `body_key` is the key of the body in its answers; None: the response has none.
    """

    present: ServingSnapshot
    keeping: CachePolicy
    body_key: Hashable | None


def respond(
    request: HttpRequest, instant: datetime, present: ServingSnapshot, told: ResponseSpec
) -> HttpResponse:
    """Return the response to GET or HEAD.

    406 (no content coding that `Accept-Encoding` allows is there) and 412 (`If-Match` or
    `If-Unmodified-Since` name another version) have no body. `Vary` is the caller's.
    """
    coding = preferred(request.headers.get("Accept-Encoding"))
    if coding is None:
        return HttpResponse(status=HTTPStatus.NOT_ACCEPTABLE)
    etag = told.etag(present, coding)
    response = _conditional(request, _head(told, present, instant, coding, etag), etag, present, instant)
    has_body = response.status_code == told.status
    if has_body:
        body = told.body(present, coding)
        response["Content-Length"] = str(len(body))
        response.content = b"" if request.method == "HEAD" else body
    if told.is_kept and present.is_settled(instant) and response.has_header("Cache-Control"):
        body_key = told.body_key(coding) if has_body and request.method == "GET" else None
        response.sent = ReplaySource(present, told.keeping, body_key)  # type: ignore[attr-defined]
    return response


def _head(
    told: ResponseSpec, present: ServingSnapshot, instant: datetime, coding: Coding, etag: str
) -> HttpResponse:
    response = HttpResponse(content_type=told.content_type, status=told.status, headers=told.headers)
    response["ETag"] = etag
    if coding is not IDENTITY:
        response["Content-Encoding"] = coding.name
    # A second that is not over may yet see another state (RFC 9110, section 8.8.2.1).
    if present.is_settled(instant):
        response["Last-Modified"] = http_date(present.last_modified.timestamp())
    response["Cache-Control"] = present.cache_control(instant, told.keeping)
    return response


def _conditional(
    request: HttpRequest, response: HttpResponse, etag: str, present: ServingSnapshot, instant: datetime
) -> HttpResponse:
    """Return the response, or 304 or 412 in its place; only what would be 2xx obeys preconditions."""
    if "If-None-Match" in request.headers:
        # It wins even where Django cannot read it (RFC 9110, section 13.1.3).
        request.META.pop("HTTP_IF_MODIFIED_SINCE", None)
    modified = timegm(present.last_modified.utctimetuple()) if present.is_settled(instant) else None
    return get_conditional_response(request, etag, modified, response)
