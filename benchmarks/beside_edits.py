"""Readers under the production server while one event is edited every second, or as often as asked for."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count, cycle, pairwise
from math import inf
from statistics import mean, median
from threading import Event, Thread
from typing import Any, NamedTuple, Self

import msgspec

from benchmarks import processes
from benchmarks.databases import Environment, program
from benchmarks.readers import Read, Readers, describe
from benchmarks.servers import SERVICE, Server, connect_to_each_worker, get, run_server

# Readers of a small selection and of the whole calendar: how many, and how long each pauses.
SMALL, CALENDAR = (4, 0.02), (1, 0.5)
CALENDAR_ADDRESS = "/api/events.ics"
SMALL_SELECTION = 4
EDIT_INTERVAL = 1.0
# Readers are measured without and beside edits in turn, so that both have the same share of a busy machine.
ROUNDS = 3
# Seconds that a poller has to see an edit, and between two of its requests.
POLL_TIME, POLL_PAUSE = 0.25, 0.001

Figures = dict[str, Any]


class Editor:
    """A process that edits events through Django's models, for as long as the context is active."""

    def __init__(self, environment: Environment, events: int) -> None:
        self.events = events
        self.edits = 0
        self._command = program(environment, "-m", "benchmarks.steps", "edit_on_request")

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(**self._command, stdin=pipe, stdout=pipe, text=True)
        self.edit()
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate()

    def edit(self, event: int | None = None) -> float:
        """Edit an event, by default another one each time; return when that was committed (monotonic)."""
        self.edits += 1
        chosen = event or 1 + self.edits * 619 % self.events
        print(chosen, self.edits, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())  # type: ignore[union-attr]  # a pipe, as asked for

    @contextmanager
    def editing(self, interval: float = EDIT_INTERVAL) -> Iterator[None]:
        """Edit at intervals, in a thread, while the context is active."""
        stopping = Event()
        thread = Thread(target=self._edit_until, args=(stopping, interval), daemon=True)
        thread.start()
        yield
        stopping.set()
        thread.join()

    def _edit_until(self, stopping: Event, interval: float) -> None:
        while not stopping.wait(interval):
            self.edit()


def measure(environment: Environment, events: int, seconds: int, edits: int) -> Figures:
    """Return what readers notice of edits, and what those cost the server's processes."""
    with run_server(SERVICE, environment) as server, Editor(environment, events) as editor:
        small = _find_small(server)
        readers = _beside_readers(server, editor, small, seconds)
        memory = {"memory": processes.megabytes_of_all(server.process)}
        return {**readers, **memory, **_alone(server, editor, seconds), **_poll(server, editor, small, edits)}


def _find_small(server: Server) -> str:
    """Return the address of an organizer with four occasions, whatever the size of the programme."""
    for organizer in count(1):
        address = f"/api/events.json?organizer={organizer}"
        if len(msgspec.json.decode(get(server.port, address, {})[2])) == SMALL_SELECTION:
            return address
    raise AssertionError


# --- Readers ------------------------------------------------------------------------------------


class Beside(NamedTuple):
    """What one stretch of reading has brought: reads of the small selection, and how many of all failed."""

    reads: list[Read]
    failed: int
    processor_time: float
    edits: int
    seconds: float


def _beside_readers(server: Server, editor: Editor, small: str, seconds: int) -> Figures:
    quiet, edited = [], []
    for _ in range(min(seconds, ROUNDS)):
        quiet.append(_read(server, editor, small, seconds / ROUNDS))
        with editor.editing():
            edited.append(_read(server, editor, small, seconds / ROUNDS))
    before, beside = _all_reads(quiet), _all_reads(edited)
    used = sum(each.processor_time for each in edited) - sum(each.processor_time for each in quiet)
    lasted = sum(each.seconds for each in edited)
    return {
        "cores": sum(each.processor_time for each in edited) / lasted,
        "p99 without": before["p99"],
        "p99": beside["p99"],
        "slowest": beside["slowest"],
        "failed": sum(each.failed for each in quiet + edited),
        "beside readers": used / max(1, sum(each.edits for each in edited)) * 1000,
    }


def _all_reads(stretches: list[Beside]) -> Figures:
    return describe([read for each in stretches for read in each.reads])


def _read(server: Server, editor: Editor, small: str, seconds: float) -> Beside:
    edits, used = editor.edits, processes.processor_seconds_of_all(server.process)
    with (
        Readers(server.port, small, *SMALL) as several,
        Readers(server.port, CALENDAR_ADDRESS, *CALENDAR) as one,
    ):
        time.sleep(seconds)
    used = processes.processor_seconds_of_all(server.process) - used
    failed = sum(read.attempts - 1 for read in several.reads + one.reads)
    return Beside(several.reads, failed, used, editor.edits - edits, seconds)


# --- Processor time without readers -------------------------------------------------------------


def _alone(server: Server, editor: Editor, seconds: int) -> Figures:
    """Return milliseconds of processor time for an edit, beside as long without any."""
    workers = list(connect_to_each_worker(server))
    idle = _used(server, workers, seconds)
    edits = editor.edits
    with editor.editing(EDIT_INTERVAL / 2):
        edited = _used(server, workers, seconds)
    edits = max(1, editor.edits - edits)
    cost = {name: (edited[name] - idle[name]) / edits * 1000 for name in idle}
    return {**cost, "idle cores": idle["all processes"] / seconds}


def _used(server: Server, workers: list[int], seconds: int) -> Figures:
    before = _processor_time(server, workers)
    time.sleep(seconds)
    after = _processor_time(server, workers)
    return {name: after[name] - before[name] for name in after}


def _processor_time(server: Server, workers: list[int]) -> Figures:
    return {
        "all processes": processes.processor_seconds_of_all(server.process),
        "one worker": mean(map(processes.processor_seconds, workers)),
    }


# --- When an edit is seen -----------------------------------------------------------------------


class Poll(NamedTuple):
    """Which edit a worker showed, and when."""

    worker: int
    at: float
    edit: int


def _poll(server: Server, editor: Editor, small: str, edits: int) -> Figures:
    """Let a reader alternate between the workers while an event is edited; see when each shows it."""
    connections = connect_to_each_worker(server)
    event = msgspec.json.decode(get(server.port, small, {})[2])[0]["id"]
    delays, went_back = [], 0
    for _ in range(edits):
        with _alternating(connections, small, event) as polls:
            committed = editor.edit(event)
            time.sleep(POLL_TIME)
        delays += [_first_shown(polls, worker, editor.edits) - committed for worker in connections]
        went_back += any(later.edit < earlier.edit for earlier, later in pairwise(polls))
    return {
        "polled": edits,
        "seen": median(delays) * 1000,
        "last": max(delays) * 1000,
        "went back": went_back,
    }


@contextmanager
def _alternating(connections: dict[int, HTTPConnection], small: str, event: int) -> Iterator[list[Poll]]:
    polls: list[Poll] = []
    stopping = Event()

    def run() -> None:
        for worker, connection in cycle(connections.items()):
            if stopping.wait(POLL_PAUSE):
                return
            connection.request("GET", small)
            elements = msgspec.json.decode(connection.getresponse().read())
            (title, *_) = (each["title"] for each in elements if each["id"] == event)
            polls.append(
                Poll(worker, time.monotonic(), int(title.removeprefix("Edited ") if "Edited" in title else 0))
            )

    thread = Thread(target=run, daemon=True)
    thread.start()
    yield polls
    stopping.set()
    thread.join()


def _first_shown(polls: list[Poll], worker: int, edit: int) -> float:
    """Return when a worker first showed an edit; infinity if it has not."""
    return next((each.at for each in polls if each.worker == worker and each.edit == edit), inf)
