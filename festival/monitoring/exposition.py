"""The metrics of all processes in Prometheus' text format or OpenMetrics."""

from collections.abc import Iterator
from pathlib import Path

import django
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from festival import __version__
from festival.backup.storage import find_latest
from festival.metrics import REGISTRY, get_folder
from festival.monitoring.gauges import update
from festival.monitoring.live.report import LEVELS, read_last


def write(accept: str = "") -> tuple[bytes, str]:
    """Return the exposition and its Content-Type, in the version that an `Accept` header asks for."""
    update()
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector())
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


class _Collector(Collector):
    def collect(self) -> Iterator[Metric]:
        if folder := get_folder():
            _forget_ended(folder)
            yield from MultiProcessCollector(None, str(folder)).collect()  # type: ignore[no-untyped-call]
        else:
            yield from REGISTRY.collect()
        yield _gauge(
            "build_info", "The version.", {(__version__, django.__version__): 1}, "version", "django"
        )
        yield from _collect_files()


def _collect_files() -> Iterator[Metric]:
    """Yield what the last check of the running service has found, and when the newest backup was made."""
    if report := read_last():
        levels: dict[tuple[str, ...], float] = {
            (each.check,): float(LEVELS.index(each.level)) for each in report.findings
        }
        yield _gauge("check_level", "Of the last `check --live`: 0 green, 1 yellow, 2 red.", levels, "check")
        yield _gauge("check_time_seconds", "When it ended.", {(): report.at.timestamp()})
    if latest := find_latest():
        text = "When the newest backup was made."
        yield _gauge("backup_time_seconds", text, {(): latest[1].timestamp()})


def _gauge(name: str, text: str, values: dict[tuple[str, ...], float], *labels: str) -> Metric:
    family = GaugeMetricFamily(f"festival_{name}", text, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


def _forget_ended(folder: Path) -> None:
    """Remove the gauges of processes that have ended; what they have counted stays."""
    for pid in {path.stem.rpartition("_")[2] for path in folder.glob("gauge_live*.db")}:
        if not Path("/proc", pid).exists():
            mark_process_dead(int(pid), str(folder))  # type: ignore[no-untyped-call]
