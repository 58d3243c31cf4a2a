"""Importing files with the command, on a day before those in the files."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils.translation import override

from tests.conftest import SetClock

Run = Callable[..., str]


@pytest.fixture(autouse=True)
def _known_day(at: SetClock) -> None:
    """Which dates are past must not depend on the day of the run."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Import a file of this content, and return its report."""

    def import_file(content: str | bytes, *options: str, name: str = "schedule", **more: object) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        report = io.StringIO()
        with override("en"):
            call_command("import", str(path), *options, stdout=report, **{"allow_refused": True} | more)
        return report.getvalue()

    return import_file
