"""Editors never see a state older than what they have saved, whichever process answers them.

A response that may have saved something sets a cookie with the number of the revision. A process that gets
it with a request waits until it has that revision.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import Error
from django.http import HttpRequest, HttpResponse

from festival.http.content_policy import BACK_OFFICE
from programme.publishing import loading

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

# The cookie's name, and its age in seconds: afterwards every process has the revision.
COOKIE, MAX_AGE = "revision", 10
_VALUE = re.compile(rf"(?:^|; *)(?:__Host-)?{COOKIE}=([^;]+)")
# Signed, lest anybody lets threads wait for a revision that there will never be.
_signer = Signer(salt=__name__)

# Requests with these statuses have saved nothing, and without the database nobody knows who sent them.
NOT_SAVED = {*range(HTTPStatus.BAD_REQUEST, HTTPStatus.INTERNAL_SERVER_ERROR), HTTPStatus.SERVICE_UNAVAILABLE}


def find_revision(environ: dict[str, Any]) -> int | None:
    """Return the number of the revision that a request's sender has made, if it has made one just now.

    The back office reads the database.
    """
    found = _VALUE.search(environ.get("HTTP_COOKIE", ""))
    if found is None or environ["PATH_INFO"].startswith(BACK_OFFICE):
        return None
    try:
        return int(_signer.unsign(found[1]))
    except BadSignature:
        return None


def _may_have_saved(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a logged-in user may have saved something; requests of others have no effect.

    A view that tells what an earlier request has saved says so by `has_saved`.
    """
    user = getattr(request, "user", None)
    is_writing = getattr(request, "has_saved", request.method not in SAFE_METHODS)
    return is_writing and response.status_code not in NOT_SAVED and user is not None and user.is_authenticated


class ReadYourWritesMiddleware:
    """Tell the sender of a request that may have saved something which revision to wait for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if _may_have_saved(request, response):
            with suppress(Error):
                _set_cookie(response, loading.fetch_revision().number)
        return response


def _set_cookie(response: HttpResponse, number: int) -> None:
    response.set_cookie(
        f"__Host-{COOKIE}" if settings.SERVED_OVER_TLS else COOKIE,
        _signer.sign(str(number)),
        max_age=MAX_AGE,
        secure=settings.SERVED_OVER_TLS,
        httponly=True,
        samesite="Lax",
    )
