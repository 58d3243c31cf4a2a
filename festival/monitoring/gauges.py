"""How this process is at the moment: its programme, caches and memory."""

import os
import time
from pathlib import Path

import msgspec

from festival import clock
from festival.counters import Key
from programme.publishing.current import current

CPU_SECONDS, LOADS, LOAD_SECONDS, RESPONSE_HITS, RESPONSE_MISSES = (
    *("cpu_seconds", "loads", "load_seconds"),
    *("response_hits", "response_misses"),
)


class Gauges(msgspec.Struct):
    """The state of one process. Instants are seconds since 1970.

    `kind` is "reader", "back office" or "other".
    `revision` is 0 if no programme is loaded. `offline_since` is an instant of the machine's monotonic clock,
    None while the database answers.
    """

    kind: str
    started: float
    memory_bytes: int
    revision: int = 0
    moved_at: float = 0.0
    snapshot_made: float = 0.0
    response_bytes: int = 0
    responses: int = 0
    replays: int = 0
    offline_since: float | None = None
    # When the oldest edit was made that readers do not get yet; None: they get all.
    unshown_since: float | None = None


STARTED = clock.now().timestamp()


def read_counters() -> dict[Key, float]:
    """Return what others count in this process."""
    return {
        (CPU_SECONDS,): time.process_time(),
        (LOADS,): current.loads,
        (LOAD_SECONDS,): current.load_seconds,
        (RESPONSE_HITS,): current.look_ups.hits,
        (RESPONSE_MISSES,): current.look_ups.misses,
    }


def read_gauges(kind: str) -> Gauges:
    """Return the state of this process, without a query."""
    gauges = Gauges(kind, STARTED, _read_memory(), offline_since=current.offline_since)
    if current.unshown_since:
        gauges.unshown_since = current.unshown_since.timestamp()
    if snapshot := current.latest:
        revision = snapshot.programme.revision
        gauges.revision, gauges.moved_at = revision.number, revision.moved_at.timestamp()
        gauges.snapshot_made = snapshot.now.timestamp()
        gauges.response_bytes, gauges.responses = snapshot.responses.size, len(snapshot.responses)
        gauges.replays = len(snapshot.replays)
    return gauges


def seconds_offline(gauges: Gauges) -> float:
    """Return for how long the process has been without the database."""
    return 0.0 if gauges.offline_since is None else time.monotonic() - gauges.offline_since


def _read_memory() -> int:
    """Return the resident memory in bytes; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
