"""One run of the benchmark: its databases, the results of its steps, and the printing of tables."""

import json
import shutil
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from benchmarks import beside_edits, starting, under_load
from benchmarks.databases import POSTGRESQL, Databases, run_step
from benchmarks.flows import walking
from benchmarks.flows.office import CHROMIUM
from benchmarks.flows.person import Effort

Figures = dict[str, Any]
Alike = TypeVar("Alike")

# The events that are there before an import.
PROGRAMME = 1000
# Seconds that readers ask beside an edit per second, and as many without; fewer if runs are not `LONG`.
EDITED_SECONDS, LONG = 10, 2


class Run:
    """The context of all parts; each step runs once.

    `sizes` are numbers of events instead of each part's own; `vendors` are the databases of those parts that
    measure both; `others` are the databases of versions that are measured beside this one; `seconds` is the
    duration of each run of wrk, and `edits` how many are polled for.
    Where `is_tiny`, the first and the last of many that are alike stand for all.
    """

    def __init__(
        self, databases: Databases, chosen: Namespace, others: Mapping[str, Databases] | None = None
    ) -> None:
        self.databases = databases
        self.others = others or {}
        self.sizes = tuple(chosen.sizes)
        self.vendors = tuple(chosen.databases)
        self.seconds, self.edits = chosen.seconds, chosen.edits
        self.is_tiny = chosen.tiny
        self._results: dict[tuple[str, str, int], Figures] = {}

    def sizes_or(self, *own: int) -> tuple[int, ...]:
        return self.sizes or own

    def some(self, alike: Sequence[Alike]) -> Sequence[Alike]:
        return (alike[0], alike[-1]) if self.is_tiny else alike

    def step(self, name: str, events: int, vendor: str = POSTGRESQL) -> Figures:
        """Run a step in its own process, on its own database, and return its figures."""
        key = (name, vendor, events)
        if key not in self._results:
            environment = self.databases.environment(vendor, events)
            if name == "against_json_agg":
                own = self.databases.environment(POSTGRESQL, events)["DATABASE_URL"]
                environment = environment | {"BENCH_JSON_AGG": own}
            _report(f"{name}: {events} events on {vendor} …")
            self._results[key] = json.loads(run_step(environment, name))
        return self._results[key]

    def shares(self, events: int) -> list[Figures]:
        organizer = self.step("small_selection", events)["organizer"]
        _report(f"shares of a bare application: {events} events …")
        environment = self.databases.environment(POSTGRESQL, events)
        requests = self.some(under_load.list_requests(organizer))
        return under_load.shares(environment, requests, self.seconds)

    def beside_edits(self, events: int, vendor: str) -> dict[str, Figures]:
        """Return the figures of this version, and of another that is measured beside it."""
        seconds = self.seconds if self.seconds < LONG else EDITED_SECONDS
        found = {}
        for name, databases in {"": self.databases, **self.others}.items():
            environment = databases.environment(vendor, events)
            title = f"{vendor}, {events} events{name and ', '}{name}"
            _report(f"beside an edit per second: {title} …")
            found[title] = beside_edits.measure(environment, events, seconds, self.edits)
        return found

    def imports(self, events: int, vendor: str) -> Figures:
        _report(f"imports: {events} events on {vendor} …")
        environment = self.databases.environment(vendor, min(events, PROGRAMME))
        found: Figures = json.loads(run_step(environment, "imports", events))
        return found

    def start(self, events: int, vendor: str) -> dict[str, float]:
        environment = self.databases.environment(vendor, events)
        _report(f"starts: {events} events on {vendor} …")
        return starting.measure(environment)

    def flows(self) -> dict[str, Effort]:
        _report("flows in the back office …")
        # All of them in a tiny run, too: there they show that each works on PostgreSQL, in a browser.
        return walking.walk(self.databases.demo(), list(walking.FLOWS))


def has_wrk() -> bool:
    """Return whether wrk is installed, and print a note if it is not."""
    return _is_installed(shutil.which("wrk"), "wrk", "requests per second under the production server")


def has_chromium() -> bool:
    """Return whether chromium is installed, and print a note if it is not."""
    return _is_installed(CHROMIUM, "chromium", "visits in a browser")


def _is_installed(program: str | None, package: str, measurement: str) -> bool:
    if program is None:
        print(
            f"Skipped: {measurement}, because {package} is not installed (Debian: apt install {package}).\n"
        )
    return program is not None


def _report(step: str) -> None:
    print(step, file=sys.stderr)


def table(title: str, headings: tuple[object, ...], *rows: tuple[object, ...]) -> None:
    """Print a table in Markdown."""
    print(f"### {title}\n")
    for row in (headings, ["---"] * len(headings), *rows):
        print("|", " | ".join(map(str, row)), "|")
    print(flush=True)
