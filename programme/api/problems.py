"""Error responses of the API: problem details (RFC 9457)."""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """Return an `application/problem+json` response with the extension members `more`.

    Caches would keep some for hours (RFC 9110, section 15.1), also when what was gone is back.
    """
    status = HTTPStatus(status)
    body = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": detail,
        **more,
    }
    text = json.dumps(body, ensure_ascii=False)
    headers = {"Content-Type": "application/problem+json", "Cache-Control": "no-store"}
    return HttpResponse(text, status=status, headers=headers)
