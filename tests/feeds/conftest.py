"""What tests of the read side share: random programmes that are the same in every run, and ical.js."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

hypothesis.settings.register_profile(
    "suite",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=30,
    # Making a whole programme smaller takes minutes, and what is awkward in it shows anyway.
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.load_profile("suite")

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
