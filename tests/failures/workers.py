"""Each worker of a service, asked on a connection of its own."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from http.client import HTTPConnection

from tests.failures.service import Answer, Service, ask
from tests.failures.wait import until

Spans = list[str]


def spans(body: bytes) -> Spans:
    """Return what a JSON answer says of its elements: `Klockan idag 14:00–15:00`."""
    return [f"{element['title']} {element['occation']['timeSpan']}" for element in json.loads(body)]


class Workers:
    """Asks each of the workers, so that none is left out by chance."""

    def __init__(self, service: Service, connections: dict[int, HTTPConnection]) -> None:
        self.service = service
        self.connections = connections

    def ask(self, path: str) -> list[Answer]:
        """Return the answer of each worker."""
        return [ask(connection, path) for connection in self.connections.values()]

    def until_all(self, path: str, is_so: Callable[[Answer], bool]) -> None:
        """Return once what each worker answers is so."""
        until(f"so in every worker: {path}", lambda: all(is_so(answer) for answer in self.ask(path)))

    def turn(self, path: str, instant: datetime, before: Spans, after: Spans) -> None:
        """Let the clock pass an instant: each answer is true at some moment while it is asked for."""
        self.service.set_clock(instant - timedelta(seconds=0.3))
        waiting = dict(self.connections)

        def all_have_turned() -> bool:
            for worker, connection in list(waiting.items()):
                asked = self.service.now()
                told = spans(ask(connection, path).body)
                true = [before] * (asked < instant) + [after] * (self.service.now() >= instant)
                assert told in true, f"asked at {asked}, turns at {instant}"
                if asked >= instant:
                    del waiting[worker]
            return not waiting

        until(f"turned over in every worker: {path}", all_have_turned)
