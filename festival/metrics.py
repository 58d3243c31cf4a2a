"""The metrics of processes, with prometheus-client; docs/monitoring.md explains them.

Under `serve`, PROMETHEUS_MULTIPROC_DIR is set: each process counts in files of that folder, so that any of
them can report for all.
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
# Not on a disk: when it is full, a process that writes to a mapped file is killed.
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108
REGISTRY = CollectorRegistry()

disable_created_metrics()  # type: ignore[no-untyped-call]

REQUESTS = Counter(
    "festival_requests",
    "Responses. format: the API's, or the first part of the path; source: django, or replay.",
    ["format", "status", "source"],
    registry=REGISTRY,
)
SECONDS = Histogram(
    "festival_request_seconds",
    "Time to first byte in seconds, without the wait for a free thread.",
    ["format"],
    registry=REGISTRY,
)
SIGN_INS = Counter(
    "festival_sign_ins", "Attempts to sign in: succeeded, failed or refused.", ["result"], registry=REGISTRY
)
LOADS = Counter(
    "festival_programme_loads", "How often processes have loaded the programme.", registry=REGISTRY
)


def recorder(content: str, status: str, source: str) -> Callable[[float], None]:
    """Return a function that counts a request and its duration in seconds; a call takes 3 µs."""
    count, observe = REQUESTS.labels(content, status, source).inc, SECONDS.labels(content).observe

    def record(seconds: float) -> None:
        count()
        observe(seconds)

    return record


def prepare_folder(port: int) -> dict[str, str]:
    """Empty the folder of a server's metrics; return the environment variable with its path."""
    folder = SHARED_MEMORY / f"festival-{os.getuid()}-{port}"
    try:
        if folder.exists():
            rmtree(folder)
        folder.mkdir(mode=0o700)
    except OSError as error:
        logger.warning("Each process answers for its own metrics only: %s", error)
        return {}
    return {FOLDER_VARIABLE: str(folder)}
