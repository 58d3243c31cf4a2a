"""Hostile requests to visitors' lists (`/my-list`), and checks of the answers."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from benchmarks.endurance.connection import Connection
from benchmarks.endurance.hostile import HostileRequest
from benchmarks.endurance.unusual_values import METHODS, ORIGINS
from benchmarks.endurance.verdicts import PROBLEM, Answer

PATH, HEADER = "/my-list", "X-Starred-List"
CALENDAR = re.compile(rf"{PATH}/[0-9a-f]{{32}}\.ics", re.ASCII)
ALLOWED_METHODS = ("POST", "PATCH", "DELETE")
# What a request here can be answered with.
STATUSES = {200, 201, 204, 304, 400, 403, 404, 405, 406, 410, 411, 412, 413, 415, 422, 429}

BODIES = (
    *(b'{"occasions": [1, 2, 3]}', b'{"add": [4, 5], "remove": [1]}', b'{"add": [1, 1, 1]}', b"{}"),
    *(b"", b"[]", b"null", b"1", b"{", b'{"occasions": null}', b'{"occasions": [0]}', b'{"occasions": [-1]}'),
    *(b'{"occasions": [1.5]}', b'{"occasions": ["1"]}', b'{"add": [1e300]}', b'{"add": [NaN]}'),
    *(b'{"occasions": [999999999999999999]}', b'{"occasions": [9999999999999999999]}', b'{"secret": "x"}'),
    *(b"\xff\xfe", b"\x00", b'{"add": ' * 2_000, b"[" * 15_000, b" " * 25_000),
    json.dumps({"occasions": [*range(1, 501)]}).encode(),
    json.dumps({"occasions": [*range(1, 502)]}).encode(),
    json.dumps({"add": [*range(1, 900)]}).encode(),
)
NO_SECRETS = ("new", "", "NEW", "x", "0" * 32, "F" * 32, "0" * 31, "0" * 33, "0" * 4_000, "\x80", "new, new")
NO_CALENDARS = (
    *("0" * 32 + ".ics", "0" * 32, "0" * 31 + ".ics", "F" * 32 + ".ics", "0" * 32 + ".ICS", ".ics", "", "/"),
    *("0" * 32 + ".ics/", "0" * 32 + ".ics%00", "..%2f..%2fetc%2fpasswd", "%ff.ics", "0" * 32 + ".atom"),
)
QUERIES = (
    "",
    "",
    "?language=en",
    "?cancelled=show",
    "?cancelled=x",
    "?language=fi",
    "?%ff",
    "?a=" + "b" * 9_000,
)


class KnownList(NamedTuple):
    """The secret of a list, and that in its calendar's address."""

    secret: str
    address: str


def generate_list_request(random: Random, known: list[KnownList]) -> HostileRequest:
    """Return a request that creates, changes, deletes or reads a list, unusual in one or two places."""
    if random.random() < 0.4:
        return _read(random, known)
    method = (
        random.choice(METHODS)
        if random.random() < 0.1
        else random.choice(("POST", "PATCH", "PATCH", "DELETE"))
    )
    secret = random.choice(known).secret if known and random.random() < 0.7 else random.choice(NO_SECRETS)
    headers = [
        ("Host", "localhost"),
        (HEADER, "new" if method == "POST" and random.random() < 0.8 else secret),
    ]
    content_type = "application/json" if random.random() < 0.9 else random.choice(("text/plain", "", "x/y"))
    headers.append(("Content-Type", content_type))
    if random.random() < 0.1:
        headers.append(("Origin", random.choice(ORIGINS).encode().decode("latin-1")))
    if random.random() < 0.05:
        headers.append(("Sec-Fetch-Site", random.choice(("cross-site", "same-site", "none", "same-origin"))))
    target = PATH + (random.choice(("/", "//", "?x=1", ".json")) if random.random() < 0.05 else "")
    return HostileRequest(method, target, tuple(headers), random.choice(BODIES))


def _read(random: Random, known: list[KnownList]) -> HostileRequest:
    name = (
        f"{random.choice(known).address}.ics"
        if known and random.random() < 0.7
        else random.choice(NO_CALENDARS)
    )
    method = "HEAD" if random.random() < 0.2 else "GET"
    headers = (("Host", "localhost"), ("Accept-Encoding", random.choice(("identity", "gzip", "br"))))
    return HostileRequest(method, f"{PATH}/{name}{random.choice(QUERIES)}", headers)


def remember(request: HostileRequest, answer: Answer, known: list[KnownList]) -> None:
    """Keep the secrets of a list that was created; forget those of one that was deleted."""
    if answer.status == 201:
        known.append(KnownList(**json.loads(answer.content)))
    elif answer.status == 204:
        known[:] = [each for each in known if [each.secret] != request.values(HEADER)]


class VisitorsList:
    """A list whose stars come and go, and the calendar that must have them at once.

    A list may be unavailable for a moment (503, with `Retry-After`): its browser tries again.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.known: KnownList | None = None
        self.starred: set[int] = set()

    def check(self, occasion: int) -> Iterator[str]:
        """Star an occasion, or take its star away, and read the calendar; at first, create the list."""
        known, is_new = self.known, occasion not in self.starred
        if known is None:
            answer = self._send("POST", "new", {"occasions": []})
            if answer and answer.status == 201:
                self.known = KnownList(**json.loads(answer.content))
        else:
            answer = self._send("PATCH", known.secret, {"add" if is_new else "remove": [occasion]})
            if answer and answer.status == 200:
                self.starred = set(json.loads(answer.content)["occasions"])
                if is_new is not (occasion in self.starred):
                    yield f"a list is not changed: {answer.body!r}"
                yield from self._check_calendar(known)
        if answer is None or not (answer.status in (200, 201) or "retry-after" in answer.headers):
            yield f"a list is answered with {answer}"

    def _check_calendar(self, known: KnownList) -> Iterator[str]:
        request = HostileRequest("GET", f"{PATH}/{known.address}.ics", (("Host", "localhost"),))
        answer = self.connection.request(request).answer
        events = answer.body.count(b"BEGIN:VEVENT") if answer and answer.status == 200 else -1
        if events != len(self.starred):
            yield f"a list's calendar has {events} occasions instead of {len(self.starred)}"

    def _send(self, method: str, secret: str, body: dict[str, list[int]]) -> Answer | None:
        headers = (("Host", "localhost"), (HEADER, secret), ("Content-Type", "application/json"))
        return self.connection.request(
            HostileRequest(method, PATH, headers, json.dumps(body).encode())
        ).answer


def find_list_faults(request: HostileRequest, answer: Answer) -> Iterator[str]:
    # Pages have no slash at the end.
    is_without_slash = answer.status == 301 and answer.headers.get("location", "").startswith(PATH)
    if answer.status not in STATUSES and not is_without_slash:
        yield f"status {answer.status}"
        return
    for check in (_check_headers, _check_secrets, _check_calendar):
        yield from check(request, answer)


def _check_headers(request: HostileRequest, answer: Answer) -> Iterator[str]:
    if "access-control-allow-origin" in answer.headers:
        yield "pages of other origins may read it"
    if "set-cookie" in answer.headers:
        yield "a cookie is set"
    if not (request.path == PATH or CALENDAR.fullmatch(request.path)):
        return
    if answer.headers.get("referrer-policy") != "no-referrer":
        yield "its address is sent on in Referer"
    kept = "private, no-cache" if answer.status in (200, 304) and request.path != PATH else "no-store"
    if answer.headers.get("cache-control") != kept and answer.status != 405:
        yield f"Cache-Control is {answer.headers.get('cache-control')!r}"
    if answer.status >= 400 and answer.status != 405 and answer.headers.get("content-type") != PROBLEM:
        yield f"an error is {answer.headers.get('content-type')}"
    if answer.status == 429 and not answer.headers.get("retry-after", "").isdigit():
        yield "429 does not say when to try again"


def _check_secrets(request: HostileRequest, answer: Answer) -> Iterator[str]:
    """Only who creates a list gets its secrets."""
    if answer.status == 201 or request.method == "HEAD":
        return
    for secret in request.values(HEADER):
        if len(secret) == 32 and secret.encode("latin-1") in answer.content:
            yield "the secret is sent back"


def _check_calendar(request: HostileRequest, answer: Answer) -> Iterator[str]:
    if answer.status == 200 and request.method == "GET" and request.path != PATH:
        content = answer.content
        if not (content.startswith(b"BEGIN:VCALENDAR\r\n") and content.endswith(b"END:VCALENDAR\r\n")):
            yield "the calendar is not whole"
