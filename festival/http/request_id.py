"""The ID of a request: it stands in each line of the log, and an editor can quote it from an error page.

It comes from `X-Request-ID` if a trusted proxy sends one, otherwise it is made here. Responses of the back
office and errors return it; other responses do not, because caches and repeats share their headers.
"""

import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse

from festival.http.client_address import is_trusted

# The ID in the request's environ, once it is known.
REQUEST_ID = "festival.request_id"
BACK_OFFICE = "/admin/"
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")

# The ID of the request that this thread answers.
current_request_id: ContextVar[str] = ContextVar("request_id", default="")


def ensure_request_id(environ: dict[str, Any]) -> str:
    """Return the request's ID."""
    if REQUEST_ID not in environ:
        sent = environ.get("HTTP_X_REQUEST_ID", "")
        is_believed = _WELL_FORMED.fullmatch(sent) and is_trusted(environ.get("REMOTE_ADDR", ""))
        environ[REQUEST_ID] = sent if is_believed else secrets.token_hex(16)
    known: str = environ[REQUEST_ID]
    return known


class RequestIdFilter(logging.Filter):
    """Put the ID of the present request into each record of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id.get()
        return True


class RequestIdMiddleware:
    """Set `request.request_id`, and return it where no cache keeps the response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = ensure_request_id(request.META)
        request.request_id = request_id  # type: ignore[attr-defined]
        token = current_request_id.set(request_id)
        try:
            response = self.get_response(request)
        finally:
            current_request_id.reset(token)
        is_error = response.status_code >= HTTPStatus.BAD_REQUEST and not hasattr(response, "replay_source")
        if is_error or request.path_info.startswith(BACK_OFFICE):
            response["X-Request-ID"] = request_id
        return response
