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
from statistics import median
from threading import Event, Thread
from typing import Any
from urllib.parse import urlencode

from benchmarks.databases import Environment
from benchmarks.readers import Readers, describe
from benchmarks.servers import (
    BACK_OFFICE,
    CONNECTIONS,
    SERVICE,
    Server,
    connect_to_each_worker,
    free_port,
    get,
    run_server,
)

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

Figures = dict[str, Any]


def measure(environment: Environment, session: str, events: int, seconds: int) -> dict[str, Figures]:
    """Return what readers notice of sign-ins, of an import of so many events, and of a killed worker."""
    port = free_port()
    both = environment | {"BACK_OFFICE_PORT": str(port)}
    with run_server(SERVICE, both) as server, run_server(BACK_OFFICE, both, port) as back_office:
        found = _beside_sign_ins(server.port, back_office.port, seconds)
        found |= _beside_import(server.port, back_office.port, session, events, seconds)
        found["one of two workers is killed"] = _beside_kill(server, seconds)
    return found


# --- Sign-ins -----------------------------------------------------------------------------------


def _beside_sign_ins(port: int, editors: int, seconds: int) -> dict[str, Figures]:
    """Measure alone and beside sign-ins in turn, so that both have the same share of a busy machine."""
    rounds = min(seconds, ROUNDS)
    alone, beside, attempts = [], [], count()
    for _ in range(rounds):
        alone.append(_wrk(port, seconds // rounds))
        with _signing_in(editors, attempts):
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


def _beside_import(port: int, editors: int, session: str, events: int, seconds: int) -> dict[str, Figures]:
    file = _post(editors, IMPORT, _build_upload(events), f"multipart/form-data; boundary={BOUNDARY}", session)
    token = urlencode({"csrfmiddlewaretoken": TOKEN}).encode()
    found = {
        f"{READERS} readers": _readers_beside(port, lambda: time.sleep(seconds)),
        f"the same while {events} events are read and compared": _readers_beside(
            port, lambda: _post(editors, f"{file}read/", token, FORM, session)
        ),
        f"the same while {events} events are imported": _readers_beside(
            port, lambda: _post(editors, f"{file}apply/", token, FORM, session)
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
    with Readers(port, READ, READERS, PAUSE) as readers:
        began = time.perf_counter()
        work()
        taken = time.perf_counter() - began
    return {**describe(readers.reads), "rate": len(readers.reads) / taken, "seconds": taken}


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


def _beside_kill(server: Server, seconds: int) -> Figures:
    with Readers(server.port, READ, READERS, PAUSE, once=True) as readers:
        time.sleep(min(seconds, 2))
        (worker, *_) = connect_to_each_worker(server)
        before = len(readers.reads)
        os.kill(worker, signal.SIGKILL)
        time.sleep(seconds)
    return {**describe(readers.reads[before:]), "rate": len(readers.reads[before:]) / seconds}
