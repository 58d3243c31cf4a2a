"""The checks of requests to change a list: from a page of this service, without a cookie, small, and JSON."""

import re
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Annotated, TypeVar
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import UnreadablePostError

from programme.api.problems import build_problem

# The secret of a list, or NEW. No form and no link of another website can send it.
HEADER = "X-Starred-List"
NEW = "new"
_SECRET = re.compile("[0-9a-f]{32}")
# Bytes: twice 500 IDs of 18 digits.
MAX_BODY = 20_000
# Bodies that a process reads at a time: the server's read has no time limit. A proxy sends a body at once.
BODIES = 4
_bodies = BoundedSemaphore(BODIES)

OccasionId = Annotated[int, msgspec.Meta(ge=1, lt=10**18)]


class Creation(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST."""

    occasions: list[OccasionId]


class StarChange(msgspec.Struct, forbid_unknown_fields=True):
    """The body of PATCH; repeating it has no effect."""

    add: list[OccasionId] = []
    remove: list[OccasionId] = []


Body = TypeVar("Body", Creation, StarChange)


class RefusedError(Exception):
    """A request that is answered with problem details (RFC 9457); `retry_after` is in seconds."""

    def __init__(self, status: HTTPStatus, detail: str, retry_after: int = 0) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.retry_after = retry_after

    @property
    def response(self) -> HttpResponse:
        response = build_problem(self.status, self.detail)
        if self.retry_after:
            response["Retry-After"] = str(self.retry_after)
        # Django would log the path of each 503.
        vars(response)["_has_been_logged"] = True
        return response


def require_own_page(request: HttpRequest) -> None:
    """Refuse requests of pages of other origins; programs other than browsers send no origin."""
    base = urlsplit(settings.BASE_URL)
    own = {None, f"{base.scheme}://{base.netloc}", f"{request.scheme}://{request.get_host()}"}
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if site != "same-origin" or request.headers.get("Origin") not in own:
        raise RefusedError(HTTPStatus.FORBIDDEN, "Only pages of this service may change lists.")


def get_secret(request: HttpRequest) -> str:
    secret = request.headers.get(HEADER, "")
    if not _SECRET.fullmatch(secret):
        raise RefusedError(HTTPStatus.FORBIDDEN, f"{HEADER} must hold the list's secret.")
    return secret


def parse_body(request: HttpRequest, kind: type[Body]) -> Body:
    if request.content_type != "application/json":
        raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.")
    try:
        return msgspec.json.decode(_read_body(request), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "The body cannot be understood.") from error


def _read_body(request: HttpRequest) -> bytes:
    if "HTTP_TRANSFER_ENCODING" in request.META:
        raise RefusedError(HTTPStatus.LENGTH_REQUIRED, "Content-Length is required.")
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isascii() or not length.isdecimal():
        raise RefusedError(HTTPStatus.BAD_REQUEST, "Content-Length is not a number.")
    if len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
        detail = f"The body must have at most {MAX_BODY} bytes."
        raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)
    if not _bodies.acquire(blocking=False):
        detail = "Too many requests are being read."
        raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, detail, retry_after=1)
    try:
        return request.body
    except UnreadablePostError as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "The body has not arrived.") from error
    finally:
        _bodies.release()
