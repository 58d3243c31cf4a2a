"""Mixed reads at full speed, an edit every second, and checks of the answers."""

import hashlib
import itertools
import json
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import quote

from benchmarks.endurance.connection import Connection
from benchmarks.endurance.hostile import Headers, HostileRequest
from benchmarks.endurance.lists import VisitorsList
from benchmarks.endurance.service import RunningService
from benchmarks.endurance.verdicts import Answer, find_faults
from festival import clock

SCRIPT = Path(__file__).with_name("soak.lua")
CONNECTIONS = 16
# Seconds within which readers get an edit, however busy the service is.
SHOWN_WITHIN = 1.0
# Seconds; a list may be read twenty times a minute.
CHECK_INTERVAL, MEMORY_INTERVAL, LIST_INTERVAL = 0.1, 5.0, 4.0


class Read(NamedTuple):
    """A read in the mix: its share, path, content coding, and whether it is a poll."""

    share: int
    path: str
    coding: str = "gzip"
    polls: bool = False

    def headers(self) -> Headers:
        return (("Host", "localhost"), ("Accept-Encoding", self.coding))


MIX = (
    # Phones and calendars that poll areas without edits.
    *(
        Read(12, f"/api/events.{kind}?area=Torget%20{area}", polls=True)
        for kind, area in (("json", 18), ("ics", 19))
    ),
    *(
        Read(8, f"/api/events.{kind}?area=Torget%20{area}", polls=True)
        for kind, area in (("json", 20), ("qx1", 17))
    ),
    # The whole programme, which every edit changes.
    *(Read(2, "/api/events.json", coding) for coding in ("gzip", "br", "zstd")),
    *(
        Read(1, f"/api/events.{kind}")
        for kind in ("ics", "atom", "rss", "rss-wp", "bbcode", "qx1", "ics-text", "frab-xml", "frab-json")
    ),
    # Apps: the programme as one document, whole, without descriptions, and polls of an area's.
    Read(2, "/api/programme", "br"),
    Read(2, "/api/programme?texts=intro"),
    Read(8, "/api/programme?area=Torget%2018", polls=True),
    Read(1, "/api/events.ics?language=en"),
    # Selections by time and place.
    *(
        Read(3, f"/api/events.{kind}?date={moment}")
        for kind in ("json", "atom")
        for moment in ("now", "today", "upcoming")
    ),
    *(
        Read(2, f"/api/events.{kind}?area=Torget%20{area}", "br")
        for kind in ("json", "ics")
        for area in (1, 5, 9)
    ),
    *(
        Read(2, f"/api/events?{query}", "zstd")
        for query in ("highlighted", "subarea=none&area=Torget%202", "room=Sal%207")
    ),
    Read(6, "/api/areas"),
    # An unknown name.
    Read(2, "/api/events.json?area=Nowhere"),
)


@dataclass
class SoakResult:
    """The results of the checks, and samples of the workers' memory (KB)."""

    faults: list[str] = field(default_factory=list)
    seconds: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    edits: list[dict[str, Any]] = field(default_factory=list)
    memory: list[list[int]] = field(default_factory=list)
    load: dict[str, float] = field(default_factory=dict)
    # Ages (seconds) of edits that an answer did not show yet.
    unshown: list[float] = field(default_factory=list)


def soak(service: RunningService, seconds: float) -> SoakResult:
    """Load the service for so many seconds, with checks on another connection."""
    found = SoakResult()
    with TemporaryDirectory() as directory:
        mix = Path(directory) / "mix"
        mix.write_text("".join(_lines(service)))
        load = _start(_load(service, mix, seconds), service)
        editor = _start([sys.executable, "-m", "benchmarks.endurance.editing", str(seconds)], service)
        listening = Thread(target=_collect_edits, args=(editor, found.edits), daemon=True)
        listening.start()
        with Connection(service.port) as connection:
            _check(service, ReaderChecks(connection, found), seconds)
        output, _ = load.communicate()
        listening.join()
    found.load = json.loads(output.splitlines()[-1])
    if editor.wait():
        found.faults.append("the editor stopped")
    return found


def _start(command: list[str], service: RunningService) -> "subprocess.Popen[str]":
    return subprocess.Popen(command, env=service.environment, stdout=subprocess.PIPE, text=True)


def _load(service: RunningService, mix: Path, seconds: float) -> list[str]:
    wrk = shutil.which("wrk")
    if not wrk:
        raise SystemExit("wrk is missing (Debian's package of that name).")
    options = [
        "-t",
        "1",
        "-c",
        str(CONNECTIONS),
        "-d",
        f"{seconds:.0f}s",
        "--timeout",
        "30s",
        "-s",
        str(SCRIPT),
    ]
    return [wrk, *options, f"http://127.0.0.1:{service.port}", "--", str(mix)]


def _lines(service: RunningService) -> Iterator[str]:
    """Yield the mix for soak.lua; polls have the current ETag, which does not change."""
    with Connection(service.port) as connection:
        for read in MIX:
            headers = [f"{name}: {value}" for name, value in read.headers()]
            if read.polls:
                answer = connection.request(HostileRequest("GET", read.path, read.headers())).answer
                headers.append(f"If-None-Match: {answer.headers['etag'] if answer else '*'}")
            yield "\t".join([str(read.share), read.path, *headers]) + "\n"


def _collect_edits(editor: "subprocess.Popen[str]", edits: list[dict[str, Any]]) -> None:
    for line in editor.stdout or ():
        edits.append(json.loads(line))  # noqa: PERF401 - the checks look at them one by one


def _check(service: RunningService, checks: "ReaderChecks", seconds: float) -> None:
    """Run the checks in turn, and sample the memory at intervals."""
    started_at = time.monotonic()
    sampled_at = listed_at = started_at
    stars = VisitorsList(checks.connection)
    kinds = (checks.check_read, checks.check_edit, checks.check_read, checks.check_current)
    for number in itertools.count():
        if time.monotonic() >= started_at + seconds:
            return
        kinds[number % len(kinds)]()
        if time.monotonic() >= sampled_at:
            checks.found.memory.append(service.memory())
            sampled_at += MEMORY_INTERVAL
        if time.monotonic() >= listed_at:
            checks.found.faults += stars.check(1 + number % 20)
            listed_at += LIST_INTERVAL
        time.sleep(CHECK_INTERVAL)


class ReaderChecks:
    """A reader that compares each answer with earlier ones."""

    def __init__(self, connection: Connection, found: SoakResult) -> None:
        self.connection = connection
        self.found = found
        self.tags: dict[tuple[str, str], str] = {}
        self.bodies: dict[str, bytes] = {}
        self.random = Random(1)

    def check_read(self) -> None:
        """Check that an answer is well-formed, and 304 only follows a matching ETag."""
        read = self.random.choice(MIX)
        headers = read.headers()
        if known := self.tags.get((read.path, read.coding)):
            headers = (*headers, ("If-None-Match", known))
        self._request(read, headers)

    def check_edit(self) -> None:
        """Check that the newest edit is shown in time, and note for how long readers did without it."""
        sent = time.monotonic()
        edit = next((each for each in reversed(self.found.edits) if each["confirmed"] < sent), None)
        if edit is None:
            return
        answer = self._request(Read(0, f"/api/events.json?area={quote(edit['area'])}"))
        titles = [each["title"] for each in _elements(answer) if each["id"] == edit["event"]]
        if f"Edited {edit['number']}" in titles:
            return
        waited = sent - edit["confirmed"]
        self.found.unshown.append(waited)
        if waited > SHOWN_WITHIN:
            self.found.faults.append(f"edit {edit['number']} is not shown after {waited:.2f} s: {titles}")

    def check_current(self) -> None:
        """Check that `date=now` is exact."""
        moved = {edit["moved"][0]: edit["moved"] for edit in list(self.found.edits) if edit["moved"]}
        sent = clock.now().timestamp()
        answer = self._request(Read(0, "/api/events.json?date=now"))
        received = clock.now().timestamp()
        shown = {each["occation"]["id"] for each in _elements(answer)}
        for occasion, start, end in moved.values():
            must, may = start <= sent and received < end, start <= received and sent < end
            if must and occasion not in shown:
                self.found.faults.append(f"occasion {occasion} goes on and is not shown")
            if not may and occasion in shown:
                self.found.faults.append(f"occasion {occasion} does not go on and is shown")

    def _request(self, read: Read, headers: Headers | None = None) -> Answer | None:
        request = HostileRequest("GET", read.path, headers or read.headers())
        answer, seconds = self.connection.request(request)
        if answer is None:
            self.found.faults.append(f"no answer to {request}")
            return None
        self.found.seconds[answer.status].append(seconds)
        self.found.faults += [f"{fault}: {request}" for fault in find_faults(request, answer)]
        if answer.status == HTTPStatus.OK:
            self._store(read, answer)
        return answer

    def _store(self, read: Read, answer: Answer) -> None:
        etag = answer.headers["etag"]
        self.tags[read.path, read.coding] = etag
        body = hashlib.sha256(answer.body).digest()
        if self.bodies.setdefault(etag, body) != body:
            self.found.faults.append(f"two bodies have one ETag: {read.path}, {etag}")


def _elements(answer: Answer | None) -> list[dict[str, Any]]:
    return json.loads(answer.content) if answer and answer.status == HTTPStatus.OK else []
