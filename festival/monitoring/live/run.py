"""Runs all checks of the running service, and keeps the last report in a file."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec
from django.conf import settings

from festival import clock
from festival.monitoring.live import feeds, serving, surroundings
from festival.monitoring.live.fetching import TIMEOUT, Fetcher
from festival.monitoring.live.findings import SERVICE, Finding, Report, attribute, limit, merge_failures, red

logger = logging.getLogger(__name__)


def check_live(timeout: float = TIMEOUT) -> Report:
    """Check the service under BASE_URL; `timeout` is in seconds, for each response. Raises nothing."""
    began = time.monotonic()
    fetcher = Fetcher(settings.BASE_URL, timeout)
    found = [*map(attribute, _check_all(fetcher))]
    findings = list(limit(found if fetcher.fetched else merge_failures(found, settings.BASE_URL)))
    return Report(clock.now(), time.monotonic() - began, settings.BASE_URL, findings)


def _check_all(fetcher: Fetcher) -> Iterator[Finding]:
    found = feeds.Feeds({}, {}, {})

    def check_feeds() -> Iterable[Finding]:
        nonlocal found
        found, findings = feeds.check_feeds(fetcher)
        return findings

    certificate = partial(
        surroundings.check_certificate, fetcher.base_url, clock.now(), timeout=fetcher.timeout
    )
    yield from _guard("certificate", certificate)
    yield from _guard(SERVICE, check_feeds)
    yield from _guard("database", lambda: feeds.check_database(found, clock.now()))
    yield from _guard("areas", lambda: feeds.check_areas(fetcher, found))
    yield from _guard(SERVICE, lambda: serving.check_serving(fetcher, found))
    yield from _guard("cache", lambda: serving.check_caches(fetcher))
    yield from _guard("speed", lambda: serving.check_speed(fetcher))
    yield from _guard("clock", lambda: serving.check_clock(fetcher, clock.now()))
    server = settings.CHECK_TIME_SERVER
    yield from _guard("clock", lambda: surroundings.check_network_time(server, clock.now(), fetcher.timeout))
    yield from _guard("backup", lambda: surroundings.check_backup(clock.now()))
    yield from _guard("disk", surroundings.check_storage)


def _guard(name: str, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what a check finds; a check that fails is a finding too, and the others go on."""
    try:
        return list(check())
    except Exception as error:
        logger.exception("The check %s failed", name)
        return [red(name, "crashed", reason=f"{type(error).__name__}: {error}"[:300])]


# --- The last report ----------------------------------------------------------------------------


def get_path() -> Path:
    return Path(settings.DATA_DIR) / "check.json"


def save(report: Report) -> None:
    """Replace the last report. Raises OSError."""
    path = get_path()
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(report))
    new.replace(path)


def read_last() -> Report | None:
    """Return the last report; None if there is none that this version can read."""
    try:
        return msgspec.json.decode(get_path().read_bytes(), type=Report)
    except (OSError, msgspec.MsgspecError):
        return None
