"""Checks that apply to the answer to any request."""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import brotli
import zstandard
from lxml import etree

from tests.fuzz import unusual_values
from tests.fuzz.hostile import HostileRequest

DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress,
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompressobj().decompress(body),
}
PROBLEM = "application/problem+json"
READ_METHODS = ("GET", "HEAD")
# A well-formed list of codings with weights (RFC 9110, section 12.5.3); nothing is expected of others.
_WEIGHT = r"(?:[ \t]*;[ \t]*q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?"
_CODINGS = re.compile(rf"[A-Za-z*-]+{_WEIGHT}(?:[ \t]*,[ \t]*[A-Za-z*-]+{_WEIGHT})*", re.ASCII)
_CACHE_CONTROL = re.compile(r"public, max-age=\d+, stale-if-error=(?:0|86400)", re.ASCII)


class Answer(NamedTuple):
    """An answer with its encoded body; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def content(self) -> bytes:
        """The body, decoded."""
        coding = self.headers.get("content-encoding")
        return DECODERS[coding](self.body) if coding else self.body


def find_faults(request: HostileRequest, answer: Answer, *, thoroughly: bool = True) -> list[str]:
    """Return the faults of an answer; if `thoroughly`, decode and parse its body too."""
    if answer.status >= 500:
        return [f"status {answer.status}"]
    found = [*_check_any(request, answer)]
    if request.path.startswith("/api/"):
        found += _check_api(request, answer)
        if answer.status >= 400:
            found += _check_error(request, answer)
        elif request.method in READ_METHODS:
            found += _check_read(request, answer)
            if thoroughly and request.method == "GET" and answer.status == 200:
                found += _check_content(request, answer)
    return found


def _check_any(request: HostileRequest, answer: Answer) -> Iterator[str]:
    if "set-cookie" in answer.headers:
        yield "a cookie is set"
    if b"Traceback" in answer.body[:100_000]:
        yield "a stack trace is shown"
    if (request.method == "HEAD" or answer.status == 304) and answer.body:
        yield "there is a body where none may be"
    length = answer.headers.get("content-length", str(len(answer.body)))
    if answer.status == 304 and "content-length" in answer.headers:
        yield f"304 says that the answer had {length} bytes"
    elif request.method != "HEAD" and length != str(len(answer.body)):
        yield f"Content-Length is {length}, the body has {len(answer.body)} bytes"
    if answer.status >= 300 and answer.status not in (304, 400, 404, 405, 406, 412):
        yield f"status {answer.status} is for nothing that can be requested here"


def _check_api(request: HostileRequest, answer: Answer) -> Iterator[str]:
    if answer.headers.get("access-control-allow-origin") != "*":
        yield "not every origin may read"
    if "access-control-allow-credentials" in answer.headers:
        yield "origins may send credentials"
    vary = {each.strip().lower() for each in answer.headers.get("vary", "").split(",") if each.strip()}
    expected = {"accept-encoding", "accept"} if _is_negotiated(request) else {"accept-encoding"}
    if more := vary - {"accept", "accept-encoding"}:
        yield f"Vary names {', '.join(sorted(more))}"
    host = request.values("Host")
    # CORS preflight requests are answered before the host is checked.
    is_preflight = request.method == "OPTIONS" and request.values("Access-Control-Request-Method")
    if host and host[0] in unusual_values.HOSTS_REFUSED and answer.status != 400 and not is_preflight:
        yield f"status {answer.status} for a host that is not ours"
    elif request.method in READ_METHODS and answer.status in (200, 304, 412) and vary != expected:
        yield f"Vary is {answer.headers.get('vary')!r}"


def _is_negotiated(request: HostileRequest) -> bool:
    """Return whether `Accept` selects the format: neither the path nor `?format=` does."""
    endpoint = request.endpoint
    named = any(value for name, value in request.parameters if name == "format")
    return not (endpoint and endpoint["extension"]) and not named


def _check_read(request: HostileRequest, answer: Answer) -> Iterator[str]:
    etag = answer.headers.get("etag", "")
    if not re.fullmatch(r'"[^"\s]+"', etag):
        yield f"the ETag is {etag!r}"
    if answer.status == 304 and not _allows_304(request, etag, answer):
        yield "304 to somebody who does not have this version"
    if answer.status not in (200, 304):
        yield f"status {answer.status} to a reader"
    if not _CACHE_CONTROL.fullmatch(answer.headers.get("cache-control", "")):
        yield f"Cache-Control is {answer.headers.get('cache-control')!r}"
    if answer.status == 200:
        yield from _check_coding(request, answer)


def _allows_304(request: HostileRequest, etag: str, answer: Answer) -> bool:
    """Return whether a validator of the request allows 304 (RFC 9110, section 13.2.2)."""
    if stated := request.values("If-None-Match"):
        tags = ", ".join(stated)
        return tags.strip() == "*" or etag in tags
    return bool(request.values("If-Modified-Since")) and "last-modified" in answer.headers


def _check_coding(request: HostileRequest, answer: Answer) -> Iterator[str]:
    coding = answer.headers.get("content-encoding", "identity")
    if coding not in (*DECODERS, "identity"):
        yield f"Content-Encoding is {coding}"
    elif coding not in acceptable_codings(request):
        yield f"Content-Encoding is {coding}, of {request.values('Accept-Encoding')}"


def _is_stated(request: HostileRequest) -> bool:
    return bool(_CODINGS.fullmatch(", ".join(request.values("Accept-Encoding"))))


def acceptable_codings(request: HostileRequest) -> set[str]:
    """Return the codings that the answer may use; a malformed list allows all."""
    accepted = ", ".join(request.values("Accept-Encoding"))
    if not accepted:
        return {"identity"}
    if not _is_stated(request):
        return {*DECODERS, "identity"}
    weights: dict[str, float] = {}
    for element in accepted.lower().replace("x-gzip", "gzip").split(","):
        name, _, weight = element.strip().partition(";")
        weights[name.strip()] = float(weight.strip().removeprefix("q=") or 1)
    other = weights.get("*", 0.0)
    allowed = {name for name in DECODERS if weights.get(name, other)}
    return allowed | ({"identity"} if weights.get("identity", weights.get("*", 1.0)) else set())


def _check_error(request: HostileRequest, answer: Answer) -> Iterator[str]:
    if answer.headers.get("content-type") != PROBLEM:
        yield f"an error is {answer.headers.get('content-type')}"
    for name in ("etag", "last-modified"):
        if name in answer.headers:
            yield f"an error has {name}"
    if answer.status == 405 and answer.headers.get("allow") != "GET, HEAD, OPTIONS":
        yield f"Allow is {answer.headers.get('allow')}"
    if answer.status == 405 and request.method in (*READ_METHODS, "OPTIONS"):
        yield f"{request.method} is not allowed"
    if request.method == "HEAD":
        return
    try:
        problem = json.loads(answer.content)
    except ValueError:
        yield "an error is not JSON"
    else:
        yield from _check_problem(request, answer.status, problem)


def _check_problem(request: HostileRequest, status: int, problem: dict[str, object]) -> Iterator[str]:
    expected = {"type": str, "title": str, "status": int, "detail": str}
    if any(not isinstance(problem.get(name), kind) for name, kind in expected.items()):
        yield "an error lacks what RFC 9457 asks for"
    if problem.get("status") != status:
        yield f"an error says {problem.get('status')} and is {status}"
    if status == 406 and not problem.get("available") and "Accept-Encoding" not in str(problem["detail"]):
        yield "406 does not say what there is"
    if status == 406 and not problem.get("available") and _is_stated(request) and acceptable_codings(request):
        yield f"406, although there is {', '.join(acceptable_codings(request))}"


def _check_content(request: HostileRequest, answer: Answer) -> Iterator[str]:
    media_type = answer.headers.get("content-type", "").partition(";")[0]
    if media_type not in unusual_values.MEDIA_TYPES:
        yield f"the answer is {media_type}"
        return
    try:
        content = answer.content
    except Exception as error:  # noqa: BLE001 - each decoder raises errors of its own
        yield f"the answer cannot be decoded: {error}"
        return
    try:
        _check_well_formed(media_type, content)
    except ValueError as error:
        yield f"the answer is not well-formed: {error}"
        return


def _check_well_formed(media_type: str, content: bytes) -> None:
    """Raise ValueError unless the content matches its media type."""
    text = content.decode("utf-8")
    if media_type.endswith("/json"):
        if not isinstance(json.loads(text), (list, dict)):
            raise ValueError("neither an array nor an object")
    elif media_type.startswith("application/"):
        try:
            etree.fromstring(content)
        except etree.XMLSyntaxError as error:
            raise ValueError(str(error)) from error
    elif media_type == "text/calendar" or text.startswith("BEGIN:VCALENDAR"):
        if not (text.startswith("BEGIN:VCALENDAR\r\n") and text.endswith("END:VCALENDAR\r\n")):
            raise ValueError("not a calendar from its beginning to its end")
    elif media_type == "text/html" and not (text.startswith("<div") and text.rstrip().endswith("</div>")):
        raise ValueError("not a list from its beginning to its end")
