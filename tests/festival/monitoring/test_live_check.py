"""The check of the running service: formats that are spoilt, certificates and backups."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import trustme
from django.test import Client
from django.utils.translation import override

from feeds.formats import BY_EXTENSION
from feeds.programme import Programme
from festival.monitoring import live_check
from festival.monitoring.live_check import COUNTS, check_certificate, check_live
from programme.publishing import loading
from tests.conftest import NOW, SetClock

Answer = tuple[int, bytes]
Spoil = Callable[[Answer], Answer]
REAL_NOW = datetime.now(UTC)  # noqa: TID251 - certificates are verified by the real clock


@pytest.fixture
def spoilt(
    sample_programme: Programme, at: SetClock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any
) -> dict[str, Spoil]:
    """Changes to the responses of a service that works, by extension; none to begin with."""
    settings.BACKUP_DIR = tmp_path
    (tmp_path / f"festival-{NOW:%Y%m%dT%H%M%S}Z.tar").touch()
    monkeypatch.setattr(loading, "load", lambda *_before: sample_programme)
    monkeypatch.setattr(loading, "fetch_revision", lambda: sample_programme.revision)
    monkeypatch.setattr(live_check, "check_certificate", lambda *_arguments: [])
    changes: dict[str, Spoil] = {}

    def fetch(path: str) -> Answer:
        response = Client().get(path)
        change = changes.get(path.rpartition(".")[2], lambda same: same)
        return change((response.status_code, response.content))

    monkeypatch.setattr(live_check, "fetch", fetch)
    return changes


def find_problems() -> list[tuple[str, str, str]]:
    """Return check, level and sentence of what is not green."""
    problems = [each for each in check_live().findings if each.level != "green"]
    with override("en"):
        return [(each.check, each.level, each.text) for each in problems]


def test_every_format_holds_as_many_occasions_as_the_json(spoilt: dict[str, Spoil]) -> None:
    assert COUNTS.keys() == BY_EXTENSION.keys()
    findings = {each.check: each for each in check_live().findings}
    assert {each.level for each in findings.values()} == {"green"}
    assert findings.keys() == {"service", "backup", *(f".{each}" for each in BY_EXTENSION)}
    counts = {findings[f".{each}"].values["count"] for each in BY_EXTENSION}
    assert counts == {16}


@pytest.mark.parametrize("extension", [each for each in BY_EXTENSION if each != "json"])
def test_a_format_that_lacks_occasions_or_is_a_page(spoilt: dict[str, Spoil], extension: str) -> None:
    part = Client().get(f"/api/events.{extension}?date=2026-07-29").content
    spoilt[extension] = lambda _answer: (200, part)
    text = f"/api/events.{extension} has {COUNTS[extension](part)} occasions, the JSON 16."
    assert find_problems() == [(f".{extension}", "red", text)]
    spoilt[extension] = lambda _answer: (200, b"<!doctype html><html><body>Away</body></html>")
    ((check, level, _text),) = find_problems()
    assert (check, level) == (f".{extension}", "red")


def test_without_the_json_nothing_is_compared(spoilt: dict[str, Spoil]) -> None:
    spoilt["json"] = lambda _answer: (503, b"")
    assert find_problems() == [(".json", "red", "/api/events.json answers 503.")]


def test_an_edit_while_it_fetches_is_no_fault(spoilt: dict[str, Spoil]) -> None:
    one = Client().get("/api/events.json?date=2026-07-29").content
    bodies = iter([one])
    spoilt["json"] = lambda answer: (200, next(bodies, answer[1]))
    assert find_problems() == []


def test_nothing_that_answers_is_one_cause(settings: Any, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings.BASE_URL, settings.BACKUP_DIR = f"https://127.0.0.1:{port}", tmp_path
    service, backup = find_problems()
    assert backup == ("backup", "red", f"There is no backup in {tmp_path}: run “festival backup”.")
    assert service[:2] == ("service", "red")
    assert service[2].startswith(f"Nothing answers at https://127.0.0.1:{port}: URLError: <urlopen error")
    assert service[2].endswith("See `systemctl status festival`.")


def test_a_check_that_fails_is_a_finding(spoilt: dict[str, Spoil], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise PermissionError("/backups")

    monkeypatch.setattr(live_check, "find_latest", fail)
    assert find_problems() == [("backup", "red", "The check itself failed: PermissionError: /backups.")]


@pytest.mark.parametrize(
    ("age", "expected"),
    [(timedelta(days=2), "green"), (timedelta(days=2, seconds=1), "red")],
)
def test_a_backup_has_an_age(settings: Any, tmp_path: Path, age: timedelta, expected: str) -> None:
    settings.BACKUP_DIR = tmp_path
    (tmp_path / f"festival-{NOW - age:%Y%m%dT%H%M%S}Z.tar").touch()
    (finding,) = live_check.check_backup(NOW)
    assert (finding.level, finding.values["hours"]) == (expected, 48)


# --- Fetching -----------------------------------------------------------------------------------


@contextmanager
def serving(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Yield host and port of a server that answers one connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def run() -> None:
            with listener.accept()[0] as connection:
                answer(connection)

        thread = Thread(target=run)
        thread.start()
        yield f"localhost:{listener.getsockname()[1]}"
        thread.join()


@contextmanager
def serve_once(content: bytes) -> Iterator[str]:
    """Yield the base URL of a server that answers one connection with these bytes."""

    def answer(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(content)

    with serving(answer) as host:
        yield f"http://{host}"


def test_a_response_is_fetched(settings: Any) -> None:
    with serve_once(b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello") as settings.BASE_URL:
        assert live_check.fetch("/x") == (404, b"hello")


@pytest.mark.parametrize("content", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
def test_garbage_is_no_answer(settings: Any, content: bytes) -> None:
    with serve_once(content) as settings.BASE_URL:
        (finding,) = live_check.check_service()
    assert (finding.check, finding.level) == ("service", "red")


# --- Certificates -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@contextmanager
def serve_tls(certificate: trustme.LeafCert) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)

    def answer(connection: socket.socket) -> None:
        # The client may refuse the certificate.
        with suppress(OSError), context.wrap_socket(connection, server_side=True) as encrypted:
            encrypted.recv(1)

    with serving(answer) as host:
        yield f"https://{host}"


@pytest.mark.parametrize(("days", "expected"), [(30, "green"), (13, "yellow"), (2, "red")])
def test_a_certificate_ends(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, days: int, expected: str
) -> None:
    file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    ends = REAL_NOW + timedelta(days=days)
    certificate = authority.issue_cert("localhost", not_before=REAL_NOW - timedelta(days=60), not_after=ends)
    with serve_tls(certificate) as base_url:
        (finding,) = check_certificate(base_url, REAL_NOW)
    assert (finding.level, finding.values["days"]) == (expected, days - 1)


def test_a_certificate_that_browsers_refuse_is_no_answer(authority: trustme.CA, settings: Any) -> None:
    with serve_tls(authority.issue_cert("localhost")) as settings.BASE_URL:
        (finding,) = live_check.check_service()
    assert (finding.check, finding.level) == ("service", "red")
    assert "CERTIFICATE_VERIFY_FAILED" in str(finding.values["reason"])


def test_there_is_no_certificate_without_encryption() -> None:
    assert list(check_certificate("http://localhost", NOW)) == []
