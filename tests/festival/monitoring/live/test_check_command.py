"""`check --live`: what it prints, and with which code it exits; without --live it is Django's."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from festival.management.commands import check
from festival.monitoring.live.findings import Finding, Report, green, red, yellow
from festival.monitoring.live.run import read_last
from tests.conftest import NOW

GREEN = green("cors", "cors_ok")
YELLOW = yellow("cache", "stale", path="/x", state="STALE")
RED = red("disk", "disk", megabytes=7)


def run(
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    tmp_path: Path,
    *findings: Finding,
    options: tuple[str, ...] = (),
) -> tuple[int, str]:
    """Return the exit code and the output of a run that finds this."""
    settings.DATA_DIR = tmp_path
    report = Report(NOW, 1.25, "https://program.example", list(findings))
    monkeypatch.setattr(check, "check_live", lambda _timeout: report)
    output = io.StringIO()
    try:
        call_command("check", "--live", *options, stdout=output)
    except SystemExit as end:
        return int(str(end.code)), output.getvalue()
    finally:
        assert read_last() == report
    return 0, output.getvalue()


def test_green(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    assert run(monkeypatch, settings, tmp_path, GREEN) == (
        0,
        "green  Other websites: Other websites may read the feeds.\ngreen in 1.2 s: https://program.example\n",
    )


def test_yellow(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    code, output = run(monkeypatch, settings, tmp_path, YELLOW, GREEN, options=("--verbosity=0",))
    assert (code, output) == (
        1,
        "yellow Caches in front: /x comes from a cache that knows that it is outdated (STALE).\n"
        "yellow in 1.2 s: https://program.example\n",
    )


def test_red_as_json(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    code, output = run(monkeypatch, settings, tmp_path, GREEN, RED, options=("--json",))
    assert (code, json.loads(output)) == (
        2,
        {
            "at": "2026-07-29T12:00:00Z",
            "seconds": 1.25,
            "base_url": "https://program.example",
            "level": "red",
            "findings": [
                {"check": "cors", "level": "green", "text": "Other websites may read the feeds."},
                {"check": "disk", "level": "red", "text": "DATA_DIR has 7 MB left."},
            ],
        },
    )


def test_a_report_that_cannot_be_kept_is_printed(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    (tmp_path / "check.new").mkdir()
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(check, "check_live", lambda _timeout: Report(NOW, 1.0, "https://a.example", [GREEN]))
    output, errors = io.StringIO(), io.StringIO()
    call_command("check", "--live", stdout=output, stderr=errors)
    assert ("green in 1.0 s" in output.getvalue(), "cannot be kept" in errors.getvalue()) == (True, True)


def test_without_it_the_settings_are_checked(db: None) -> None:
    output = io.StringIO()
    call_command("check", stderr=output, stdout=output)
    assert "System check identified" in output.getvalue()
