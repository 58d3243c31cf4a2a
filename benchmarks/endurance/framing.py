"""Malformed requests: versions, lengths, line ends, and headers that no server needs to accept."""

import re
from collections.abc import Callable
from random import Random

from benchmarks.endurance.connection import encode_request
from benchmarks.endurance.hostile import HostileRequest

# Statuses with which a server itself, without a body, refuses malformed or oversized requests.
REFUSALS = {400, 408, 413, 414, 431, 501, 505}

Form = Callable[[HostileRequest, Random], bytes]


def build_malformed_request(request: HostileRequest, random: Random) -> bytes:
    """Return the bytes of a request in a malformed variant."""
    return random.choice(FORMS)(request, random)


def _version(request: HostileRequest, random: Random) -> bytes:
    version = random.choice(
        (b" HTTP/1.0", b" HTTP/1.2", b" HTTP/2.0", b" HTTP/0.9", b" HTP/1.1", b" http/1.1", b"", b" ")
    )
    return encode_request(request).replace(b" HTTP/1.1", version, 1)


def _whole_address(request: HostileRequest, random: Random) -> bytes:
    base = random.choice(
        ("http://localhost", "http://evil.example", "https://localhost:1", "ftp://x", "//localhost", "http:")
    )
    return encode_request(request._replace(target=base + request.target))


def _host(request: HostileRequest, random: Random) -> bytes:
    hosts = random.choice(
        ((), (("Host", "localhost"), ("Host", "evil.example")), (("Host", ""),), (("host ", "x"),))
    )
    return encode_request(request._replace(headers=(*hosts, *request.headers[1:])))


def _length(request: HostileRequest, random: Random) -> bytes:
    lengths = (
        "0",
        "5",
        "-1",
        "+5",
        "abc",
        "5, 5",
        "5\r\nContent-Length: 6",
        "9" * 30,
        "0x5",
        "",
        "1e1",
        "50",
    )
    header = ("Content-Length", random.choice(lengths))
    return encode_request(request._replace(headers=(*request.headers, header), body=b"")) + random.choice(
        (b"", b"hello")
    )


def _chunked(request: HostileRequest, random: Random) -> bytes:
    codings = ("chunked", "xx", "gzip, chunked", "chunked, chunked", "identity", "\x0bchunked")
    header = ("Transfer-Encoding", random.choice(codings))
    chunks = random.choice(
        (
            b"5\r\nhello\r\n0\r\n\r\n",
            b"ffffffffffffffffff\r\n",
            b"-1\r\n\r\n",
            b"5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n",
        )
    )
    both = random.choice(((), (("Content-Length", "5"),)))
    return encode_request(request._replace(headers=(*request.headers, *both, header), body=b"")) + chunks


def _header(request: HostileRequest, random: Random) -> bytes:
    name, value = random.choice(
        (
            *(
                ("X", "a\x00b"),
                ("X", "a\x7fb"),
                ("X", "a\r b"),
                ("X y", "z"),
                ("", "x"),
                ("X\x00", "y"),
                ("é", "x"),
            ),
            *(("X", "a\r\n folded"), ("X\r\nno colon", "y"), ("X", "y" * 300_000), ("X", "y" * 600_000)),
            *(
                ("Expect", "100-continue"),
                ("Expect", "x"),
                ("Connection", "Upgrade, HTTP2-Settings"),
                ("Upgrade", "h2c"),
            ),
        )
    )
    return encode_request(request._replace(headers=(*request.headers, (name, value))))


def _many_headers(request: HostileRequest, random: Random) -> bytes:
    name, times = (
        random.choice(("X", "Accept", "Accept-Encoding", "Cookie", "If-None-Match")),
        random.choice((60, 300, 5_000)),
    )
    return encode_request(request._replace(headers=(*request.headers, *[(name, "x")] * times)))


def _lines(request: HostileRequest, random: Random) -> bytes:
    end = random.choice((b"\n", b"\r", b"\r\r\n", b"\n\r"))
    return encode_request(request).replace(b"\r\n", end)


def _target(request: HostileRequest, random: Random) -> bytes:
    target = random.choice(
        ("", "*", "api/events", "?", "/api/events x", "/api/events ", "/api/é\x01", "/\x00", "/api/events#x")
    )
    return encode_request(
        request._replace(target=target if random.random() < 0.8 else "/api/events?" + "a" * 70_000)
    )


def _cut(request: HostileRequest, random: Random) -> bytes:
    data = encode_request(request)
    return data[: random.randrange(len(data))]


def _noise(request: HostileRequest, random: Random) -> bytes:
    del request
    noise = (
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\r\n" * 100,
        b"\x00" * 5_000,
        b"SSH-2.0-x\r\n",
        b"{}",
        b"\xff" * 100_000,
    )
    return random.choice(noise) + b"\r\n\r\n"


FORMS: tuple[Form, ...] = (
    *(
        _version,
        _whole_address,
        _host,
        _length,
        _chunked,
        _header,
        _many_headers,
        _lines,
        _target,
        _cut,
        _noise,
    ),
)
# A valid request line and valid headers (RFC 9112, sections 3 and 5).
_FIELD = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ \t]*(?:[^\x00-\x08\x0a-\x1f\x7f]*)\r\n"
_TARGET = rb"/[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]*"
_HEAD = re.compile(
    rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ (" + _TARGET + rb") HTTP/1\.1\r\n((?:" + _FIELD + rb")*)\r\n"
)


def may_be_refused(data: bytes) -> bool:
    """Return whether the server itself may refuse these bytes, because they are not plain HTTP/1.1."""
    head = _HEAD.match(data)
    if not head or len(head[1]) > 65_000 or len(head[0]) > 400_000:
        return True
    fields = head[2].lower()
    return b"content-length:" in fields or b"transfer-encoding:" in fields or fields.count(b"\r\n") > 90
