"""Readers beside editors under the production server: sign-ins, imports, and a worker that is killed."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any, NamedTuple, Self
from urllib.parse import urlencode

from benchmarks.databases import Environment
from benchmarks.servers import ANSWER_TIMEOUT, CONNECTIONS, SERVICE, get, run_server

READ = "/api/events.json?date=today"
LOGIN, IMPORT = "/admin/login/", "/admin/import/"
TOKEN = "b" * 32
FORM = "application/x-www-form-urlencoded"
BOUNDARY = "----------a-boundary-of-the-benchmark"
# Readers whose latencies are measured one by one, and the seconds that each pauses.
READERS, PAUSE = 4, 0.005
# Sign-ins at a time, and how often readers are measured without and beside them.
SIGN_INS, ROUNDS = 16, 5
# Milliseconds, from the units of wrk.
UNITS = {"us": 0.001, "ms": 1, "s": 1000}
# How many times a reader repeats a request that fails.
MOST_ATTEMPTS = 5

Figures = dict[str, Any]


class Read(NamedTuple):
    """One request: seconds until its response was read, and how many attempts it took."""

    seconds: float
    attempts: int


class Readers:
    """Readers who ask again and again while the context is active; `once` on each connection, if so."""

    def __init__(self, port: int, *, once: bool = False) -> None:
        self.port = port
        self.once = once
        self.reads: list[Read] = []
        self._stopping = Event()
        self._threads = [Thread(target=self._read, daemon=True) for _ in range(READERS)]

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
            while not self._stopping.wait(PAUSE):
                began = time.perf_counter()
                attempts = 1
                while not _ask(connection) and attempts < MOST_ATTEMPTS:
                    attempts += 1
                self.reads.append(Read(time.perf_counter() - began, attempts))
                if self.once:
                    connection.close()

    def figures(self) -> Figures:
        taken = sorted(read.seconds for read in self.reads)
        return {
            "requests": len(taken),
            "p99": taken[int(len(taken) * 0.99)] * 1000,
            "slowest": taken[-1] * 1000,
            "repeated": sum(read.attempts - 1 for read in self.reads),
            "most attempts": max(read.attempts for read in self.reads),
        }


def _ask(connection: HTTPConnection) -> bool:
    """Return whether a request was answered; after a failure, the next one has a new connection."""
    try:
        connection.request("GET", READ, headers={"Accept-Encoding": "gzip"})
        connection.getresponse().read()
    except (OSError, HTTPException):
        connection.close()
        return False
    return True


def measure(environment: Environment, session: str, events: int, seconds: int) -> dict[str, Figures]:
    """Return what readers notice of sign-ins, of an import of so many events, and of a killed worker."""
    with run_server(SERVICE, environment) as port:
        _wait_for_back_office(port)
        found = _beside_sign_ins(port, seconds)
        found |= _beside_import(port, session, events, seconds)
        found["one of two workers is killed"] = _beside_kill(port, seconds)
    return found


def _wait_for_back_office(port: int) -> None:
    while get(port, LOGIN, {})[0] != 200:  # noqa: PLR2004 - it answers
        time.sleep(0.5)


# --- Sign-ins -----------------------------------------------------------------------------------


def _beside_sign_ins(port: int, seconds: int) -> dict[str, Figures]:
    """Measure alone and beside sign-ins in turn, so that both have the same share of a busy machine."""
    rounds = min(seconds, ROUNDS)
    alone, beside, attempts = [], [], count()
    for _ in range(rounds):
        alone.append(_wrk(port, seconds // rounds))
        with _signing_in(port, attempts):
            beside.append(_wrk(port, seconds // rounds))
    return {
        f"wrk, {CONNECTIONS} connections": _median(alone),
        f"the same beside {SIGN_INS} sign-ins at a time ({next(attempts)})": _median(beside),
        # Later on, attempts are refused.
        f"of these, the first {seconds // rounds} seconds": beside[0],
    }


def _median(found: list[Figures]) -> Figures:
    return {name: median(each[name] for each in found) for name in found[0]}


@contextmanager
def _signing_in(port: int, attempts: "count[int]") -> Iterator[None]:
    stopping = Event()
    threads = [Thread(target=_sign_in, args=(port, stopping, attempts), daemon=True) for _ in range(SIGN_INS)]
    for thread in threads:
        thread.start()
    yield
    stopping.set()
    for thread in threads:
        thread.join()


def _sign_in(port: int, stopping: Event, attempts: "count[int]") -> None:
    """Try wrong passwords, each for another account, until stopped."""
    while not stopping.is_set():
        form = {"csrfmiddlewaretoken": TOKEN, "username": f"editor{next(attempts)}", "password": "wrong"}
        with suppress(OSError, HTTPException):
            _post(port, LOGIN, urlencode(form).encode(), FORM)


def _wrk(port: int, seconds: int) -> Figures:
    command = ["wrk", "--threads=1", f"--connections={CONNECTIONS}", f"--duration={seconds}s", "--latency"]
    command += ["--header=Accept-Encoding: gzip", f"http://127.0.0.1:{port}{READ}"]
    report = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout
    number, unit = re.search(r"99%\s+([0-9.]+)(us|ms|s)", report).groups()  # type: ignore[union-attr]
    slowest, its_unit = re.search(r"Latency\s+\S+\s+\S+\s+([0-9.]+)(us|ms|s)", report).groups()  # type: ignore[union-attr]
    rate = re.search(r"Requests/sec: *([0-9.]+)", report)[1]  # type: ignore[index]
    figures = {"p99": float(number) * UNITS[unit], "slowest": float(slowest) * UNITS[its_unit]}
    return {"rate": float(rate), **figures}


# --- An import ----------------------------------------------------------------------------------


def _beside_import(port: int, session: str, events: int, seconds: int) -> dict[str, Figures]:
    file = _post(port, IMPORT, _build_upload(events), f"multipart/form-data; boundary={BOUNDARY}", session)
    token = urlencode({"csrfmiddlewaretoken": TOKEN}).encode()
    found = {
        f"{READERS} readers": _readers_beside(port, lambda: time.sleep(seconds)),
        f"the same while {events} events are read and compared": _readers_beside(
            port, lambda: _post(port, f"{file}read/", token, FORM, session)
        ),
        f"the same while {events} events are imported": _readers_beside(
            port, lambda: _post(port, f"{file}apply/", token, FORM, session)
        ),
    }
    _require_imported(port)
    return found


def _require_imported(port: int) -> None:
    """Exit unless readers get what was imported; a process may trust its programme for a moment longer."""
    for _attempt in range(10):
        if "Insänt 0".encode() in get(port, "/api/events.json", {})[2]:
            return
        time.sleep(0.5)
    raise SystemExit("Nothing was imported")


def _readers_beside(port: int, work: Callable[[], Any]) -> Figures:
    with Readers(port) as readers:
        began = time.perf_counter()
        work()
        taken = time.perf_counter() - began
    return {**readers.figures(), "rate": len(readers.reads) / taken, "seconds": taken}


def _build_upload(events: int) -> bytes:
    lines = ["Nr;Titel;Område;Plats;Datum;Start;Slut;Beskrivning"]
    lines += [
        f"{n};Insänt {n};Torget {n % 20};Scen {n % 50};2026-08-{1 + n % 28:02};{8 + n % 12:02}:00;"
        f"{9 + n % 12:02}:00;{'En rad om det som händer. ' * 10}"
        for n in range(events)
    ]
    fields = {
        "csrfmiddlewaretoken": TOKEN,
        "source": "benchmark",
        "new_events": "published",
        "language": "sv",
    }
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    disposition = 'Content-Disposition: form-data; name="file"; filename="programme.csv"'
    body = "\n".join(lines)
    parts.append(f"--{BOUNDARY}\r\n{disposition}\r\n\r\n{body}\r\n--{BOUNDARY}--\r\n")
    return "".join(parts).encode()


def _post(port: int, path: str, body: bytes, content_type: str, session: str = "") -> str:
    """Send a form; return the address that the response leads to, if any. Exit if an editor is refused."""
    cookie = f"csrftoken={TOKEN}" + (f"; sessionid={session}" if session else "")
    headers = {"Cookie": cookie, "Content-Type": content_type, "Host": f"localhost:{port}"}
    with closing(HTTPConnection("127.0.0.1", port, timeout=600)) as connection:
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        content = response.read()
    if session and response.status != 302:  # noqa: PLR2004 - on to the next page
        raise SystemExit(f"{path} was answered with {response.status}: {content[:2000].decode()}")
    return response.headers.get("Location", "")


# --- A worker that is killed --------------------------------------------------------------------


def _beside_kill(port: int, seconds: int) -> Figures:
    with Readers(port, once=True) as readers:
        time.sleep(min(seconds, 2))
        worker = _workers(port)[0]
        before = len(readers.reads)
        os.kill(worker, signal.SIGKILL)
        time.sleep(seconds)
    readers.reads = readers.reads[before:]
    return {**readers.figures(), "rate": len(readers.reads) / seconds}


def _workers(port: int) -> list[int]:
    """Return the process IDs of the workers of the server on a port, which are children of such a process."""
    found = {
        int(folder.name): folder
        for folder in Path("/proc").iterdir()
        if folder.name.isdecimal() and f"--port={port}" in _read(folder / "cmdline").split("\0")
    }
    return [
        pid for pid, folder in found.items() if int(_read(folder / "stat").split(") ")[1].split()[1]) in found
    ]


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
