"""What an error of the API looks like (RFC 9457)."""

from http import HTTPStatus
from typing import Any


def problem(status: HTTPStatus, detail: str, **more: object) -> dict[str, object]:
    return {"type": "about:blank", "title": status.phrase, "status": status.value, "detail": detail, **more}


def assert_problem(response: Any, expected: dict[str, object]) -> None:
    assert response.status_code == expected["status"]
    assert response["Content-Type"] == "application/problem+json"
    assert response["Cache-Control"] == "no-store"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response.json() == expected
