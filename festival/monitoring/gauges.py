"""How this process is at the moment: its programme, caches and memory, renewed every few seconds."""

import os
import time
from functools import cache
from pathlib import Path
from threading import Event, Thread
from typing import Any, Literal

from prometheus_client import Counter, Gauge

from festival import clock
from festival.metrics import REGISTRY
from programme.publishing.current import current

# In seconds.
INTERVAL = 5.0
STARTED = clock.now().timestamp()

# How the values of all living processes become one.
Mode = Literal["livesum", "livemax", "livemin"]


def start() -> None:
    """Start the thread that renews the gauges of this process."""
    Thread(target=_run, args=(Event(),), name="metrics", daemon=True).start()


def _run(stop: Event) -> None:
    update()
    while not stop.wait(INTERVAL):
        update()


def update() -> None:
    """Renew the gauges of this process, without a query."""
    now = clock.now().timestamp()
    _set("processes", "livesum", "Processes that are alive.", 1)
    _set("memory_bytes", "livesum", "Resident memory of all processes.", _read_memory())
    _set("start_time_seconds", "livemin", "When the oldest of the processes was started.", STARTED)
    _raise("cpu_seconds", "CPU time of all processes.", time.process_time())
    _raise("programme_loads", "How often processes have loaded the programme.", current.loads)
    _raise("programme_load_seconds", "Seconds spent on loading it.", current.load_seconds)
    _raise("response_cache_hits", "Bodies found in the response cache.", current.look_ups.hits)
    _raise("response_cache_misses", "Bodies that were not in the response cache.", current.look_ups.misses)
    offline = 0.0 if current.offline_since is None else time.monotonic() - current.offline_since
    text = "For how long readers have been answered without the database."
    _set("database_offline_seconds", "livemax", text, offline)
    unshown = now - current.unshown_since.timestamp() if current.unshown_since else 0.0
    text = "For how long the oldest edit has been made that a process knows of and does not show."
    _set("edit_unshown_seconds", "livemax", text, unshown)
    if snapshot := current.latest:
        _update_programme(snapshot, now)


def _update_programme(snapshot: Any, now: float) -> None:
    revision, responses = snapshot.programme.revision, snapshot.responses
    text = "The newest revision that readers are answered from."
    _set("programme_revision", "livemax", text, revision.number)
    text = "The oldest revision that a process answers from."
    _set("programme_revision_oldest", "livemin", text, revision.number)
    text = "When the newest revision was made."
    _set("programme_edit_time_seconds", "livemax", text, revision.moved_at.timestamp())
    text = "The age of the newest snapshot."
    _set("snapshot_age_seconds", "livemin", text, max(0.0, now - snapshot.now.timestamp()))
    _set("response_cache_bytes", "livesum", "Size of all response caches.", responses.size)
    _set("response_cache_entries", "livesum", "Bodies in all response caches.", len(responses))
    text = "Responses that can be repeated ahead of Django."
    _set("replays", "livesum", text, len(snapshot.replays))


def _set(name: str, mode: Mode, text: str, value: float) -> None:
    _gauge(name, mode, text).set(value)


@cache
def _gauge(name: str, mode: Mode, text: str) -> Gauge:
    """Return a gauge, made when it is first set: a process without a programme has no revision."""
    return Gauge(f"festival_{name}", text, multiprocess_mode=mode, registry=REGISTRY)


_last: dict[str, float] = {}


def _raise(name: str, text: str, value: float) -> None:
    """Count what this process counts elsewhere."""
    _counter(name, text).inc(value - _last.get(name, 0.0))
    _last[name] = value


@cache
def _counter(name: str, text: str) -> Counter:
    return Counter(f"festival_{name}", text, registry=REGISTRY)


def _read_memory() -> int:
    """Return the resident memory in bytes; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
