"""E-mail: when other checks are red than before, a reminder a day, and one when nothing is red any more."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from festival.monitoring.live import alert
from festival.monitoring.live.alert import send_alert
from festival.monitoring.live.report import Finding, Level, Report
from tests.conftest import NOW

CLOCK = Finding("clock", Level.RED, "This machine’s clock is %(seconds)s seconds off.", {"seconds": 70})
BACKUP = Finding(
    "backup", Level.RED, "There is no backup in %(folder)s: run “festival backup”.", {"folder": "/backups"}
)
YELLOW = Finding("clock", Level.YELLOW, "Responses have no date.")
HOUR = timedelta(hours=1)

Check = Callable[..., Report]


@pytest.fixture
def check(settings: Any) -> Check:
    """A function that checks at an hour with some findings, and sends what is due."""
    settings.ALERT_EMAIL = ["technician@example.org"]
    reports: list[Report | None] = [None]

    def run(hour: int, *findings: Finding) -> Report:
        report = Report(NOW + hour * HOUR, 1.0, "https://program.example", list(findings))
        reports.append(send_alert(report, reports[-1]))
        return reports[-1]

    return run


def subjects() -> list[str]:
    return [each.subject.removeprefix("[program.example] ") for each in mail.outbox]


def test_what_is_red_is_written_about_once(check: Check) -> None:
    for hour in range(5):
        check(hour, BACKUP, YELLOW)
    (message,) = mail.outbox
    assert (message.subject, message.to, message.body) == (
        "[program.example] Rött: Säkerhetskopia",
        ["technician@example.org"],
        "Det finns ingen säkerhetskopia i /backups: kör ”festival backup”.\n\n"
        "Hela den senaste kontrollen: https://program.example/admin/health/\n",
    )


def test_what_becomes_red_is_written_about_and_the_end_is_told(check: Check) -> None:
    for hour, findings in enumerate([(BACKUP,), (BACKUP, CLOCK), (CLOCK,), (), (), (CLOCK,)]):
        check(hour, *findings)
    assert subjects() == [
        "Rött: Säkerhetskopia",
        "Rött: Säkerhetskopia, Klocka",
        "Rött: Klocka",
        "Inget är längre rött",
        "Rött: Klocka",
    ]
    assert mail.outbox[3].body == ("Hela den senaste kontrollen: https://program.example/admin/health/\n")


def test_a_reminder_comes_after_a_day(check: Check) -> None:
    for hour in range(49):
        check(hour, BACKUP)
    assert subjects() == [
        "Rött: Säkerhetskopia",
        "Fortfarande rött: Säkerhetskopia",
        "Fortfarande rött: Säkerhetskopia",
    ]


def test_yellow_is_not_written_about(check: Check) -> None:
    assert (check(0, YELLOW).alerted_at, mail.outbox) == (None, [])


def test_nobody_is_written_to(check: Check, settings: Any) -> None:
    settings.ALERT_EMAIL = []
    assert (check(0, BACKUP).alerted, mail.outbox) == ([], [])


def test_what_cannot_be_sent_is_tried_again(
    check: Check, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    def fail(*_arguments: Any) -> None:
        raise ConnectionRefusedError("connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(alert, "send_mail", fail)
        check(0, BACKUP)
    assert ("could not be sent" in caplog.text, mail.outbox) == (True, [])
    check(1, BACKUP)
    assert subjects() == ["Rött: Säkerhetskopia"]
