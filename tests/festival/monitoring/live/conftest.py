"""A service whose responses a test can spoil, asked without a network or a database."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.http import http_date

from feeds.programme import Programme
from festival.monitoring.live import run, surroundings
from festival.monitoring.live.fetching import Fetcher, Response, decode
from festival.monitoring.live.findings import Finding
from programme.publishing import loading
from tests.conftest import NOW, SetClock

Spoil = Callable[[Response], Response]
# Responses of a service that works, the same for all tests.
responses: dict[Any, Response] = {}


class SpoiltService(Fetcher):
    """Answers from Django, in this thread; `spoilt` changes responses whose path begins in a certain way."""

    spoilt: dict[str, Spoil] = {}

    def _get(self, path: str, headers: Any) -> Response:
        key = path, *headers.items()
        if key not in responses:
            responses[key] = ask_django(path, headers)
        response = responses[key]
        for beginning, change in self.spoilt.items():
            if path.startswith(beginning):
                response = change(response)
        return response


def ask_django(path: str, headers: dict[str, str]) -> Response:
    sent = {"Accept-Encoding": "gzip"} | {name.replace("_", "-"): value for name, value in headers.items()}
    answer = Client(headers=sent).get(path)
    found = {name.lower(): value for name, value in answer.headers.items()}
    found.setdefault("date", http_date(NOW.timestamp()))
    body = answer.getvalue() if answer.streaming else answer.content
    return Response(path, answer.status_code, found, decode(body, found, path), 0.01)


@pytest.fixture
def spoil(
    sample_programme: Programme,
    at: SetClock,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    settings: Any,
) -> Iterator[dict[str, Spoil]]:
    """The changes to responses by the beginnings of their paths; none to begin with."""
    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.REVISION_TRUST_MS = 3_600_000
    settings.ALLOWED_HOSTS = ["*"]
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / f"festival-{NOW:%Y%m%dT%H%M%S}Z.tar").touch()
    monkeypatch.setattr(loading, "load", lambda *_before: sample_programme)
    monkeypatch.setattr(loading, "fetch_revision", lambda: sample_programme.revision)
    monkeypatch.setattr(surroundings, "check_certificate", lambda *_arguments, **_named: [])
    monkeypatch.setattr(run, "Fetcher", SpoiltService)
    SpoiltService.spoilt = {}
    yield SpoiltService.spoilt
    SpoiltService.spoilt = {}


@pytest.fixture
def problems(spoil: dict[str, Spoil]) -> Callable[[], list[tuple[str, str, str]]]:
    """A function that checks the service and returns check, level and code of what is not green."""

    def check() -> list[tuple[str, str, str]]:
        report = run.check_live()
        return [_summarize(each) for each in report.findings if each.level != "green"]

    return check


def _summarize(finding: Finding) -> tuple[str, str, str]:
    assert finding.text != finding.code, "It has no sentence."
    return finding.check, finding.level.value, finding.code
