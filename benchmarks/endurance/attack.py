"""At least so many hostile requests against the running service, and what came of them."""

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from schemathesis import Case
from schemathesis.core.transport import Response

from benchmarks.endurance import framing
from benchmarks.endurance.conformance import explore
from benchmarks.endurance.connection import Connection, encode_request
from benchmarks.endurance.hostile import HostileRequest, KnownValues, generate_request
from benchmarks.endurance.service import RunningService
from benchmarks.endurance.verdicts import Answer, find_faults

# How many requests go by between two that are odd in form, repeated, or looked into.
MALFORMED_EVERY, REPEATED_EVERY, PARSED_EVERY, MEMORY_EVERY = 20, 10, 5, 100
# So many ETags of answers are sent back.
MAX_TAGS = 500
# What may differ between two answers to the same request.
VARIABLE_HEADERS = {"date", "last-modified", "cache-control", "transfer-encoding"}


class SlowAnswer(NamedTuple):
    """An answer and how long it took."""

    seconds: float
    what: str


@dataclass
class Tally:
    """What came of the requests."""

    requests: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    slowest: list[SlowAnswer] = field(default_factory=list)
    memory: list[list[int]] = field(default_factory=list)

    def count(self, status: int | None, seconds: float | None, what: str) -> None:
        """Count a request; `seconds` is None where the request itself took its time."""
        self.requests += 1
        self.statuses[str(status or "no answer")] += 1
        if seconds is not None:
            self.seconds.append(seconds)
            self.slowest = sorted([*self.slowest, SlowAnswer(seconds, what)], reverse=True)[:10]

    def blame(self, found: Iterable[str], what: str) -> None:
        for fault in found:
            self.faults[fault] += 1
            self.examples.setdefault(fault, what)


class Attack:
    """Requests sent one after the other, so that each is timed alone."""

    def __init__(self, service: RunningService, seed: str) -> None:
        self.service = service
        self.seed = seed
        self.tally = Tally()
        self.known = read_known_values(service)
        self.connections = [Connection(service.port) for _ in range(2)]

    def run(self, requests: int) -> Tally:
        """Send so many requests, a quarter of them schemathesis's."""
        workers = set(self.service.workers)
        for number in itertools.count():
            if self.tally.requests >= requests * 3 // 4:
                break
            self._next(number)
            self._weigh(number)
        self._explore(requests - self.tally.requests)
        if set(self.service.workers) != workers:
            self.tally.blame(["a worker was lost"], self.seed)
        return self.tally

    def _next(self, number: int) -> None:
        name = f"{self.seed}/{number}"
        random = Random(name)
        request = generate_request(random, self.known)
        if number % MALFORMED_EVERY == 0:
            self._send_odd(request, random, name)
            return
        connection = self.connections[number % len(self.connections)]
        what = f"{name}: {describe(request)}"
        answer = self._send(connection, request, what, thoroughly=number % PARSED_EVERY == 0)
        if answer and number % REPEATED_EVERY == 1:
            self._repeat(connection, request, answer, what)

    def _weigh(self, number: int) -> None:
        if number % MEMORY_EVERY == 0:
            self.tally.memory.append(self.service.memory())

    def _send(
        self, connection: Connection, request: HostileRequest, what: str, *, thoroughly: bool
    ) -> Answer | None:
        """Send a request and judge its answer; None: the server answered by itself, or not at all."""
        timed = connection.ask(request)
        self.tally.count(timed.status, timed.seconds, what)
        if timed.answer is None:
            self.tally.blame(["no answer"], what)
        elif not _is_refusal(timed.answer, encode_request(request)):
            self.tally.blame(find_faults(request, timed.answer, thoroughly=thoroughly), what)
            self._learn(timed.answer)
            return timed.answer
        return None

    def _learn(self, answer: Answer) -> None:
        if (etag := answer.headers.get("etag")) and len(self.known.tags) < MAX_TAGS:
            self.known.tags.append(etag)

    def _repeat(self, connection: Connection, request: HostileRequest, before: Answer, what: str) -> None:
        """Ask again, and once more for the head: both must be told the same."""
        again = self._send(connection, request, f"{what}, again", thoroughly=False)
        if again is None or _lasting(again) != _lasting(before):
            self.tally.blame(["the same request is answered otherwise"], what)
        head = self._send(connection, request._replace(method="HEAD"), f"{what}, its head", thoroughly=False)
        if request.method == "GET" and (
            head is None or _lasting(head) != _lasting(before._replace(body=b""))
        ):
            self.tally.blame(["HEAD is answered otherwise"], what)

    def _send_odd(self, request: HostileRequest, random: Random, name: str) -> None:
        """Send what is odd in form on a connection of its own; what is no request need not be answered."""
        data = framing.build_malformed_request(request, random)
        may_be_refused, what = framing.may_be_refused(data), f"{name}: {data[:200]!r}"
        with Connection(self.service.port) as connection:
            timed = connection.send(data, request.method, ends=may_be_refused)
        self.tally.count(timed.status, None if may_be_refused else timed.seconds, what)
        if timed.answer is None and not may_be_refused:
            self.tally.blame(["no answer"], what)
        elif timed.answer and timed.answer.status >= 500 and not _is_refusal(timed.answer, data):
            self.tally.blame([f"status {timed.answer.status}"], what)

    def _explore(self, requests: int) -> None:
        def record(case: Case, response: Response, seconds: float, wrong: list[str]) -> None:
            what = case.as_curl_command()[:400]
            self.tally.count(response.status_code, seconds, what)
            self.tally.blame(wrong, what)
            self._weigh(self.tally.requests)

        explore(requests // 2, record, base_url=f"http://localhost:{self.service.port}")


def read_known_values(service: RunningService) -> KnownValues:
    """Return names of the programme, and a list of ETags that grows with the answers seen."""
    tables = ("area", "subarea", "room", "organizer")
    query = "SELECT name FROM programme_{} ORDER BY id LIMIT 40"
    with service.database() as database:
        found = [database.execute(query.format(table)).fetchall() for table in tables]
    names = [name for rows in found for (name,) in rows]
    return KnownValues([*names, "none", "1", "2", "17"], ['"x"'])


def _is_refusal(answer: Answer, data: bytes) -> bool:
    """Return whether the server answered by itself what it may refuse."""
    by_itself = "access-control-allow-origin" not in answer.headers and not answer.body
    return by_itself and answer.status in framing.REFUSALS and framing.may_be_refused(data)


def _lasting(answer: Answer) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in answer.headers.items() if name not in VARIABLE_HEADERS}
    return answer.status, headers, answer.body


def describe(request: HostileRequest) -> str:
    headers = ", ".join(f"{name}: {value[:40]!r}{len(value)}" for name, value in request.headers)
    return f"{request.method} {request.target[:120]!r} ({len(request.target)} bytes) [{headers}]"
