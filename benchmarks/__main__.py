"""`make bench`: fills databases of its own, measures, and prints tables in Markdown.

`python -m benchmarks 1000` measures the named sizes (numbers of events) only.
"""

import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import databases
from benchmarks.databases import VENDORS

TIMED = (1000, 5000)
# The empty programme comes first: the memory of the others is what they have more than it.
COUNTED = (0, 100)
WEIGHED = ("queries", "memory")
# In this order on both databases: the second one edits.
MEASURED = ("against_json_agg", "each_format")

Results = dict[tuple[str, int], dict[str, Any]]


def main(sizes: tuple[int, ...]) -> None:
    try:
        server = databases.version()
    except psycopg.OperationalError as away:
        sys.exit(
            f"No PostgreSQL answers at {databases.server()} (TEST_DATABASE_URL): {str(away).splitlines()[0]}"
        )
    print(f"{_machine()}; Python {platform.python_version()}, {server}\n")
    results: Results = {}
    for events in (*COUNTED, *sizes):
        with databases.filled(events) as environments:
            for step in (*WEIGHED, *(MEASURED if events in sizes else ())):
                for vendor, environment in environments.items():
                    print(f"{step}: {events} events on {vendor} …", file=sys.stderr)
                    found = json.loads(databases.child(environment, step))
                    results.setdefault((vendor, events), {})[step] = found
    for table in (_against_json_agg, _each_format, _queries_and_memory):
        table(results, sizes)


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores {model}, {memory:.0f} GB"


def _table(title: str, *rows: tuple[object, ...]) -> None:
    print(f"### {title}\n")
    for number, row in enumerate(rows):
        print("|", " | ".join(map(str, row)), "|")
        if number == 0:
            print("|---" * len(row) + "|")
    print()


def _against_json_agg(results: Results, sizes: tuple[int, ...]) -> None:
    rows: list[tuple[object, ...]] = []
    for vendor in VENDORS:
        for events in sizes:
            found = results[vendor, events]["against_json_agg"]
            whole, half = found["json_agg"], found["json_agg_half"]
            rows.append(
                (
                    f"{vendor}, {events} events",
                    f"{whole:.0f}",
                    f"{found['load']:.0f} ({found['load'] / whole:.2f})",
                    f"{found['load_and_write']:.0f} ({found['load_and_write'] / whole:.2f})",
                    f"{half:.0f}",
                    f"{found['write_half']:.1f} ({found['write_half'] / half:.3f})",
                    f"{found['write_whole']:.1f}",
                )
            )
    headings = (
        *("ms (share of json_agg)", "json_agg", "load, snapshot", "the same and the whole list"),
        *("json_agg, half", "half, cold", "the whole list, cold"),
    )
    _table("Against json_agg", headings, *rows)


def _each_format(results: Results, sizes: tuple[int, ...]) -> None:
    for vendor in VENDORS:
        for events in sizes:
            found = results[vendor, events]
            thousands = found["against_json_agg"]["occasions"] / 1000
            steps = found["each_format"]
            rows = [
                (
                    extension,
                    *(
                        f"{times[extension] / thousands:.1f} ({times[extension] / times['json']:.1f})"
                        for times in steps.values()
                    ),
                )
                for extension in steps["cold"]
            ]
            headings = ("ms per 1,000 occasions (multiple of JSON)", *steps)
            _table(f"Each format, {events} events, {vendor}", headings, *rows)


def _queries_and_memory(results: Results, sizes: tuple[int, ...]) -> None:
    rows = []
    for vendor in VENDORS:
        empty = results[vendor, 0]["memory"]
        for events in (*COUNTED[1:], *sizes):
            found = results[vendor, events]
            occasions = events * 9 / 5
            growth = [
                f"{(found['memory'][state] - empty[state]) / occasions:.1f}"
                for state in ("loaded", "written")
            ]
            rows.append(
                (f"{vendor}, {events} events", found["queries"]["first"], found["queries"]["later"], *growth)
            )
    headings = ("", "queries, first", "later", "KB per occasion, loaded", "every format written")
    _table("Queries and private memory", headings, *rows)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or TIMED)
