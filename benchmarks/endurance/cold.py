"""How long the first readers wait, of a server that has just started and after an edit."""

import time
from statistics import median
from typing import NamedTuple

from benchmarks.endurance.connection import Connection
from benchmarks.endurance.hostile import HostileRequest
from benchmarks.endurance.service import RunningService
from benchmarks.endurance.unusual_values import EXTENSIONS

EDITS = 7
# Longer than a process trusts the revision that it has read.
REVISION_TRUST = 0.4
# So many that each worker gets some of them.
CONNECTIONS = 12


class ColdTimings(NamedTuple):
    """Seconds: the whole list in JSON with gzip, of a server just started and first after an edit; the
    slowest first answer in any format and language before anything of it was remembered.
    """

    started: float
    edited: float
    format: float

    @property
    def bar(self) -> float:
        """What no answer to hostile input may take: twice the cold whole list."""
        return 2 * self.edited


def measure(service: RunningService) -> ColdTimings:
    """Measure; afterwards each worker has written each format once."""
    started = _ask(service, "/api/events.json")
    slowest = max(
        _ask(service, f"/api/events.{extension}?language={language}")
        for language in ("sv", "en")
        for extension in EXTENSIONS
        for _ in range(CONNECTIONS)
    )
    return ColdTimings(started, median(_after_an_edit(service, number) for number in range(EDITS)), slowest)


def _after_an_edit(service: RunningService, number: int) -> float:
    with service.database() as database:
        database.execute("UPDATE programme_event SET title = %s WHERE id = 1", [f"Edited {number} times"])
    time.sleep(REVISION_TRUST)
    return _ask(service, "/api/events.json")


def _ask(service: RunningService, path: str) -> float:
    with Connection(service.port) as connection:
        return connection.ask(
            HostileRequest("GET", path, (("Host", "localhost"), ("Accept-Encoding", "gzip")))
        ).seconds
