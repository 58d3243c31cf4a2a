"""The ID of a request, which an editor can quote from an error page: docs/monitoring.md, "Logs"."""

import re
import secrets
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

from festival.configuration.logs import current_request_id
from festival.http.base import Middleware
from festival.http.headers import BACK_OFFICE
from programme.api.client_address import is_trusted

_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")


class RequestIdMiddleware(Middleware):
    """Sets `request.request_id`, and the header of responses that no cache stores."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.META.get("HTTP_X_REQUEST_ID", "")
        is_believed = _WELL_FORMED.fullmatch(sent) and is_trusted(request.META.get("REMOTE_ADDR", ""))
        request_id = request.request_id = sent if is_believed else secrets.token_hex(16)  # type: ignore[attr-defined]
        token = current_request_id.set(request_id)
        try:
            response = self.get_response(request)
        finally:
            current_request_id.reset(token)
        is_error = response.status_code >= HTTPStatus.BAD_REQUEST and not hasattr(response, "replay_source")
        if is_error or request.path_info.startswith(BACK_OFFICE):
            response["X-Request-ID"] = request_id
        return response
