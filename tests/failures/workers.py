"""Requests to each worker of a service on its own connection."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from http.client import HTTPConnection

from tests.failures.service import Answer, Service, get
from tests.failures.wait import wait_until

Spans = list[str]


def spans(body: bytes) -> Spans:
    """Return title and time span of each element: `Klockan idag 14:00–15:00`."""
    return [f"{element['title']} {element['occation']['timeSpan']}" for element in json.loads(body)]


class Workers:
    """Sends each request to every worker."""

    def __init__(self, service: Service, connections: dict[int, HTTPConnection]) -> None:
        self.service = service
        self.connections = connections

    def get(self, path: str) -> list[Answer]:
        """Return the answer of each worker."""
        return [get(connection, path) for connection in self.connections.values()]

    def until_all(self, path: str, is_so: Callable[[Answer], bool]) -> None:
        """Wait until the answer of each worker meets a condition."""
        wait_until(
            f"every worker answers as expected: {path}",
            lambda: all(is_so(answer) for answer in self.get(path)),
        )

    def pass_instant(self, path: str, instant: datetime, before: Spans, after: Spans) -> None:
        """Let the clock pass an instant; each answer must be true at some moment of its request."""
        self.service.set_clock(instant - timedelta(seconds=0.3))
        waiting = dict(self.connections)

        def all_have_changed() -> bool:
            for worker, connection in list(waiting.items()):
                requested_at = self.service.now()
                content = spans(get(connection, path).body)
                true = [before] * (requested_at < instant) + [after] * (self.service.now() >= instant)
                assert content in true, f"requested at {requested_at}, changes at {instant}"
                if requested_at >= instant:
                    del waiting[worker]
            return not waiting

        wait_until(f"every worker has passed the instant: {path}", all_have_changed)
