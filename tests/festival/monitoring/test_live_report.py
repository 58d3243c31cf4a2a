"""`check --live`: what it prints, with which code it exits, what it keeps, and when it writes e-mail."""

import io
import smtplib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command

from festival.management.commands import check
from festival.monitoring import live_report
from festival.monitoring.live_report import Finding, Report, read_last
from tests.conftest import NOW, SetClock

URL = "https://program.example"
GREEN = Finding("service", "green", "The service answers at %(url)s.", {"url": URL})
CERTIFICATE = "The certificate is valid until %(date)s, %(days)s days."
YELLOW = Finding("certificate", "yellow", CERTIFICATE, {"date": "2026-08-10", "days": 12})
RED = Finding("certificate", "red", CERTIFICATE, {"date": "2026-07-30", "days": 1})
BACKUP = Finding(
    "backup", "red", "There is no backup in %(folder)s: run “festival backup”.", {"folder": "/backups"}
)

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: SetClock) -> Run:
    """A function that checks, finds this, and returns the exit code and the output."""
    settings.DATA_DIR = tmp_path
    settings.BASE_URL, settings.ALERT_EMAIL = URL, ["technician@example.org"]

    def check_with(*findings: Finding) -> tuple[int, str]:
        monkeypatch.setattr(check, "check_live", lambda: Report(NOW, list(findings)))
        output = io.StringIO()
        try:
            call_command("check", "--live", stdout=output, stderr=output)
        except SystemExit as end:
            return int(str(end.code)), output.getvalue()
        return 0, output.getvalue()

    return check_with


def subjects() -> list[str]:
    return [each.subject.removeprefix("[program.example] ") for each in mail.outbox]


def test_findings_are_printed_and_the_worst_is_the_exit_code(run: Run) -> None:
    green = "green  The service: The service answers at https://program.example.\n"
    assert run(GREEN) == (0, green)
    assert read_last() == Report(NOW, [GREEN])
    yellow = "yellow Certificate: The certificate is valid until 2026-08-10, 12 days.\n"
    assert run(YELLOW, GREEN) == (1, f"{yellow}{green}")
    assert mail.outbox == []
    red = "red    Certificate: The certificate is valid until 2026-07-30, 1 days.\n"
    assert run(YELLOW, RED) == (2, f"{yellow}{red}")
    assert read_last() == Report(NOW, [YELLOW, RED], ["certificate"])


def test_what_is_red_is_written_about_once(run: Run) -> None:
    for _ in range(5):
        run(BACKUP, YELLOW)
    (message,) = mail.outbox
    assert (message.subject, message.to, message.body) == (
        "[program.example] Rött: Säkerhetskopia",
        ["technician@example.org"],
        "Det finns ingen säkerhetskopia i /backups: kör ”festival backup”.\n\n"
        "Hela den senaste kontrollen: https://program.example/admin/health/\n",
    )


def test_what_becomes_red_is_written_about_and_the_end_is_told(run: Run) -> None:
    for findings in [(BACKUP,), (BACKUP, RED), (RED,), (), (), (RED,)]:
        run(*findings)
    assert subjects() == [
        "Rött: Säkerhetskopia",
        "Rött: Säkerhetskopia, Certifikat",
        "Rött: Certifikat",
        "Inget är längre rött",
        "Rött: Certifikat",
    ]
    assert mail.outbox[3].body == "Hela den senaste kontrollen: https://program.example/admin/health/\n"


def test_nobody_is_written_to(run: Run, settings: Any) -> None:
    settings.ALERT_EMAIL = []
    assert (run(BACKUP)[0], mail.outbox) == (2, [])


def test_what_cannot_be_sent_is_tried_again(run: Run, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def fail(*_arguments: Any) -> None:
        raise smtplib.SMTPServerDisconnected

    with monkeypatch.context() as patch:
        patch.setattr(live_report, "send_mail", fail)
        run(BACKUP)
    assert ("could not be sent" in caplog.text, mail.outbox) == (True, [])
    run(BACKUP)
    assert subjects() == ["Rött: Säkerhetskopia"]


def test_a_report_that_cannot_be_kept_is_printed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "check.json").mkdir()
    code, output = run(GREEN)
    assert (code, "The service answers" in output, "cannot be kept" in output) == (0, True, True)
    assert read_last() is None


def test_a_damaged_report_is_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "check.json").write_bytes(b"{")
    assert read_last() is None


def test_without_it_the_settings_are_checked(db: None) -> None:
    output = io.StringIO()
    call_command("check", stderr=output, stdout=output)
    assert "System check identified" in output.getvalue()
