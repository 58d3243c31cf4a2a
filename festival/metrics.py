"""What processes count, with prometheus-client; docs/monitoring.md says what it means.

Under `serve`, where PROMETHEUS_MULTIPROC_DIR is set, each process counts in files of that folder, so that any
of them can answer for all.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

logger = logging.getLogger(__name__)

# The variable that prometheus-client reads when it is imported.
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# Not on the disk: a process that writes to a mapped file when that is full is killed.
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108
REGISTRY = CollectorRegistry()
BUCKETS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

disable_created_metrics()  # type: ignore[no-untyped-call]


def _count(name: str, text: str, *labels: str) -> Counter:
    return Counter(f"festival_{name}", text, labels, registry=REGISTRY)


REQUESTS = _count(
    "requests",
    "Responses. format: the API's, or the first part of the path; source: django, or replay.",
    *("format", "status", "source"),
)
SECONDS = Histogram(
    "festival_request_seconds",
    "Time to first byte in seconds, without the wait for a free thread.",
    ["format"],
    buckets=BUCKETS,
    registry=REGISTRY,
)
SIGN_INS = _count("sign_ins", "Attempts to sign in: succeeded, failed or refused.", "result")


def recorder(content: str, status: str, source: str) -> Callable[[float], None]:
    """Return a function that counts a request and its duration in seconds: 3 µs."""
    count, observe = REQUESTS.labels(content, status, source).inc, SECONDS.labels(content).observe

    def record(seconds: float) -> None:
        count()
        observe(seconds)

    return record


def prepare_folder(port: int) -> dict[str, str]:
    """Empty the folder of a server's processes; return the variable that tells them of it."""
    folder = SHARED_MEMORY / f"festival-{os.getuid()}-{port}"
    try:
        if folder.exists():
            rmtree(folder)
        folder.mkdir(mode=0o700)
    except OSError as error:
        logger.warning("Each process answers for its own metrics only: %s", error)
        return {}
    return {FOLDER_VARIABLE: str(folder)}


def get_folder() -> Path | None:
    folder = os.environ.get(FOLDER_VARIABLE)
    return Path(folder) if folder else None
