"""`make endurance`: hostile input, then a long load, against the running service; prints Markdown tables.

Needs PostgreSQL (`TEST_DATABASE_URL`) and wrk. Exits with status 1 if it finds a fault.
"""

import argparse
import os
import sys
from statistics import median, quantiles

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")
django.setup()

from benchmarks.endurance import cold, memory  # noqa: E402 - needs Django
from benchmarks.endurance.attack import Attack, Tally  # noqa: E402
from benchmarks.endurance.cold import ColdTimings  # noqa: E402
from benchmarks.endurance.service import RunningService, serve_events  # noqa: E402
from benchmarks.endurance.soak import SoakResult, soak  # noqa: E402

Rows = list[tuple[str, object]]


def main() -> None:
    arguments = _parse_arguments()
    faults: list[str] = []
    if arguments.part in ("all", "hostile"):
        with serve_events(arguments.events) as service:
            faults += _hostile(service, arguments)
    if arguments.part in ("all", "soak"):
        with serve_events(arguments.events) as service:
            faults += _soak(service, arguments)
    for fault in faults:
        print(f"* {fault}")
    sys.exit(bool(faults))


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endurance", description=__doc__)
    parser.add_argument("part", nargs="?", choices=("all", "hostile", "soak"), default="all")
    parser.add_argument("--events", type=int, default=1_000, help="size of the programme (%(default)s)")
    parser.add_argument(
        "--requests", type=int, default=20_000, help="number of hostile requests (%(default)s)"
    )
    parser.add_argument("--minutes", type=float, default=10, help="duration of the load (%(default)s)")
    parser.add_argument("--seed", default="1", help="seed of the hostile requests (%(default)s)")
    return parser.parse_args()


def _print(title: str, rows: Rows) -> None:
    print(f"### {title}\n\n| | |\n|---|---|")
    for name, value in rows:
        print(f"| {name} | {value} |")
    print(flush=True)


# --- Hostile input ----------------------------------------------------------------------------


def _hostile(service: RunningService, arguments: argparse.Namespace) -> list[str]:
    first = cold.measure(service)
    tally = Attack(service, arguments.seed).run(arguments.requests)
    trend = memory.compare_thirds(tally.memory, arguments.events)
    slow = [seconds for seconds in tally.seconds if seconds > first.limit]
    rows = [*_cold_rows(first), *_tally_rows(tally, len(slow)), *_worker_rows(service, trend)]
    _print(f"Hostile input, {arguments.events:,} events, seed {arguments.seed}", rows)
    faults = [
        f"{times} times: {fault}, first {tally.examples[fault]}"
        for fault, times in tally.faults.most_common()
    ]
    late = [each for each in tally.slowest if each.seconds > first.limit]
    faults += [f"{1000 * each.seconds:.0f} ms: {each.what}" for each in late]
    return [*faults, *trend.faults, *_logged(service)]


def _logged(service: RunningService) -> list[str]:
    return [f"logged: {line}" for line in service.log_lines()[:5]]


def _worker_rows(service: RunningService, trend: memory.MemoryTrend) -> Rows:
    return [("MB of the heavier worker (USS)", trend.text), ("lines in the log", len(service.log_lines()))]


def _cold_rows(first: ColdTimings) -> Rows:
    return [
        ("whole list in JSON with gzip, server just started, ms", f"{1000 * first.started:.0f}"),
        ("whole list in JSON with gzip, first after an edit (median), ms", f"{1000 * first.edited:.0f}"),
        ("slowest first answer of any format, or of the whole document, ms", f"{1000 * first.format:.0f}"),
        ("limit (twice that), ms", f"{1000 * first.limit:.0f}"),
    ]


def _tally_rows(tally: Tally, slow: int) -> Rows:
    percentiles = quantiles(tally.seconds, n=1000)
    statuses = ", ".join(f"{status}: {times:,}" for status, times in sorted(tally.statuses.items()))
    return [
        ("requests", f"{tally.requests:,}"),
        ("statuses", statuses),
        ("wrong answers", sum(tally.faults.values())),
        (
            "ms: median, 99 %, 99.9 %, slowest",
            _milliseconds([median(tally.seconds), percentiles[989], percentiles[998], max(tally.seconds)]),
        ),
        ("slower than the limit", slow),
    ]


def _milliseconds(seconds: list[float]) -> str:
    return ", ".join(f"{1000 * each:.1f}" for each in seconds)


# --- Soak -------------------------------------------------------------------------------------


def _soak(service: RunningService, arguments: argparse.Namespace) -> list[str]:
    found = soak(service, 60 * arguments.minutes)
    trend = memory.compare_thirds(found.memory, arguments.events)
    load = found.load
    rows = [*_load_rows(load), *_check_rows(found), *_worker_rows(service, trend)]
    _print(f"Mixed reads with an edit every second, {arguments.events:,} events", rows)
    failed = [f"{load[kind]:.0f} requests: {kind}" for kind in ("failed", "unread", "late") if load[kind]]
    return [*failed, *found.faults[:20], *trend.faults, *_logged(service)]


def _load_rows(load: dict[str, float]) -> Rows:
    rate, volume = load["requests"] / load["seconds"], load["bytes"] / load["seconds"] / 1e6
    late = ", ".join(f"{load[each]:.0f}" for each in ("p50", "p95", "p99", "p999", "most"))
    return [
        ("minutes", f"{load['seconds'] / 60:.1f}"),
        ("requests (a second, MB a second)", f"{load['requests']:,.0f} ({rate:,.0f}, {volume:.0f})"),
        (
            "failed, unread, not answered in 30 s",
            f"{load['failed']:.0f}, {load['unread']:.0f}, {load['late']:.0f}",
        ),
        ("ms: median, 95 %, 99 %, 99.9 %, slowest", late),
    ]


def _check_rows(found: SoakResult) -> Rows:
    checks = sum(map(len, found.seconds.values()))
    known = found.seconds.get(304, [])
    return [
        (
            "edits (of which moved an occasion)",
            f"{len(found.edits)} ({sum(bool(each['moved']) for each in found.edits)})",
        ),
        ("oldest edit not shown yet, ms", _milliseconds([max(found.unshown, default=0)])),
        ("answers checked (of which 304), wrong", f"{checks} ({len(known)}), {len(found.faults)}"),
    ]


if __name__ == "__main__":
    main()
