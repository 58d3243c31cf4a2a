"""Importing files with the command."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils.translation import override

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Import a file of this content, and return its report."""

    def import_schedule(content: str | bytes, *options: str, name: str = "schedule", **more: object) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        report = io.StringIO()
        with override("en"):
            call_command("import_schedule", str(path), *options, stdout=report, **more)
        return report.getvalue()

    return import_schedule
