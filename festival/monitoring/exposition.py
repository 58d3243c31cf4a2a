"""The metrics of all processes in Prometheus' text format or OpenMetrics; each renews its gauges itself."""

import os
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Event
from typing import Literal

import django
from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from festival import __version__, clock
from festival.backup.storage import find_latest
from festival.metrics import REGISTRY, get_folder
from festival.monitoring.live_report import LEVELS, read_last
from programme.publishing.current import current

# Seconds between two renewals of a process's gauges.
INTERVAL = 5.0
STARTED = clock.now().timestamp()

# How the values of all living processes become one.
Mode = Literal["livesum", "livemax", "livemin"]


def renew(stop: Event) -> None:
    """Renew the gauges of this process until `stop` is set."""
    update()
    while not stop.wait(INTERVAL):
        update()


def update() -> None:
    """Renew the gauges of this process, without a query, and count what it counts elsewhere."""
    now = clock.now().timestamp()
    offline = 0.0 if current.offline_since is None else time.monotonic() - current.offline_since
    unshown = now - current.unshown_since.timestamp() if current.unshown_since else 0.0
    _set("processes", "livesum", "Processes that are alive.", 1)
    _set("memory_bytes", "livesum", "Resident memory of all processes.", _read_memory())
    _set("start_time_seconds", "livemin", "When the oldest of the processes was started.", STARTED)
    text = "For how long readers have been answered without the database."
    _set("database_offline_seconds", "livemax", text, offline)
    text = "For how long the oldest edit has been made that a process knows of and does not show."
    _set("edit_unshown_seconds", "livemax", text, unshown)
    if snapshot := current.latest:
        revision = snapshot.programme.revision
        text = "The newest revision that readers are answered from."
        _set("programme_revision", "livemax", text, revision.number)
        text = "The oldest revision that a process answers from."
        _set("programme_revision_oldest", "livemin", text, revision.number)
        text = "When the newest revision was made."
        _set("programme_edit_time_seconds", "livemax", text, revision.moved_at.timestamp())
    _raise("cpu_seconds", "CPU time of all processes.", time.process_time())
    _raise("programme_loads", "How often processes have loaded the programme.", current.loads)
    _raise("programme_load_seconds", "Seconds spent on loading it.", current.load_seconds)


def _set(name: str, mode: Mode, text: str, value: float) -> None:
    _make_gauge(name, mode, text).set(value)


_last: dict[str, float] = {}


def _raise(name: str, text: str, value: float) -> None:
    _make_counter(name, text).inc(value - _last.get(name, 0.0))
    _last[name] = value


# Both are made when they are first set: a process without a programme has no revision.
@cache
def _make_gauge(name: str, mode: Mode, text: str) -> Gauge:
    return Gauge(f"festival_{name}", text, multiprocess_mode=mode, registry=REGISTRY)


@cache
def _make_counter(name: str, text: str) -> Counter:
    return Counter(f"festival_{name}", text, registry=REGISTRY)


def _read_memory() -> int:
    """Return the resident memory in bytes; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def write(accept: str = "") -> tuple[bytes, str]:
    """Return the exposition and its Content-Type, in the version that an `Accept` header asks for."""
    update()
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector())
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


class _Collector(Collector):
    """All processes, and what the last check and the newest backup are."""

    def collect(self) -> Iterator[Metric]:
        if folder := get_folder():
            _forget_ended(folder)
            yield from MultiProcessCollector(None, str(folder)).collect()  # type: ignore[no-untyped-call]
        else:
            yield from REGISTRY.collect()
        version = (__version__, django.__version__)
        yield _gauge("build_info", "The version.", {version: 1}, "version", "django")
        if report := read_last():
            levels: dict[tuple[str, ...], float] = {
                (each.check,): LEVELS.index(each.level) for each in report.findings
            }
            text = "Of the last `check --live`: 0 green, 1 yellow, 2 red."
            yield _gauge("check_level", text, levels, "check")
            yield _gauge("check_time_seconds", "When it ended.", {(): report.at.timestamp()})
        if latest := find_latest():
            text = "When the newest backup was made."
            yield _gauge("backup_time_seconds", text, {(): latest[1].timestamp()})


def _gauge(name: str, text: str, values: Mapping[tuple[str, ...], float], *labels: str) -> Metric:
    family = GaugeMetricFamily(f"festival_{name}", text, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


def _forget_ended(folder: Path) -> None:
    """Remove the gauges of processes that have ended; what they have counted stays."""
    for pid in {path.stem.rpartition("_")[2] for path in folder.glob("gauge_live*.db")}:
        if not Path("/proc", pid).exists():
            mark_process_dead(int(pid), str(folder))  # type: ignore[no-untyped-call]
