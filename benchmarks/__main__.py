"""`make bench`: fills databases of its own, measures, and prints tables in Markdown.

`python -m benchmarks --only shares growth` measures the named parts, `python -m benchmarks 1000` the
named sizes (numbers of events).
"""

import os
import platform
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

import psycopg

from benchmarks import databases, parts
from benchmarks.run import Run

# In this order: the last ones edit the programme, and it is to be the same in every database before.
PARTS = {
    part.__name__: part
    for part in (
        *(parts.shares, parts.not_asked_before, parts.growth, parts.memory, parts.queries),
        *(parts.pages, parts.visits),
        *(parts.against_json_agg, parts.cost, parts.first_answers, parts.each_format),
    )
}


def main(chosen: Namespace) -> None:
    try:
        server = databases.version()
    except psycopg.OperationalError as away:
        sys.exit(
            f"No PostgreSQL answers at {databases.server()} (TEST_DATABASE_URL): {str(away).splitlines()[0]}"
        )
    print(f"{_machine()}; Python {platform.python_version()}, {server}\n", flush=True)
    with databases.Databases() as own:
        run = Run(own, tuple(chosen.sizes), chosen.seconds)
        for name, part in PARTS.items():
            if name in chosen.only:
                part(run)


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores {model}, {memory:.0f} GB"


def _chosen() -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks", description="Measures the read side.")
    parser.add_argument("sizes", nargs="*", type=int, help="numbers of events, instead of each part's own")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="the parts to measure")
    parser.add_argument("--seconds", type=int, default=2, help="for how long wrk asks each time")
    return parser.parse_args()


if __name__ == "__main__":
    main(_chosen())
