"""Importing files on a day before those in the files."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils.translation import override

from tests.conftest import SetClock
from tests.programme.exchange.imports import import_file

Run = Callable[..., str]


@pytest.fixture(autouse=True)
def _known_day(at: SetClock) -> None:
    """Which dates are past must not depend on the day of the run."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Import a file of this content, and return its report."""

    def import_content(content: str | bytes, *options: str, name: str = "schedule") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with override("en"):
            return import_file(path, *options)

    return import_content
