"""`check --live`: what it prints, with which code it exits, what it keeps; without --live it is Django's."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command

from festival.management.commands import check
from festival.monitoring.live.report import Finding, Level, Report, read_last
from tests.conftest import NOW

GREEN = Finding("service", Level.GREEN, "The service answers at %(url)s.", {"url": "https://program.example"})
YELLOW = Finding("clock", Level.YELLOW, "Responses have no date.")
RED = Finding(".ics", Level.RED, "%(path)s answers %(status)s.", {"path": "/api/events.ics", "status": 500})


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    settings.ALERT_EMAIL = ["technician@example.org"]
    return tmp_path


def run(
    monkeypatch: pytest.MonkeyPatch, *findings: Finding, options: tuple[str, ...] = ()
) -> tuple[int, str]:
    """Return the exit code and the output of a run that finds this."""
    report = Report(NOW, 1.25, "https://program.example", list(findings))
    monkeypatch.setattr(check, "check_live", lambda _timeout: report)
    output = io.StringIO()
    try:
        call_command("check", "--live", *options, stdout=output, stderr=output)
    except SystemExit as end:
        return int(str(end.code)), output.getvalue()
    return 0, output.getvalue()


def test_green(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, GREEN) == (
        0,
        "green  The service: The service answers at https://program.example.\n"
        "green in 1.2 s: https://program.example\n",
    )
    assert read_last() == Report(NOW, 1.25, "https://program.example", [GREEN])


def test_yellow(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, YELLOW, GREEN, options=("--verbosity=0",)) == (
        1,
        "yellow Clock: Responses have no date.\nyellow in 1.2 s: https://program.example\n",
    )


def test_red_is_written_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = 2, "red    .ics: /api/events.ics answers 500.\nred in 1.2 s: https://program.example\n"
    assert [run(monkeypatch, RED), run(monkeypatch, RED)] == [expected] * 2
    assert read_last() == Report(NOW, 1.25, "https://program.example", [RED], [".ics"], NOW)
    assert [each.subject for each in mail.outbox] == ["[program.example] Rött: .ics"]


def test_a_report_that_cannot_be_kept_is_printed(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "check.new").mkdir()
    code, output = run(monkeypatch, GREEN)
    assert (code, "green in 1.2 s" in output, "cannot be kept" in output) == (0, True, True)


def test_a_damaged_report_is_none(folder: Path) -> None:
    assert read_last() is None
    (folder / "check.json").write_bytes(b"{")
    assert read_last() is None


def test_without_it_the_settings_are_checked(db: None) -> None:
    output = io.StringIO()
    call_command("check", stderr=output, stdout=output)
    assert "System check identified" in output.getvalue()
