"""What one server answers, what a cache in front adds, and how long an edit takes to the last reader."""

import re
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection

import pytest

from tests.failures.service import connect, get
from tests.failures.wait import wait_until
from tests.machines.conftest import DATABASE, Site, Variant
from tests.machines.servers import PORT

SECONDS, CONNECTIONS = 3, 32
RATE = re.compile(r"^Requests/sec: *([0-9.]+)$", re.MULTILINE)
REQUESTS = {
    "three occasions": "/api/events?area=Torget",
    "the whole list": "/api/events.json",
    "the start page": "/",
}
# How long nginx stores a response at most, in the run that waits for its last reader.
STORED = 5
# What nginx says of a response that it has just asked the service for again.
RENEWED = {"EXPIRED", "REVALIDATED"}

Report = Callable[[str], None]


def rate(host: str, port: int, path: str) -> float:
    """Return how many requests a second wrk is answered; each with 200."""
    load = ["wrk", "--threads=1", f"--connections={CONNECTIONS}", f"--duration={SECONDS}s"]
    output = subprocess.run(
        [*load, "--header=Accept-Encoding: gzip", f"http://{host}:{port}{path}"],
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    ).stdout
    assert "Non-2xx" not in output, output
    return float(RATE.search(output)[1])


@pytest.mark.parametrize("site", [Variant(cache_seconds=60)], indirect=True)
def test_requests_per_second(site: Site, report: Report) -> None:
    server = site.servers[0]
    for label, path in REQUESTS.items():
        # Each worker, and nginx, has it.
        rate(server.machine.address, PORT, path), rate("127.0.0.1", site.port, path)
        direct, in_front = rate(server.machine.address, PORT, path), rate("127.0.0.1", site.port, path)
        report(
            f"{label}: {direct:,.0f} by one server, {in_front:,.0f} through nginx ({in_front / direct:.2f})"
        )


@pytest.mark.parametrize("site", [Variant(cache_seconds=STORED)], indirect=True)
def test_the_last_reader_of_an_edit(site: Site, report: Report) -> None:
    path = REQUESTS["three occasions"]
    with (
        closing(connect(PORT, site.servers[0].machine.address)) as direct,
        closing(connect(site.port)) as stored,
    ):
        get(stored, path)
        wait_until("nginx has just stored it", lambda: get(stored, path).headers["X-Cache"] in RENEWED)
        site.primary.run("UPDATE programme_event SET title = 'Lunch' WHERE title LIKE 'Frukost%'", DATABASE)
        edited = time.monotonic()
        for label, connection in (("directly", direct), (f"through nginx, which stores {STORED} s", stored)):
            report(f"{label}: {wait_for_title(connection, path) - edited:.3f} s")


def wait_for_title(connection: HTTPConnection, path: str) -> float:
    wait_until("readers get the edit", lambda: b"Lunch" in get(connection, path).body)
    return time.monotonic()
