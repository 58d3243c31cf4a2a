"""The metrics of all processes, and gauges of the responding one, in Prometheus' format or OpenMetrics."""

import os
import time
from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from festival.backup.archive import find_all
from festival.metrics import FOLDER_VARIABLE, REGISTRY
from programme.publishing.current import current


def write(accept: str = "") -> tuple[bytes, str]:
    """Return the exposition and its Content-Type in the version that an `Accept` header requests."""
    encode, content_type = choose_encoder(accept)
    return encode(_Collector()), content_type


class _Collector(Collector):
    def collect(self) -> Iterator[Metric]:
        if folder := os.environ.get(FOLDER_VARIABLE):
            yield from MultiProcessCollector(None, folder).collect()  # type: ignore[no-untyped-call]
        else:
            yield from REGISTRY.collect()
        since = current.offline_since
        text = "For how long readers have been answered without the database."
        offline = 0.0 if since is None else time.monotonic() - since
        yield GaugeMetricFamily("festival_database_offline_seconds", text, offline)
        if backups := find_all():
            text = "When the newest backup was made."
            yield GaugeMetricFamily("festival_backup_time_seconds", text, max(backups.values()).timestamp())
