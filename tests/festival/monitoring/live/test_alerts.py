"""E-mail: one for each cause, a reminder a day, and one when it is over."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail

from festival.monitoring.live import alerts
from festival.monitoring.live.alerts import send_alerts
from festival.monitoring.live.findings import Finding, Level, Report, green, red, yellow
from tests.conftest import NOW

DISK = red("disk", "disk", megabytes=7)
BACKUP = red("backup", "no_backup", folder="/backups")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def known(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    settings.ALERT_EMAIL = ["technician@example.org"]


def report(after: timedelta, *findings: Finding) -> Report:
    return Report(NOW + after, 1.0, "https://program.example", list(findings))


def subjects() -> list[str]:
    return [each.subject.removeprefix("[program.example] ") for each in mail.outbox]


def test_a_cause_is_written_about_once() -> None:
    for number in range(5):
        send_alerts(report(number * HOUR, DISK, red("disk", "disk", megabytes=5), yellow("cache", "stale")))
    (message,) = mail.outbox
    assert (message.subject, message.to, message.body) == (
        "[program.example] Rött: Disk",
        ["technician@example.org"],
        "DATA_DIR har 7 MB kvar.\nDATA_DIR har 5 MB kvar.\n\n"
        "Hela den senaste kontrollen: https://program.example/admin/health/\n",
    )


def test_each_cause_has_its_own() -> None:
    assert send_alerts(report(0 * HOUR, DISK, BACKUP)) == 2
    assert subjects() == ["Rött: Disk", "Rött: Säkerhetskopia"]


def test_a_reminder_comes_after_a_day() -> None:
    for number in range(49):
        send_alerts(report(number * HOUR, DISK))
    assert subjects() == ["Rött: Disk", "Fortfarande rött: Disk", "Fortfarande rött: Disk"]
    assert mail.outbox[1].body.splitlines()[2] == "Sedan 2026-07-29 14:00."


def test_the_end_is_told_and_then_it_may_begin_again() -> None:
    send_alerts(report(0 * HOUR, DISK))
    for number in (1, 2):
        send_alerts(report(number * HOUR, green("disk", "disk", megabytes=900)))
    send_alerts(report(3 * HOUR, DISK))
    assert subjects() == ["Rött: Disk", "Över: Disk", "Rött: Disk"]
    assert (
        mail.outbox[1].body == "Inte längre rött. Det var det från 2026-07-29 14:00 till 2026-07-29 15:00.\n"
    )


def test_nothing_is_over_while_the_service_does_not_answer() -> None:
    send_alerts(report(0 * HOUR, red("feed.atom", "status", path="/x", status=404)))
    send_alerts(report(HOUR, red("service", "unreachable", path="/x")))
    send_alerts(report(2 * HOUR))
    assert subjects() == ["Rött: Flödet .atom", "Rött: Tjänsten", "Över: Flödet .atom", "Över: Tjänsten"]


def test_yellow_is_no_cause() -> None:
    assert send_alerts(report(HOUR, yellow("cache", "stale", path="/x", state="STALE"))) == 0


def test_nobody_is_written_to(settings: Any, tmp_path: Path) -> None:
    settings.ALERT_EMAIL = []
    assert (send_alerts(report(HOUR, DISK)), list(tmp_path.iterdir())) == (0, [])


def test_what_cannot_be_sent_is_tried_again(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def fail(*_arguments: Any) -> None:
        raise ConnectionRefusedError("connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(alerts, "send_mail", fail)
        assert send_alerts(report(0 * HOUR, DISK)) == 0
    assert "could not be sent" in caplog.text
    assert send_alerts(report(HOUR, DISK)) == 1


@pytest.mark.parametrize("content", [b"", b"{", b'{"disk": 5}', b"\xff"])
def test_a_damaged_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "alerts.json").write_bytes(content)
    assert [send_alerts(report(each * HOUR, DISK)) for each in range(2)] == [1, 0]


def test_a_file_that_cannot_be_written_is_logged(tmp_path: Path, caplog: Any) -> None:
    (tmp_path / "alerts.new").mkdir()
    assert send_alerts(report(HOUR, DISK)) == 1
    assert "cannot be written" in caplog.text


def test_levels_are_ordered() -> None:
    assert report(HOUR, DISK, green("disk", "disk", megabytes=9)).levels() == {"disk": Level.RED}
