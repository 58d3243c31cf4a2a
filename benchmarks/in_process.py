"""Response times of the whole service in this process, without a server."""

import io
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import unquote

import msgspec

from benchmarks.figures import WHOLE, Figures, JsonAgg, clear_memoized, edit_an_event, write
from benchmarks.programme import AREAS, DAYS, FIRST_DAY, ROOMS_EACH, Size
from benchmarks.timing import Task, interleave, milliseconds
from feeds.festival_time import ONE_DAY
from feeds.negotiation import CODINGS
from feeds.selection import DayRange, Selection
from feeds.vocabulary import LANGUAGES
from festival import clock
from festival.wsgi import application
from programme import models
from programme.publishing import loading
from programme.publishing.current import current

ENVIRON = {
    "REQUEST_METHOD": "GET",
    "SCRIPT_NAME": "",
    "SERVER_NAME": "127.0.0.1",
    "SERVER_PORT": "8000",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "HTTP_HOST": "127.0.0.1:8000",
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
FEEDS = ("ics", "atom", "rss")
# At most so many selections of a kind.
MAX_SELECTIONS = 100
# A warm request is too short to be timed alone.
REPEATS = 200
# The number of occasions in the small selection, whatever the size of the programme.
SMALL_SELECTION = 4


class Response(NamedTuple):
    status: str
    headers: dict[str, str]
    body: bytes


def get(address: str, **headers: str) -> Response:
    """Return the response to GET; header names are those of WSGI (`HTTP_ACCEPT_ENCODING`)."""
    path, _, query = address.partition("?")
    environ = {**ENVIRON, "PATH_INFO": unquote(path), "QUERY_STRING": query, "wsgi.input": io.BytesIO()}
    started: list[Any] = []
    response: Any = application(environ | headers, lambda *start: started.extend(start))
    try:
        body = b"".join(response)
    finally:
        getattr(response, "close", bool)()
    return Response(started[0], dict(started[1]), body)


get_gzip = partial(get, HTTP_ACCEPT_ENCODING="gzip")


def _reload() -> None:
    """Let this process load the programme again, and prepare formats, as after a start."""
    clear_memoized()
    current.clear()
    current.renew()
    loading.prepare(current.at(clock.now()).programme)


def not_asked_before() -> Figures:
    """First requests for selections, on a loaded snapshot, without compression: ms, by kind.

    The selections of a kind do not overlap, so that none benefits from what another has computed.
    """
    return {kind: _each_once(selections) for kind, selections in _kinds().items()}


def _kinds() -> dict[str, list[Selection]]:
    size = Size(models.Event.objects.count())
    organizers = range(1, min(MAX_SELECTIONS, size.organizers) + 1)
    rooms = range(1, min(MAX_SELECTIONS, size.locations * ROOMS_EACH) + 1)
    areas = [(f"Torget {number}",) for number in range(1, AREAS + 1)]
    days = [(DayRange(day, day),) for day in (FIRST_DAY + ONE_DAY * number for number in range(DAYS))]
    return {
        "an organizer": [Selection(organizers=(str(number),)) for number in organizers],
        "a room": [Selection(rooms=(f"Sal {number}",)) for number in rooms],
        "an area on a day": [Selection(areas=area, days=day) for area in areas for day in days],
        "an area": [Selection(areas=area) for area in areas],
        "a day": [Selection(days=day, language=language) for day in days for language in LANGUAGES],
    }


def _each_once(selections: list[Selection]) -> Figures:
    _reload()
    service = [milliseconds(partial(get, f"/api/events.json?{each.query}")) for each in selections]
    _reload()
    present = current.at(clock.now())
    alone = [milliseconds(partial(write, present, each)) for each in selections]
    return {
        "asked": len(selections),
        "occasions": median(len(present.find(each)) for each in selections),
        "service": median(service),
        "slowest": max(service),
        "alone": median(alone),
    }


def first_answers() -> Figures:
    """First responses after an edit of one event, including loading, beside `json_agg`."""
    current.clear()
    database = JsonAgg(loading.load())
    json = {f"JSON, {coding.name}": _after_an_edit("/api/events.json", coding.name) for coding in CODINGS}
    feeds = {f".{extension}, gzip": _after_an_edit(f"/api/events.{extension}", "gzip") for extension in FEEDS}
    agg: dict[str, Task] = {"json_agg": lambda: partial(database.fetch, WHOLE)}
    return interleave(agg | json | feeds)


def _after_an_edit(address: str, coding: str) -> Task:
    request = partial(get, address, HTTP_ACCEPT_ENCODING=coding)

    def prepare() -> Callable[[], Response]:
        request()
        edit_an_event()
        return request

    return prepare


def document() -> Figures:
    """The programme as one document beside `/api/events.json`, with brotli: bytes, and ms the first time."""
    requests = {
        address: partial(get, address, HTTP_ACCEPT_ENCODING="br")
        for address in ("/api/events.json", "/api/programme", "/api/programme?texts=intro")
    }
    times = interleave({address: partial(_when_loaded, request) for address, request in requests.items()})
    return {
        address: {"bytes": len(request().body), "taken": times[address]}
        for address, request in requests.items()
    }


def exports() -> Figures:
    """Exports that peers have too: first requests, before and after the programme was loaded."""
    addresses = {extension: f"/api/events.{extension}" for extension in ("json", "atom", "ics")}
    items = len(msgspec.json.decode(get(addresses["json"]).body))
    tasks: dict[str, Task] = {}
    for extension, address in addresses.items():
        tasks[extension] = partial(_first_of_all, address)
        tasks[f"{extension}, loaded"] = partial(_first_when_loaded, address)
    return {"items": items, **interleave(tasks)}


def _first_of_all(address: str) -> Callable[[], Response]:
    clear_memoized()
    current.clear()
    return partial(get, address)


def _first_when_loaded(address: str) -> Callable[[], Response]:
    return _when_loaded(partial(get, address))


def _when_loaded(request: Callable[[], Response]) -> Callable[[], Response]:
    _reload()
    return request


def warm() -> Figures:
    """Repeated requests: ms each, while the revision is trusted."""
    current.renew()
    organizer = _organizer_of(SMALL_SELECTION)
    small = f"/api/events.json?organizer={organizer}"
    requests: dict[str, tuple[str, dict[str, str]]] = {"small": (small, {})}
    requests["small, 304"] = (small, {"HTTP_IF_NONE_MATCH": get_gzip(small).headers["ETag"]})
    tasks = {
        name: _repeatedly(partial(get_gzip, address, **headers))
        for name, (address, headers) in requests.items()
    }
    times = interleave(tasks)
    return {"organizer": organizer, **{name: taken / REPEATS for name, taken in times.items()}}


def _repeatedly(get: Callable[[], Response]) -> Task:
    def run() -> None:
        for _ in range(REPEATS):
            get()

    return lambda: run


def _organizer_of(occasions: int) -> int:
    """Return the first organizer with so many occasions, or nearly so many."""
    held = Counter(each.event.organizer.id for each in current.at(clock.now()).programme.occasions)
    return min(held, key=lambda organizer: (abs(held[organizer] - occasions), organizer))
