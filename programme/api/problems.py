"""Error responses of the API: problem details (RFC 9457)."""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from rest_framework.exceptions import APIException

from feeds.negotiation import CODINGS


def build_problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """Return an `application/problem+json` response with the extension members `more`.

    `no-store`, because caches may store some statuses for hours by default (RFC 9110, section 15.1).
    """
    status = HTTPStatus(status)
    body = {"type": "about:blank", "title": status.phrase, "status": status.value, "detail": detail, **more}
    text = json.dumps(body, ensure_ascii=False)
    headers = {"Content-Type": "application/problem+json", "Cache-Control": "no-store"}
    return HttpResponse(text, status=status, headers=headers)


DETAILS: dict[int, str] = {
    HTTPStatus.NOT_ACCEPTABLE: (
        "No available content coding matches the Accept-Encoding header. Available codings:"
        f" {', '.join(each.name for each in CODINGS)}."
    ),
    HTTPStatus.GONE: "The occasion has been removed from the programme.",
    HTTPStatus.PRECONDITION_FAILED: (
        "The current version is not the one that If-Match or If-Unmodified-Since names."
    ),
}


class StatusError(APIException):
    """An exception for statuses without a class in DRF (RFC 9110, sections 12.5.3, 13.1 and 15.5.11)."""

    def __init__(self, status: int) -> None:
        super().__init__(DETAILS[status])
        self.status_code = status
