"""The checks of answers find what is wrong with them."""

import gzip
import json
from typing import Any

import pytest

from tests.fuzz.hostile import HostileRequest
from tests.fuzz.verdicts import Answer, find_faults

HOST = ("Host", "localhost")
GET = HostileRequest("GET", "/api/events.json?area=x", (HOST, ("Accept-Encoding", "gzip, br;q=0.5")))
GOOD = Answer(
    200,
    {
        "content-type": "application/json",
        "content-encoding": "gzip",
        "content-length": "22",
        "etag": '"1-gzip"',
        "cache-control": "public, max-age=60, stale-if-error=0",
        "vary": "Accept-Encoding",
        "access-control-allow-origin": "*",
    },
    gzip.compress(b"[]", mtime=0),
)


def changed(**headers: str | None) -> Answer:
    """Return the good answer with other headers; None leaves one out."""
    stated = {name.replace("_", "-"): value for name, value in headers.items()}
    kept = {name: value for name, value in (GOOD.headers | stated).items() if value is not None}
    return GOOD._replace(headers=kept)


def problem(status: int = 400, content_type: str = "application/problem+json", **members: Any) -> Answer:
    said = {"type": "about:blank", "title": "t", "status": status, "detail": "d", **members}
    headers = {"content-type": content_type, "access-control-allow-origin": "*"}
    return Answer(status, headers, json.dumps(said).encode())


def test_a_good_answer_has_no_faults() -> None:
    assert find_faults(GET, GOOD) == []
    assert find_faults(GET, problem()) == []
    known = (*GET.headers, ("If-None-Match", 'W/"1-gzip"'))
    not_modified = changed(content_length=None)._replace(status=304, body=b"")
    assert find_faults(GET._replace(headers=known), not_modified) == []


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (GOOD._replace(status=503), "status 503"),
        (changed(set_cookie="a=b"), "a cookie is set"),
        (changed(content_length="21"), "Content-Length is 21, the body has 22 bytes"),
        (changed(access_control_allow_origin=None), "not every origin may read"),
        (changed(vary="Accept-Encoding, Cookie"), "Vary names cookie"),
        (changed(vary="Accept, Accept-Encoding"), "Vary is 'Accept, Accept-Encoding'"),
        (changed(etag=None), "the ETag is ''"),
        (changed(cache_control="no-store"), "Cache-Control is 'no-store'"),
        (changed(content_encoding="zstd"), "Content-Encoding is zstd, of ['gzip, br;q=0.5']"),
        (changed(content_encoding=None), "the answer is not well-formed: 'utf-8' codec"),
        (GOOD._replace(body=gzip.compress(b"1", mtime=0)), "the answer is not well-formed: neither"),
        (GOOD._replace(body=GOOD.body[:-1] + b"x"), "the answer cannot be decoded"),
        (
            changed(content_length=None)._replace(status=304, body=b""),
            "304 to somebody who does not have this",
        ),
        (problem(404, content_type="text/html"), "an error is text/html"),
        (problem(404, detail=None), "an error lacks what RFC 9457 asks for"),
        (problem(404)._replace(body=b"<html>Traceback"), "a stack trace is shown"),
        (problem(405), "GET is not allowed"),
        (problem(406), "406 does not say what there is"),
    ],
)
def test_what_is_wrong_is_found(answer: Answer, fault: str) -> None:
    assert any(found.startswith(fault) for found in find_faults(GET, answer))


def test_a_stranger_s_host_must_be_refused() -> None:
    stranger = GET._replace(headers=(("Host", "evil.example"), *GET.headers[1:]))
    assert find_faults(stranger, GOOD) == ["status 200 for a host that is not ours"]
