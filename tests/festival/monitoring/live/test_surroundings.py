"""Certificates and network time, from servers on this machine."""

import socket
import ssl
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest
import trustme

from festival.monitoring.live import surroundings
from festival.monitoring.live.surroundings import NTP_EPOCH, check_certificate, check_network_time

NOW = datetime.now(UTC)  # noqa: TID251 - certificates are verified by the real clock


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@contextmanager
def serve_tls(certificate: trustme.LeafCert) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        connection, _peer = listener.accept()
        # The client may refuse the certificate.
        with connection, suppress(OSError), context.wrap_socket(connection, server_side=True) as encrypted:
            encrypted.recv(1)

    thread = Thread(target=run)
    thread.start()
    try:
        yield f"https://localhost:{listener.getsockname()[1]}"
    finally:
        thread.join()
        listener.close()


def judge(
    authority: trustme.CA, base_url: str, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> list[tuple[str, str]]:
    """Return level and code of what is found by a client that trusts the authority."""
    file = folder / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return [(each.level.value, each.code) for each in check_certificate(base_url, NOW, 5)]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (30, ("green", "certificate_ends")),
        (13, ("yellow", "certificate_ends")),
        (2, ("red", "certificate_ends")),
        (-1, ("red", "certificate")),
    ],
)
def test_a_certificate_ends(
    authority: trustme.CA,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    days: int,
    expected: tuple[str, str],
) -> None:
    ends = NOW + timedelta(days=days)
    certificate = authority.issue_cert("localhost", not_before=NOW - timedelta(days=60), not_after=ends)
    with serve_tls(certificate) as base_url:
        assert judge(authority, base_url, monkeypatch, tmp_path) == [expected]


def test_a_certificate_of_another_name(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with serve_tls(authority.issue_cert("other.example")) as base_url:
        assert judge(authority, base_url, monkeypatch, tmp_path) == [("red", "certificate")]


def test_a_certificate_that_nobody_knows(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with serve_tls(trustme.CA().issue_cert("localhost")) as base_url:
        assert judge(authority, base_url, monkeypatch, tmp_path) == [("red", "certificate")]


def test_there_is_no_encryption(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    found = judge(authority, f"https://localhost:{port}", monkeypatch, tmp_path)
    assert found == [("red", "no_certificate")]
    assert judge(authority, "http://localhost", monkeypatch, tmp_path) == []


@pytest.mark.parametrize(
    ("ahead", "expected"), [(0, "clock_ok_network"), (90, "clock_network"), (None, "no_network_time")]
)
def test_network_time_is_compared(ahead: int | None, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ahead` is in seconds; None sends no time at all."""
    packet = b"short"
    if ahead is not None:
        packet = 40 * b"\0" + struct.pack("!II", int(NOW.timestamp()) + NTP_EPOCH + ahead, 0)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        monkeypatch.setattr(surroundings, "NTP_PORT", server.getsockname()[1])

        def answer() -> None:
            _request, peer = server.recvfrom(512)
            server.sendto(packet, peer)

        thread = Thread(target=answer)
        thread.start()
        found = [each.code for each in check_network_time("127.0.0.1", NOW, 5)]
        thread.join()
    assert found == [expected]


def test_network_time_is_asked_for_only_if_told() -> None:
    assert list(check_network_time("", NOW, 1)) == []
