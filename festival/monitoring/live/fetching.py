"""Fetches addresses of the service as readers do: under BASE_URL only, following no redirect, bounded."""

import gzip
import ssl
import time
import zlib
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import brotli
import zstandard

# Seconds for one response, to its end; bytes of a body, before and after it is decoded.
TIMEOUT, MAX_BYTES = 10.0, 100_000_000
_BLOCK = 65_536
# After so many failed connections one after the other, no further one is tried.
MAX_FAILURES = 3
AGENT = "festival-check/1"


class FetchError(Exception):
    """There is no response: `code` names the sentence that says why, with `values`."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class Response(NamedTuple):
    """A response with its body decoded, and the seconds it took. Names of headers are in lower case."""

    path: str
    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def vary(self) -> set[str]:
        return {each.strip().lower() for each in self.headers.get("vary", "").split(",")}


class Fetcher:
    """Sends GET requests to the service.

    Certificates are not verified, so that a bad one is one finding (`check_certificate`) and hides no other.
    """

    def __init__(self, base_url: str, timeout: float = TIMEOUT) -> None:
        self.base_url = base_url
        self.timeout = timeout
        self.fetched: list[Response] = []
        self._failures = 0

    def get(self, path: str, **headers: str) -> Response:
        """Return the response to a path below BASE_URL; raises FetchError."""
        if self._failures >= MAX_FAILURES:
            raise FetchError("unreachable", path=path)
        try:
            response = self._get(path, headers)
        except FetchError:
            self._failures += 1
            raise
        except (OSError, HTTPException, ValueError) as error:
            self._failures += 1
            raise FetchError("no_answer", path=path, reason=_describe(error)) from None
        self._failures = 0
        self.fetched.append(response)
        return response

    def local_path(self, url: str) -> str | None:
        """Return the path of an address under BASE_URL; None for any other address."""
        return url.removeprefix(self.base_url) if url.startswith(f"{self.base_url}/") else None

    def _get(self, path: str, headers: Mapping[str, str]) -> Response:
        base = urlsplit(self.base_url)
        connection = self._connect(base.scheme, base.hostname or "", base.port)
        began = time.monotonic()
        try:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            sent = {"User-Agent": AGENT, "Accept-Encoding": "gzip", "Connection": "close", **names}
            connection.request("GET", base.path + path, headers=sent)
            with connection.getresponse() as answer:
                body = _read(answer, path, began + self.timeout)
        finally:
            connection.close()
        seconds = time.monotonic() - began
        found: dict[str, str] = {}
        for name, value in answer.getheaders():
            found[name.lower()] = f"{found[name.lower()]}, {value}" if name.lower() in found else value
        return Response(path, answer.status, found, decode(body, found, path), seconds)

    def _connect(self, scheme: str, host: str, port: int | None) -> HTTPConnection:
        if scheme == "http":
            return HTTPConnection(host, port, timeout=self.timeout)
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return HTTPSConnection(host, port, timeout=self.timeout, context=context)


def _read(answer: HTTPResponse, path: str, until: float) -> bytes:
    blocks, size = [], 0
    while block := answer.read1(_BLOCK):
        blocks.append(block)
        size += len(block)
        if size > MAX_BYTES:
            raise FetchError("too_large", path=path, megabytes=MAX_BYTES // 1_000_000)
        if time.monotonic() > until:
            raise FetchError("too_slow", path=path)
    if answer.length:
        raise FetchError("cut_off", path=path)
    return b"".join(blocks)


def decode(body: bytes, headers: Mapping[str, str], path: str) -> bytes:
    """Return a body without its content coding; raises FetchError."""
    coding = headers.get("content-encoding", "identity").strip().lower()
    try:
        match coding:
            case "identity" | "":
                return body
            case "gzip":
                return gzip.decompress(body)
            case "br":
                decoded: bytes = brotli.decompress(body)
                return decoded
            case "zstd":
                return zstandard.ZstdDecompressor().decompress(body, max_output_size=MAX_BYTES)
    except (OSError, EOFError, zlib.error, brotli.error, zstandard.ZstdError):
        raise FetchError("wrong_coding", path=path, coding=coding) from None
    raise FetchError("unknown_coding", path=path, coding=coding)


def _describe(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
