"""What tests of the read side share: ical.js."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CONSUMERS = Path(__file__).parents[1] / "consumers"


@pytest.fixture(scope="session")
def ical_js() -> Iterator[Callable[[bytes], list[Any]]]:
    """Return a function that reads a calendar with ical.js and gives it back as jCal."""
    node = shutil.which("node")
    if node is None or not (CONSUMERS / "node_modules" / "ical.js").is_dir():
        pytest.skip("ical.js is not installed: needs node, and `npm ci` in tests/consumers")
    command = [node, str(CONSUMERS / "parse-calendars.js")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def read(body: bytes) -> list[Any]:
            process.stdin.write(json.dumps(body.decode()) + "\n")
            process.stdin.flush()
            answer: list[Any] = json.loads(process.stdout.readline())
            assert isinstance(answer, list), answer
            return answer

        yield read
        process.stdin.close()
