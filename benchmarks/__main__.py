"""`make bench`: fill temporary databases, measure, and print tables in Markdown.

`python -m benchmarks --only shares edits` measures the named parts, `python -m benchmarks 1000` the
given sizes (numbers of events). `--tiny` runs each part once with a few events, requests and pages: its
figures mean nothing, but it shows that every part works.
"""

import os
import platform
import sys
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path

import psycopg

from benchmarks import databases, parts
from benchmarks.run import Run
from benchmarks.timing import ROUNDS

# The order matters: the last parts edit the programme, and all others need it unedited.
PARTS = {
    part.__name__: part
    for part in (
        *(parts.shares, parts.memory, parts.pages, parts.flows, parts.against_json_agg, parts.starts),
        *(parts.edits, parts.renewals, parts.imports),
    )
}


# Events: enough for an organizer with several occasions.
TINY_SIZE = 40


def main(chosen: Namespace) -> None:
    try:
        server = databases.version()
    except psycopg.OperationalError as error:
        reason = str(error).splitlines()[0]
        sys.exit(f"PostgreSQL is unavailable at {databases.server()} (TEST_DATABASE_URL): {reason}")
    if chosen.tiny:
        chosen.sizes, chosen.seconds, chosen.edits = [TINY_SIZE], 1, 2
        # Steps run in processes of their own, which inherit it.
        os.environ[ROUNDS] = "1"
    print(f"{_describe_machine()}; Python {platform.python_version()}, {server}\n", flush=True)
    with ExitStack() as stack:
        others = {
            each: stack.enter_context(databases.Databases(stack.enter_context(databases.check_out(each))))
            for each in chosen.beside
        }
        run = Run(stack.enter_context(databases.Databases()), chosen, others)
        for name, part in PARTS.items():
            if name in chosen.only:
                part(run)


def _describe_machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores {model}, {memory:.0f} GB"


def _parse_arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks", description="Measure the read side.")
    parser.add_argument("sizes", nargs="*", type=int, help="numbers of events, instead of each part's own")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="the parts to measure")
    both = databases.VENDORS
    parser.add_argument("--databases", nargs="+", choices=both, default=both, help="those to measure")
    parser.add_argument("--beside", nargs="+", default=(), help="versions that `edits` measures, too")
    parser.add_argument("--seconds", type=int, default=2, help="the duration of each run of wrk")
    parser.add_argument("--edits", type=int, default=20, help="how many edits the part `edits` polls for")
    parser.add_argument("--tiny", action="store_true", help="run each part once with a few events")
    return parser.parse_args()


if __name__ == "__main__":
    main(_parse_arguments())
