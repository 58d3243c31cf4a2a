"""The metrics of all processes in Prometheus' text format or OpenMetrics; each renews its gauges itself."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from festival import clock
from festival.backup.storage import find_latest
from festival.metrics import REGISTRY, get_folder
from festival.monitoring.live_report import LEVELS, read_last
from programme.publishing.current import current

# Seconds between two renewals of a process's gauges.
INTERVAL = 5.0

# Of all processes, those of the one that is worst off.
OFFLINE = Gauge(
    "festival_database_offline_seconds",
    "For how long readers have been answered without the database.",
    multiprocess_mode="livemax",
    registry=REGISTRY,
)
UNSHOWN = Gauge(
    "festival_edit_unshown_seconds",
    "For how long the oldest edit has been made that a process knows of and does not show.",
    multiprocess_mode="livemax",
    registry=REGISTRY,
)
LOADS = Counter(
    "festival_programme_loads", "How often processes have loaded the programme.", registry=REGISTRY
)
# What this process has counted before.
_counted = {"loads": 0}


def renew(stop: Event) -> None:
    """Renew the gauges of this process until `stop` is set."""
    update()
    while not stop.wait(INTERVAL):
        update()


def update() -> None:
    """Renew the gauges of this process, without a query, and count what it counts elsewhere."""
    offline = 0.0 if current.offline_since is None else time.monotonic() - current.offline_since
    OFFLINE.set(offline)
    UNSHOWN.set((clock.now() - current.unshown_since).total_seconds() if current.unshown_since else 0.0)
    LOADS.inc(current.loads - _counted["loads"])
    _counted["loads"] = current.loads


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
