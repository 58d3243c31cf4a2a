"""Lists that tests create as a browser does."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from pages.starred.limits import ALL_LIMITS
from pages.starred.store import memory

Send = Callable[..., HttpResponse]


@pytest.fixture(autouse=True)
def _fresh_process() -> None:
    memory.clear()
    for limit in ALL_LIMITS:
        limit.clear()


@pytest.fixture
def send(client: Client) -> Send:
    """Return a function that sends a body as a page of the service does; other headers are its own."""

    def send(method: str, secret: str, body: Any = b"", **headers: str) -> HttpResponse:
        own = {"X-Starred-List": secret, "Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"}
        return client.generic(
            method,
            "/my-list",
            body if isinstance(body, (bytes, str)) else json.dumps(body),
            content_type="application/json",
            headers={name: value for name, value in {**own, **headers}.items() if value},
        )

    return send


class StoredList:
    def __init__(self, send: Send, secret: str, address: str) -> None:
        self.send = send
        self.secret = secret
        self.path = f"/my-list/{address}.ics"

    def change(self, **changes: list[int]) -> HttpResponse:
        return self.send("PATCH", self.secret, changes)


@pytest.fixture
def create(send: Send) -> Callable[..., StoredList]:
    def create(*occasions: int) -> StoredList:
        response = send("POST", "new", {"occasions": occasions})
        assert response.status_code == 201
        return StoredList(send, **response.json())

    return create
