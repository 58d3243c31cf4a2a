"""Error responses of the API: problem details (RFC 9457)."""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """Return an `application/problem+json` response with the extension members `more`."""
    status = HTTPStatus(status)
    body = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": detail,
        **more,
    }
    text = json.dumps(body, ensure_ascii=False)
    return HttpResponse(text, status=status, content_type="application/problem+json")
