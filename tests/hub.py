"""A small real WebSub hub, and a subscriber, on loopback: what the service is tested against."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen


class LoopbackServer(ThreadingHTTPServer):
    """Answers in threads of its own, on a free port."""

    daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


@contextmanager
def _run_server(server: LoopbackServer) -> Iterator[None]:
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _QuietHandler(BaseHTTPRequestHandler):
    def log_message(self, *_said: Any) -> None: ...

    def answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    @property
    def body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"]))


class Subscriber(LoopbackServer):
    """Confirms what it subscribed to, and keeps what it is sent: Link, Content-Type and body."""

    def __init__(self) -> None:
        self.wanted: set[str] = set()
        self.got: list[tuple[str, str, bytes]] = []
        super().__init__(("127.0.0.1", 0), _CallbackHandler)

    def subscribe(self, feed: str) -> str:
        """Find the hub of a feed as its headers say, and subscribe to it; return the topic."""
        with urlopen(feed) as answer:
            links = dict(re.findall(r'<([^>]*)>; rel="(\w+)"', answer.headers["Link"]))
        hub, topic = ({relation: url for url, relation in links.items()}[each] for each in ("hub", "self"))
        self.wanted.add(topic)
        form = {"hub.mode": "subscribe", "hub.topic": topic, "hub.callback": self.url}
        with urlopen(Request(hub, urlencode(form).encode())) as answer:
            assert answer.status == 202
        return topic


class _CallbackHandler(_QuietHandler):
    server: Subscriber

    def do_GET(self) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        is_wanted = asked["hub.mode"] == "subscribe" and asked["hub.topic"] in self.server.wanted
        self.answer(200 if is_wanted else 404, asked["hub.challenge"].encode() if is_wanted else b"")

    def do_POST(self) -> None:
        self.server.got.append((self.headers["Link"], self.headers["Content-Type"], self.body))
        self.answer(204)


class Hub(LoopbackServer):
    """Verifies subscriptions, fetches what it is notified of and distributes it, all before it answers.

    `answers` are statuses to answer publishers with instead, the next first.
    """

    def __init__(self) -> None:
        self.subscriptions: list[tuple[str, str]] = []
        self.notified: list[str] = []
        self.answers: list[int] = []
        super().__init__(("127.0.0.1", 0), _HubHandler)


class _HubHandler(_QuietHandler):
    server: Hub

    def do_POST(self) -> None:
        form = {name: values[0] for name, values in parse_qs(self.body.decode()).items()}
        if form["hub.mode"] == "publish" and self.server.answers:
            self.answer(self.server.answers.pop(0))
            return
        {"subscribe": self._subscribe, "publish": self._publish}[form["hub.mode"]](form)
        self.answer(202)

    def _subscribe(self, form: dict[str, str]) -> None:
        challenge = secrets.token_hex()
        asked = {"hub.mode": "subscribe", "hub.topic": form["hub.topic"], "hub.challenge": challenge}
        with urlopen(f"{form['hub.callback']}?{urlencode(asked)}") as answer:
            assert answer.read().decode() == challenge
        self.server.subscriptions.append((form["hub.topic"], form["hub.callback"]))

    def _publish(self, form: dict[str, str]) -> None:
        topic = form["hub.url"]
        self.server.notified.append(topic)
        for subscribed, callback in self.server.subscriptions:
            if subscribed == topic:
                with urlopen(topic) as answer:
                    content, kind = answer.read(), answer.headers["Content-Type"]
                links = f'<{self.server.url}>; rel="hub", <{topic}>; rel="self"'
                headers = {"Link": links, "Content-Type": kind}
                with urlopen(Request(callback, content, headers)):
                    pass


@contextmanager
def run_hub() -> Iterator[Hub]:
    server = Hub()
    with _run_server(server):
        yield server


@contextmanager
def run_subscriber() -> Iterator[Subscriber]:
    server = Subscriber()
    with _run_server(server):
        yield server
