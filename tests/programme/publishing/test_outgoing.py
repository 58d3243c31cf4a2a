"""Attacks on requests to other servers: no address, name or redirect leads into a private network."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request

import pytest
import trustme
from pytest_django.fixtures import Settings

from programme.publishing import outgoing
from programme.publishing.outgoing import PrivateAddressError, is_public, open_request


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        target = self.path.removeprefix("/to/")
        self.send_response(302 if target != self.path else 200)
        self.send_header("Location", target)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_said: Any) -> None: ...


@contextmanager
def run_server(context: ssl.SSLContext | None = None) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def port() -> Iterator[int]:
    with run_server() as number:
        yield number


Names = Callable[..., list[str]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Return a function that gives a name its addresses, one list for each time it is resolved."""
    own = socket.getaddrinfo
    answers: dict[str, list[list[str]]] = {}
    asked: list[str] = []

    def resolve(host: str, port: int, *rest: Any, **named: Any) -> Any:
        if host not in answers:
            return own(host, port, *rest, **named)
        asked.append(host)
        addresses = answers[host].pop(0)
        return [found for each in addresses for found in own(each, port, *rest, **named)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    def give(name: str, *lists: list[str]) -> list[str]:
        answers[name] = list(lists)
        return asked

    return give


def ask(url: str, *, follow: bool = False) -> bytes:
    with open_request(Request(url), 5, follow=follow) as response:
        return response.read()


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
        *("100.64.0.1", "0.0.0.1", "255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1", "198.18.0.1"),
        *("::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1"),
        *("64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:f5ff:fffe"),
    ],
)
def test_an_address_of_a_private_network_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9", "64:ff9b::909:909", "2002:909:909::1"]
)
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "[::ffff:127.0.0.1]",
        "0",
    ],
)
def test_a_host_of_this_machine_is_refused_however_it_is_written(port: int, host: str) -> None:
    with pytest.raises(URLError) as refusal:
        ask(f"http://{host}:{port}/")
    assert isinstance(refusal.value.reason, PrivateAddressError | socket.gaierror)


def test_a_name_that_leads_to_a_private_network_is_refused_with_the_setting_to_change(names: Names) -> None:
    names("intranet.example", ["10.0.0.5"])
    with pytest.raises(URLError) as refusal:
        ask("http://intranet.example/")
    assert str(refusal.value.reason) == (
        "intranet.example leads to 10.0.0.5, in a private network: ALLOWED_PRIVATE_HOSTS does not name it"
    )


def test_one_private_address_among_public_ones_is_refused(names: Names) -> None:
    names("mixed.example", ["9.9.9.9", "127.0.0.1"])
    with pytest.raises(URLError) as refusal:
        ask("http://mixed.example/")
    assert isinstance(refusal.value.reason, PrivateAddressError)


def test_a_name_is_resolved_once_and_the_address_that_was_checked_is_connected_to(
    port: int, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The second answer is what a name server would give the connection after the check.
    asked = names("rebinding.example", ["9.9.9.9"], ["127.0.0.1"])
    connected: list[Any] = []

    def connect(address: Any, *_rest: Any) -> socket.socket:
        connected.append(address)
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(URLError):
        ask(f"http://rebinding.example:{port}/")
    assert (asked, connected) == (["rebinding.example"], [("9.9.9.9", port)])


@pytest.mark.parametrize(
    ("allowed", "host"),
    [
        ("localhost", "localhost"),
        ("LOCALHOST.", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("hub.lan", "HUB.lan"),
    ],
)
def test_a_host_that_the_setting_names_is_reached(
    port: int, names: Names, settings: Settings, allowed: str, host: str
) -> None:
    names("hub.lan", ["127.0.0.1"])
    names("HUB.lan", ["127.0.0.1"])
    settings.ALLOWED_PRIVATE_HOSTS = ["other.example", allowed]
    assert ask(f"http://{host}:{port}/") == b"ok"


@pytest.mark.parametrize("host", ["localhost.evil.example", "evil-localhost", "localhost@evil.example"])
def test_a_host_that_only_resembles_an_allowed_one_is_refused(
    port: int, names: Names, settings: Settings, host: str
) -> None:
    settings.ALLOWED_PRIVATE_HOSTS = ["localhost"]
    names(host, ["127.0.0.1"])
    with pytest.raises(URLError):
        ask(f"http://{host}:{port}/")


def test_each_redirect_is_checked(port: int, settings: Settings) -> None:
    settings.ALLOWED_PRIVATE_HOSTS = ["localhost"]
    assert ask(f"http://localhost:{port}/to/http://localhost:{port}/", follow=True) == b"ok"
    with pytest.raises(URLError) as refusal:
        ask(f"http://localhost:{port}/to/http://127.0.0.1:{port}/", follow=True)
    assert isinstance(refusal.value.reason, PrivateAddressError)


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://localhost/", "data:text/plain,x", "gopher://localhost/", "//[::1"]
)
def test_a_redirect_leads_to_the_web_only(port: int, settings: Settings, target: str) -> None:
    settings.ALLOWED_PRIVATE_HOSTS = ["localhost"]
    with pytest.raises((OSError, ValueError)):
        ask(f"http://localhost:{port}/to/{target}", follow=True)


def test_a_redirect_is_an_error_unless_it_is_asked_for_and_ends(port: int, settings: Settings) -> None:
    settings.ALLOWED_PRIVATE_HOSTS = ["localhost"]
    with pytest.raises(HTTPError) as answer:
        ask(f"http://localhost:{port}/to/http://localhost:{port}/")
    answer.value.close()
    loop = "/to/".join([f"http://localhost:{port}"] * 12)
    with pytest.raises(HTTPError) as answer:
        ask(loop, follow=True)
    answer.value.close()


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://localhost/", "data:text/plain,x"])
def test_other_schemes_are_no_addresses(address: str) -> None:
    with pytest.raises(URLError, match="unknown url type"):
        ask(address)


def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
    with pytest.raises(URLError):
        ask("http://127.0.0.2:1/")


def test_the_certificate_is_that_of_the_name_and_tls_is_not_left(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, names: Names
) -> None:
    settings.ALLOWED_PRIVATE_HOSTS = ["hub.example", "other.example"]
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("hub.example").configure_cert(context)
    with authority.cert_pem.tempfile() as path, run_server(context) as number:
        monkeypatch.setenv("SSL_CERT_FILE", path)
        for host in ("hub.example", "other.example"):
            names(host, *[["127.0.0.1"]] * 3)
        assert ask(f"https://hub.example:{number}/") == b"ok"
        with pytest.raises(URLError, match="certificate verify failed"):
            ask(f"https://other.example:{number}/")
        with pytest.raises(HTTPError) as answer:
            ask(f"https://hub.example:{number}/to/http://hub.example:{number}/", follow=True)
        answer.value.close()


def test_a_host_without_an_address_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "resolve", lambda *_host: [])
    with pytest.raises(URLError, match=r"nowhere\.example has no address"):
        ask("http://nowhere.example/")
