"""The metrics of all processes in Prometheus' text format."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import django
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from festival import __version__, clock
from festival import counters as names
from festival.backup.storage import find_latest
from festival.counters import Key, cumulate
from festival.monitoring import gauges as process_names
from festival.monitoring.gauges import Gauges, seconds_offline
from festival.monitoring.live.report import LEVELS, Report
from festival.monitoring.process_file import Totals

PREFIX = "festival_"


class Described(NamedTuple):
    """A counter's name in Prometheus without the prefix, its labels, and what it means."""

    name: str
    labels: list[str]
    text: str


COUNTERS = {
    names.REQUESTS: Described(
        "requests",
        ["format", "status", "source"],
        "Responses. format: the API's, or the first part of the path; source: django, or replay.",
    ),
    names.SIGN_INS: Described("sign_ins", ["result"], "Attempts to sign in: succeeded, failed or refused."),
    names.BACK_OFFICE_BUSY: Described(
        "back_office_busy",
        ["reason"],
        "Requests that were refused because too many were forwarded (slots) or sent their bodies (bodies).",
    ),
    names.IMPORTS: Described("imports", ["result"], "Imports: done or failed."),
    names.IMPORT_ROWS: Described("import_rows", [], "Events and occasions that imports have written."),
    process_names.LOADS: Described(
        "programme_loads", [], "How often processes have loaded the programme, because of an edit or a start."
    ),
    process_names.LOAD_SECONDS: Described("programme_load_seconds", [], "Seconds spent on loading it."),
    process_names.RESPONSE_HITS: Described("response_cache_hits", [], "Bodies found in the response cache."),
    process_names.RESPONSE_MISSES: Described(
        "response_cache_misses", [], "Bodies that were not in the response cache."
    ),
    process_names.CPU_SECONDS: Described("cpu_seconds", [], "CPU time of all processes."),
}


def write(totals: Totals, more: Iterable[Metric], accept: str = "") -> tuple[bytes, str]:
    """Return the exposition and its Content-Type, in the version that an `Accept` header asks for."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector([*_build(totals), *more]))
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


class _Collector(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> list[Metric]:
        return self._families


def gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(PREFIX + name, text, value=value)


def _build(totals: Totals) -> Iterator[Metric]:
    yield from _build_counters(totals.counters)
    yield _build_histogram(totals.counters)
    yield from _build_gauges(totals.gauges)
    yield _labelled(
        "build_info", "The version.", {(__version__, django.__version__): 1}, ["version", "django"]
    )


def build_check(report: Report | None) -> Iterator[Metric]:
    """Yield what the last check of the running service has found, and when the newest backup was made."""
    if report:
        levels: dict[Key, float] = {(each.check,): LEVELS.index(each.level) for each in report.findings}
        text = "Of the last `check --live`: 0 is green, 1 yellow, 2 red."
        yield _labelled("check_level", text, levels, ["check"])
        yield gauge("check_time_seconds", "When it ended.", report.at.timestamp())
    if latest := find_latest():
        yield gauge("backup_time_seconds", "When the newest backup was made.", latest[1].timestamp())


def _build_counters(values: dict[Key, float]) -> Iterator[Metric]:
    for counter, (name, labels, text) in COUNTERS.items():
        family = CounterMetricFamily(PREFIX + name, text, labels=labels)
        found = {key[1:]: value for key, value in sorted(values.items()) if key[0] == counter}
        for key, value in (found or ({} if labels else {(): 0.0})).items():
            family.add_metric(list(key), value)
        yield family


def _build_histogram(values: dict[Key, float]) -> Metric:
    text = "Time to first byte in seconds, without the wait for a free thread."
    family = HistogramMetricFamily(f"{PREFIX}request_seconds", text, labels=["format"])
    by_format: dict[str, dict[int, float]] = {}
    for key, value in values.items():
        if key[0] == names.DURATIONS:
            by_format.setdefault(key[1], {})[int(key[2])] = value
    for content, buckets in sorted(by_format.items()):
        family.add_metric([content], cumulate(buckets), values.get((names.DURATION_SUM, content), 0.0))
    return family


def _build_gauges(processes: list[Gauges]) -> Iterator[Metric]:
    now = clock.now().timestamp()
    kinds = sorted({each.kind for each in processes})
    loaded = [each for each in processes if each.revision]
    yield _by_kind(
        "processes", "Processes that are alive.", {kind: _count(processes, kind) for kind in kinds}
    )
    yield gauge("memory_bytes", "Resident memory of all processes.", _sum(processes, "memory_bytes"))
    yield gauge(
        "start_time_seconds",
        "When the oldest of the processes was started.",
        min((each.started for each in processes), default=0.0),
    )
    yield gauge("response_cache_bytes", "Size of all response caches.", _sum(processes, "response_bytes"))
    yield gauge("response_cache_entries", "Bodies in all response caches.", _sum(processes, "responses"))
    yield gauge("replays", "Responses that can be repeated ahead of Django.", _sum(processes, "replays"))
    yield gauge(
        "database_offline_seconds",
        "For how long readers have been answered without the database.",
        max(map(seconds_offline, processes), default=0.0),
    )
    unshown = [now - each.unshown_since for each in processes if each.unshown_since]
    text = "For how long the oldest edit has been made that a process knows of and does not show."
    yield gauge("edit_unshown_seconds", text, max(unshown, default=0.0))
    if loaded:
        newest = max(loaded, key=lambda each: each.moved_at)
        yield gauge(
            "programme_revision", "The newest revision that readers are answered from.", newest.revision
        )
        text = "The oldest revision that a process answers from."
        yield gauge("programme_revision_oldest", text, min(loaded, key=lambda each: each.moved_at).revision)
        yield gauge("programme_edit_time_seconds", "When the newest revision was made.", newest.moved_at)
        made = max(each.snapshot_made for each in loaded)
        yield gauge("snapshot_age_seconds", "The age of the newest snapshot.", max(0.0, now - made))


def _count(processes: list[Gauges], kind: str) -> int:
    return sum(each.kind == kind for each in processes)


def _sum(processes: list[Gauges], name: str) -> float:
    return float(sum(getattr(each, name) for each in processes))


def _by_kind(name: str, text: str, values: dict[str, Any]) -> Metric:
    return _labelled(name, text, {(kind,): value for kind, value in values.items()}, ["kind"])


def _labelled(name: str, text: str, values: dict[tuple[str, ...], float], labels: list[str]) -> Metric:
    family = GaugeMetricFamily(PREFIX + name, text, labels=labels)
    for key, value in values.items():
        family.add_metric(list(key), value)
    return family
