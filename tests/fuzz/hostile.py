"""A fuzzer of the API: each request is a function of a source of randomness."""

import re
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote_to_bytes

from tests.fuzz import unusual_values

# Servers accept 65,534 bytes of a URL.
MAX_TARGET_LENGTH = 60_000
ENDPOINT = re.compile(
    r"/api/(?P<name>events|areas|programme|changes|schema|occations/\d{1,18})(?:\.(?P<extension>[^/]+))?/?",
    re.DOTALL,
)

Headers = tuple[tuple[str, str], ...]


class KnownValues(NamedTuple):
    """Names in the programme and ETags of its answers, so that some requests match."""

    names: Sequence[str]
    tags: list[str]


class HostileRequest(NamedTuple):
    """A request; target and headers are encoded for HTTP, in Latin-1, without `Content-Length`."""

    method: str
    target: str
    headers: Headers
    body: bytes = b""

    def values(self, name: str) -> list[str]:
        return [value for each, value in self.headers if each.lower() == name.lower()]

    @property
    def path(self) -> str:
        """The unquoted path in Latin-1 (PATH_INFO in WSGI)."""
        raw = re.sub(r"^[a-z]+://[^/?]*", "", self.target).partition("?")[0]
        return unquote_to_bytes(raw.encode("latin-1")).decode("latin-1")

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    @property
    def parameters(self) -> list[tuple[str, str]]:
        return parse_qsl(self.query, keep_blank_values=True)

    @property
    def endpoint(self) -> re.Match[str] | None:
        return ENDPOINT.fullmatch(self.path)


def generate_request(random: Random, known: KnownValues) -> HostileRequest:
    """Return a request; most read an endpoint and are unusual in one or two places."""
    method = (
        random.choice(unusual_values.METHODS)
        if random.random() < 0.06
        else random.choice(("GET", "GET", "GET", "HEAD"))
    )
    body = b""
    if random.random() < 0.04:
        body = random.choice((b"{}", b"area=x", b"\x00" * 2000, b'{"a":' * 5000, b"--x\r\n" * 1000))
    target = _path(random) + _query(random, known)
    return HostileRequest(method, target[:MAX_TARGET_LENGTH], _headers(random, known), body)


def _path(random: Random) -> str:
    if random.random() < 0.12:
        return random.choice(unusual_values.PATHS)
    name = random.choice((*("events",) * 5, "areas", "programme", "programme", "changes"))
    extensions = unusual_values.EXTENSIONS if name == "events" else ("json",)
    extension = f".{random.choice(extensions)}" if random.random() < 0.6 else ""
    return f"/api/{name}{extension}{random.choice(('', '', '', '/'))}"


def _query(random: Random, known: KnownValues) -> str:
    if random.random() < 0.1:
        return random.choice(
            ("", "?", "??", "?&&&", "?=", "?" + "&" * 30_000, "?" + "a&" * 20_001, "?" + "[" * 20_000)
        )
    if random.random() < 0.06:
        pairs = _repeated(random, known)
    else:
        count = random.choice((0, 1, 1, 1, 2, 2, 3, 5, 8))
        pairs = [_pair(random, known) for _ in range(count)]
    separator = ";" if random.random() < 0.03 else "&"
    return f"?{separator.join(pairs)}" if pairs else ""


def _repeated(random: Random, known: KnownValues) -> list[str]:
    """Return a parameter by the thousand: the same value, other ones, known ones, or one nested deeply."""
    name = random.choice(unusual_values.PARAMETERS)
    times = random.choice((50, 500, 2_000, 8_000))
    match random.randrange(4):
        case 0:
            return [f"{name}={_value(random, known)[:200]}"] * times
        case 1:
            begin = random.randrange(1 << 20)
            return [f"{name}={begin + number:x}" for number in range(times)]
        case 2:
            return [f"{name}={quote(each)}" for each in known.names] * (times // 50)
        case _:
            return [name + "[a]" * times + "=x"]


def _pair(random: Random, known: KnownValues) -> str:
    name = random.choice(unusual_values.NAMES if random.random() < 0.1 else unusual_values.PARAMETERS)
    if random.random() < 0.05:
        return name
    return f"{name}={_value(random, known)}"


def _value(random: Random, known: KnownValues) -> str:
    match random.randrange(10):
        case 0 | 1 | 2 | 3:
            return _known_value(random, known)
        case 4 | 5 | 6:
            return random.choice(unusual_values.VALUES)
        case 7:
            code_points = [random.randrange(0x110000) for _ in range(random.randrange(1, 8))]
            return quote("".join(map(chr, code_points)).encode("utf-8", "surrogatepass"))
        case 8:
            some = random.randrange(1, 12)
            return quote(bytes(random.randrange(256) for _ in range(some)))
        case _:
            return random.choice(unusual_values.PIECES) * random.choice((2, 30, 300, 3_000, 15_000))


def _known_value(random: Random, known: KnownValues) -> str:
    text = random.choice((*unusual_values.EXTENSIONS[:1], *known.names))
    change = random.choice((str, str, str, str.upper, str.lower, str.swapcase))
    around = random.choice(("", "", "", " ", "\t", "\u3000"))
    return quote(around + change(text) + around)


def _headers(random: Random, known: KnownValues) -> Headers:
    offered: tuple[tuple[float, str, Callable[[], str]], ...] = (
        (0.6, "Accept", lambda: _accept(random)),
        (0.6, "Accept-Encoding", lambda: _list(random, unusual_values.CODINGS)),
        (0.15, "If-None-Match", lambda: _tags(random, known)),
        (0.03, "If-Match", lambda: _tags(random, known)),
        (0.05, "If-Modified-Since", lambda: random.choice(unusual_values.DATES)),
        (0.05, "If-Unmodified-Since", lambda: random.choice(unusual_values.DATES)),
    )
    headers = [("Host", _host(random))]
    headers += [(name, value()) for share, name, value in offered if random.random() < share]
    headers += [
        (name, random.choice(values)) for name, values in unusual_values.HEADERS if random.random() < 0.03
    ]
    return tuple((name, _in_latin_1(value)) for name, value in headers)


def _in_latin_1(value: str) -> str:
    """Return what stands for the bytes of a value: those of its UTF-8, if Latin-1 cannot hold it."""
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        return value.encode("utf-8").decode("latin-1")
    return value


def _host(random: Random) -> str:
    if random.random() < 0.03:
        return random.choice(unusual_values.HOSTS_REFUSED)
    return random.choice(unusual_values.HOSTS_ALLOWED) if random.random() < 0.1 else "localhost"


def _accept(random: Random) -> str:
    if random.random() < 0.4:
        return random.choice(("*/*", "", *unusual_values.MEDIA_TYPES))
    return _list(
        random, [each.format(random.choice(unusual_values.MEDIA_TYPES)) for each in unusual_values.RANGES]
    )


def _list(random: Random, choices: Iterable[str]) -> str:
    """Return a list of some elements, now and then of thousands or without an end."""
    choices = tuple(choices)
    if random.random() < 0.04:
        return random.choice(choices) * random.choice((1_000, 4_000))
    count = random.choice((1, 1, 2, 3, 6)) if random.random() < 0.96 else random.choice((300, 3_000))
    some = [random.choice(choices) for _ in range(min(count, 40))]
    return random.choice((",", ", ", " ,\t")).join((some * (1 + count // 40))[:count])


def _tags(random: Random, known: KnownValues) -> str:
    if random.random() < 0.5:
        form = random.choice(("{}", "W/{}", '"x", {}', "{},{}", "{}x", "x{}"))
        return form.replace("{}", random.choice(known.tags))
    return random.choice(unusual_values.TAGS)
