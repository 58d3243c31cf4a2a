"""Readers who ask again and again, and what each of their requests took."""

import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import Any, NamedTuple, Self

from benchmarks.servers import ANSWER_TIMEOUT

# How many times a reader repeats a request that fails.
MOST_ATTEMPTS = 5


class Read(NamedTuple):
    """One request: seconds until its response was read, and how many attempts it took."""

    seconds: float
    attempts: int


class Readers:
    """Readers of an address while the context is active, each with a pause (seconds) before each request."""

    def __init__(self, port: int, address: str, number: int, pause: float) -> None:
        self.port = port
        self.address = address
        self.pause = pause
        self.reads: list[Read] = []
        self._stopping = Event()
        self._threads = [Thread(target=self._read, daemon=True) for _ in range(number)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _read(self) -> None:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_TIMEOUT)) as connection:
            while not self._stopping.wait(self.pause):
                began = time.perf_counter()
                attempts = 1
                while not self._ask(connection) and attempts < MOST_ATTEMPTS:
                    attempts += 1
                self.reads.append(Read(time.perf_counter() - began, attempts))

    def _ask(self, connection: HTTPConnection) -> bool:
        """Return whether a request was answered; after a failure, the next one has a new connection."""
        try:
            connection.request("GET", self.address, headers={"Accept-Encoding": "gzip"})
            response = connection.getresponse()
            response.read()
        except (OSError, HTTPException):
            connection.close()
            return False
        return response.status == 200  # noqa: PLR2004 - it is the answer


def describe(reads: list[Read]) -> dict[str, Any]:
    taken = sorted(read.seconds for read in reads)
    return {"requests": len(taken), "p99": taken[int(len(taken) * 0.99)] * 1000, "slowest": taken[-1] * 1000}
