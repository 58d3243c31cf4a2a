"""Warm requests under the production server, beside a bare application."""

from collections.abc import Sequence
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks import bare_application
from benchmarks.bare_application import RecordedResponse
from benchmarks.databases import Environment
from benchmarks.servers import BARE, SERVICE, Server, get, load, run_server
from benchmarks.timing import medians

COMPRESSED = ("gzip", "br", "zstd")


class Request(NamedTuple):
    """A repeated GET; with `again`, it sends the ETag of its answer and gets 304."""

    label: str
    address: str
    coding: str
    again: bool = False

    def headers(self, etag: str = "") -> dict[str, str]:
        return {"Accept-Encoding": self.coding} | ({"If-None-Match": etag} if self.again else {})


Figures = dict[str, Any]


def list_requests(organizer: int) -> list[Request]:
    """Return the requests of `shares`; the small selection is an organizer's occasions."""
    small = f"/api/events.json?organizer={organizer}"
    addresses = {"areas": "/api/areas", ".ics": "/api/events.ics", "an organizer's events": small}
    codings = (Request(f"all events, {coding}", "/api/events.json", coding) for coding in COMPRESSED)
    return [
        *codings,
        Request("all events, 304", "/api/events.json", "gzip", again=True),
        *(Request(f"{label}, gzip", address, "gzip") for label, address in addresses.items()),
        *(Request(f"{label}, 304", address, "gzip", again=True) for label, address in addresses.items()),
    ]


def shares(environment: Environment, requests: Sequence[Request], seconds: int) -> list[Figures]:
    """Return each request's processor time, and a bare application's with the same bytes and headers."""
    with TemporaryDirectory() as directory, ExitStack() as servers:
        ours = servers.enter_context(run_server(SERVICE, environment))
        etags = {request: _etag(ours.port, request) for request in requests}
        file = Path(directory) / "answers"
        bare_application.write([_recorded(ours.port, request, etags[request]) for request in requests], file)
        theirs = servers.enter_context(run_server(BARE, environment | {"BENCH_ANSWERS": str(file)}))
        return [_share(ours, theirs, request, etags[request], seconds) for request in requests]


def _etag(port: int, request: Request) -> str:
    _, headers, _ = get(port, request.address, {"Accept-Encoding": request.coding})
    return dict(headers)["etag"]


def _recorded(port: int, request: Request, etag: str) -> RecordedResponse:
    status, headers, body = get(port, request.address, request.headers(etag))
    if status != (304 if request.again else 200):
        raise SystemExit(f"{request} was answered with {status}")
    path, _, query = request.address.partition("?")
    key = (path, query, request.coding, etag if request.again else None)
    return RecordedResponse(key, f"{status} {HTTPStatus(status).phrase}", headers, body)


def _share(ours: Server, theirs: Server, request: Request, etag: str, seconds: int) -> Figures:
    headers = request.headers(etag)
    answer = get(ours.port, request.address, headers)
    if answer != get(theirs.port, request.address, headers):
        raise SystemExit(f"The bare application answers {request} differently: nothing to compare")
    times = medians(
        {
            "ours": lambda: load(ours, request.address, headers, seconds).processor_time,
            "bare": lambda: load(theirs, request.address, headers, seconds).processor_time,
        }
    )
    return {"request": request.label, "bytes": len(answer[2]), **times}
