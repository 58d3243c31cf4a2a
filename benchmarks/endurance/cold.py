"""The response times of first requests after a start and after an edit."""

import time
from statistics import median
from typing import NamedTuple

from benchmarks.endurance.connection import Connection
from benchmarks.endurance.hostile import HostileRequest
from benchmarks.endurance.service import RunningService
from benchmarks.endurance.unusual_values import EXTENSIONS

EDITS = 7
# Longer than a process trusts its revision.
REVISION_TRUST = 0.4
# Enough to reach every worker.
CONNECTIONS = 12


class ColdTimings(NamedTuple):
    """Seconds for the whole list in JSON with gzip, after a start and after an edit, and for the slowest
    first answer in any format and language, or of the whole document.
    """

    started: float
    edited: float
    format: float

    @property
    def limit(self) -> float:
        """The limit for answers to hostile input: twice the dearest of ordinary answers."""
        return 2 * self.format


def measure(service: RunningService) -> ColdTimings:
    """Measure; afterwards each worker has written each format once."""
    started = _request(service, "/api/events.json")
    # Which is compressed thoroughly.
    document = _request(service, "/api/programme", "br")
    slowest = max(
        _request(service, f"/api/events.{extension}?language={language}")
        for language in ("sv", "en")
        for extension in EXTENSIONS
        for _ in range(CONNECTIONS)
    )
    edited = median(_after_an_edit(service, number) for number in range(EDITS))
    return ColdTimings(started, edited, max(document, slowest))


def _after_an_edit(service: RunningService, number: int) -> float:
    with service.database() as database:
        database.execute("UPDATE programme_event SET title = %s WHERE id = 1", [f"Edited {number} times"])
    time.sleep(REVISION_TRUST)
    return _request(service, "/api/events.json")


def _request(service: RunningService, path: str, coding: str = "gzip") -> float:
    with Connection(service.port) as connection:
        return connection.request(
            HostileRequest("GET", path, (("Host", "localhost"), ("Accept-Encoding", coding)))
        ).seconds
