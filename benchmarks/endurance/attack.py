"""Hostile requests against the running service, and a tally of the answers."""

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from schemathesis import Case
from schemathesis.core.transport import Response

from benchmarks.endurance import framing, lists
from benchmarks.endurance.conformance import explore
from benchmarks.endurance.connection import Connection, encode_request
from benchmarks.endurance.hostile import HostileRequest, KnownValues, generate_request
from benchmarks.endurance.service import RunningService
from benchmarks.endurance.verdicts import Answer, find_faults

# Of so many requests, one is malformed, repeated, has its body parsed, or is to a visitor's list; one is
# followed by a memory sample.
MALFORMED_EVERY, REPEATED_EVERY, PARSED_EVERY, LIST_EVERY, MEMORY_EVERY = 20, 10, 5, 12, 100
# The number of ETags that are sent back.
MAX_TAGS = 500
# Headers that may differ between two answers to the same request.
VARIABLE_HEADERS = {"date", "last-modified", "cache-control", "transfer-encoding", "x-request-id"}


class SlowAnswer(NamedTuple):
    """The duration and the description of a request."""

    seconds: float
    what: str


@dataclass
class Tally:
    """The results of the requests."""

    requests: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    slowest: list[SlowAnswer] = field(default_factory=list)
    memory: list[list[int]] = field(default_factory=list)

    def count(self, status: int | None, seconds: float | None, what: str) -> None:
        """Count a request; `seconds` is None if the request itself was slow."""
        self.requests += 1
        self.statuses[str(status or "no answer")] += 1
        if seconds is not None:
            self.seconds.append(seconds)
            self.slowest = sorted([*self.slowest, SlowAnswer(seconds, what)], reverse=True)[:10]

    def record_faults(self, found: Iterable[str], what: str) -> None:
        for fault in found:
            self.faults[fault] += 1
            self.examples.setdefault(fault, what)


class Attack:
    """Sequential requests, so that each is timed alone."""

    def __init__(self, service: RunningService, seed: str) -> None:
        self.service = service
        self.seed = seed
        self.tally = Tally()
        self.known = read_known_values(service)
        self.lists: list[lists.KnownList] = []
        self.connections = [Connection(service.port) for _ in range(2)]

    def run(self, requests: int) -> Tally:
        """Send so many requests, a quarter of them from schemathesis."""
        workers = set(self.service.workers)
        for number in itertools.count():
            if self.tally.requests >= requests * 3 // 4:
                break
            self._next(number)
            self._sample_memory(number)
        self._explore(requests - self.tally.requests)
        if set(self.service.workers) != workers:
            self.tally.record_faults(["a worker was lost"], self.seed)
        return self.tally

    def _next(self, number: int) -> None:
        name = f"{self.seed}/{number}"
        random = Random(name)
        if number % LIST_EVERY == 5:
            self._send_to_list(random, name)
            return
        request = generate_request(random, self.known)
        if number % MALFORMED_EVERY == 0:
            self._send_malformed(request, random, name)
            return
        connection = self.connections[number % len(self.connections)]
        what = f"{name}: {describe(request)}"
        answer = self._send(connection, request, what, thoroughly=number % PARSED_EVERY == 0)
        if answer and number % REPEATED_EVERY == 1:
            self._repeat(connection, request, answer, what)

    def _sample_memory(self, number: int) -> None:
        if number % MEMORY_EVERY == 0:
            self.tally.memory.append(self.service.memory())

    def _send(
        self, connection: Connection, request: HostileRequest, what: str, *, thoroughly: bool
    ) -> Answer | None:
        """Send a request and check its answer; return None if the server itself refused it, or gave none."""
        timed = connection.request(request)
        self.tally.count(timed.status, timed.seconds, what)
        if timed.answer is None:
            self.tally.record_faults(["no answer"], what)
        elif not _is_refusal(timed.answer, encode_request(request)):
            self.tally.record_faults(find_faults(request, timed.answer, thoroughly=thoroughly), what)
            self._store_tag(timed.answer)
            return timed.answer
        return None

    def _store_tag(self, answer: Answer) -> None:
        if (etag := answer.headers.get("etag")) and len(self.known.tags) < MAX_TAGS:
            self.known.tags.append(etag)

    def _repeat(self, connection: Connection, request: HostileRequest, before: Answer, what: str) -> None:
        """Repeat a request, and send it as HEAD: the answers must be the same."""
        again = self._send(connection, request, f"{what}, again", thoroughly=False)
        if again is None or _constant_parts(again) != _constant_parts(before):
            self.tally.record_faults(["the same request has another answer"], what)
        head = self._send(connection, request._replace(method="HEAD"), f"{what}, its head", thoroughly=False)
        if request.method == "GET" and (
            head is None or _constant_parts(head) != _constant_parts(before._replace(body=b""))
        ):
            self.tally.record_faults(["HEAD has another answer"], what)

    def _send_malformed(self, request: HostileRequest, random: Random, name: str) -> None:
        """Send a malformed request on a new connection; the server may leave it unanswered."""
        data = framing.build_malformed_request(request, random)
        may_be_refused, what = framing.may_be_refused(data), f"{name}: {data[:200]!r}"
        with Connection(self.service.port) as connection:
            timed = connection.send(data, request.method, ends=may_be_refused)
        self.tally.count(timed.status, None if may_be_refused else timed.seconds, what)
        if timed.answer is None and not may_be_refused:
            self.tally.record_faults(["no answer"], what)
        elif timed.answer and timed.answer.status >= 500 and not _is_refusal(timed.answer, data):
            self.tally.record_faults([f"status {timed.answer.status}"], what)

    def _send_to_list(self, random: Random, name: str) -> None:
        request = lists.generate_list_request(random, self.lists)
        what = f"{name}: {describe(request)}"
        timed = self.connections[0].request(request)
        self.tally.count(timed.status, timed.seconds, what)
        if timed.answer is None:
            self.tally.record_faults(["no answer"], what)
        elif timed.answer.status not in framing.REFUSALS or timed.answer.body:
            self.tally.record_faults(lists.find_list_faults(request, timed.answer), what)
            lists.remember(request, timed.answer, self.lists)

    def _explore(self, requests: int) -> None:
        def record(case: Case, response: Response, seconds: float, wrong: list[str]) -> None:
            what = case.as_curl_command()[:400]
            self.tally.count(response.status_code, seconds, what)
            self.tally.record_faults(wrong, what)
            self._sample_memory(self.tally.requests)

        explore(requests // 2, record, base_url=f"http://localhost:{self.service.port}")


def read_known_values(service: RunningService) -> KnownValues:
    """Return names from the programme, and a list of ETags that grows with the answers."""
    tables = ("area", "subarea", "room", "organizer")
    query = "SELECT name FROM programme_{} ORDER BY id LIMIT 40"
    with service.database() as database:
        found = [database.execute(query.format(table)).fetchall() for table in tables]
    names = [name for rows in found for (name,) in rows]
    return KnownValues([*names, "none", "1", "2", "17"], ['"x"'])


def _is_refusal(answer: Answer, data: bytes) -> bool:
    """Return whether the server itself refused a request that it may refuse."""
    is_from_server = "access-control-allow-origin" not in answer.headers and not answer.body
    return is_from_server and answer.status in framing.REFUSALS and framing.may_be_refused(data)


def _constant_parts(answer: Answer) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in answer.headers.items() if name not in VARIABLE_HEADERS}
    return answer.status, headers, answer.body


def describe(request: HostileRequest) -> str:
    headers = ", ".join(f"{name}: {value[:40]!r}{len(value)}" for name, value in request.headers)
    return f"{request.method} {request.target[:120]!r} ({len(request.target)} bytes) [{headers}]"
