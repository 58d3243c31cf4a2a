"""Read-your-writes consistency for editors: a cookie has the revision to wait for."""

import re
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import Error
from django.http import HttpRequest, HttpResponse

from festival.http.base import Middleware
from festival.http.headers import BACK_OFFICE
from programme.publishing import loading

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

# The cookie's name, and its age in seconds: afterwards every process has the revision.
COOKIE, MAX_AGE = "revision", 10
_VALUE = re.compile(rf"(?:^|; *)(?:__Host-)?{COOKIE}=([^;]+)")
# Signed, so that nobody can let threads wait for an invented revision.
_signer = Signer(salt=__name__)


def find_revision(environ: dict[str, Any]) -> int | None:
    """Return the number of the revision that the request's sender has just saved, if any."""
    found = _VALUE.search(environ.get("HTTP_COOKIE", ""))
    if found is None or environ["PATH_INFO"].startswith(BACK_OFFICE):
        return None
    try:
        return int(_signer.unsign(found[1]))
    except BadSignature:
        return None


class ReadYourWritesMiddleware(Middleware):
    """Sets the cookie after requests of signed-in users that may have saved something.

    A view that shows the result of an earlier request sets `has_saved`.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "user", None)
        is_writing = getattr(request, "has_saved", request.method not in SAFE_METHODS)
        if is_writing and response.status_code < HTTPStatus.BAD_REQUEST and user and user.is_authenticated:
            with suppress(Error):
                response.set_cookie(
                    f"__Host-{COOKIE}" if settings.SERVED_OVER_TLS else COOKIE,
                    _signer.sign(str(loading.fetch_revision().number)),
                    max_age=MAX_AGE,
                    secure=settings.SERVED_OVER_TLS,
                    httponly=True,
                    samesite="Lax",
                )
        return response
