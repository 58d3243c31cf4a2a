"""Fetching: whatever a broken server sends, there is a response or a reason."""

import gzip
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from festival.monitoring.live import fetching
from festival.monitoring.live.fetching import Fetcher, FetchError, Response, decode

Serve = Callable[[bytes], Fetcher]


@contextmanager
def serve_once(content: bytes, *, stays_open: bool = False) -> Iterator[str]:
    """Yield the base URL of a server that answers every connection with the same bytes."""
    ended = Event()
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)

    def run() -> None:
        while not ended.is_set():
            try:
                connection, _peer = listener.accept()
            except TimeoutError:
                continue
            with connection:
                connection.settimeout(1)
                connection.recv(65_536)
                connection.sendall(content)
                if stays_open:
                    ended.wait(5)

    thread = Thread(target=run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        ended.set()
        thread.join()
        listener.close()


def test_a_response_has_its_parts() -> None:
    body = gzip.compress(b"hello")
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\nVary: Accept\r\nVary: Origin\r\n"
    with serve_once(head.encode() + b"\r\n" + body) as base_url:
        response = Fetcher(base_url).get("/x?y=1")
    assert response._replace(seconds=0.0) == Response(
        "/x?y=1",
        200,
        {"content-encoding": "gzip", "content-length": str(len(body)), "vary": "Accept, Origin"},
        b"hello",
        0.0,
    )
    assert response.vary() == {"accept", "origin"}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no_answer"),
        (b"garbage\r\n\r\n", "no_answer"),
        (b"HTTP/1.1 xyz\r\n\r\n", "no_answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "cut_off"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "no_answer"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n", "no_answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nplain", "wrong_coding"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: lzma\r\n\r\nplain", "unknown_coding"),
    ],
)
def test_garbage_has_a_reason(content: bytes, code: str) -> None:
    with serve_once(content) as base_url, pytest.raises(FetchError) as caught:
        Fetcher(base_url).get("/x")
    assert caught.value.code == code


def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    half = b"HTTP/1.1 200 OK\r\nContent-Le"
    with serve_once(half, stays_open=True) as base_url, pytest.raises(FetchError) as caught:
        Fetcher(base_url, timeout=0.1).get("/x")
    assert (caught.value.code, caught.value.values["reason"]) == ("no_answer", "timed out")


def test_an_endless_body_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MAX_BYTES", 1_000)
    with (
        serve_once(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 5_000) as base_url,
        pytest.raises(FetchError) as caught,
    ):
        Fetcher(base_url).get("/x")
    assert caught.value.code == "too_large"


def test_a_service_that_is_away_is_tried_a_few_times_only() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    fetcher = Fetcher(f"http://127.0.0.1:{port}")
    codes = []
    for _ in range(5):
        with pytest.raises(FetchError) as caught:
            fetcher.get("/x")
        codes.append(caught.value.code)
    assert codes == ["no_answer"] * 3 + ["unreachable"] * 2


def test_only_addresses_under_the_base_url_are_local() -> None:
    fetcher = Fetcher("https://program.example")
    urls = ["https://program.example/a?b", "https://program.example.evil/a", "http://program.example/a", ""]
    assert [fetcher.local_path(each) for each in urls] == ["/a?b", None, None, None]


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_damaged_bodies_have_a_reason(coding: str) -> None:
    with pytest.raises(FetchError) as caught:
        decode(b"\x00\x01", {"content-encoding": coding}, "/x")
    assert (caught.value.code, caught.value.values) == ("wrong_coding", {"path": "/x", "coding": coding})
