"""One run of the benchmark: its databases, its steps, each taken once, and the tables that it prints."""

import json
import shutil
import sys
from typing import Any

from benchmarks import browser_visits, under_load
from benchmarks.databases import POSTGRESQL, Databases, run_step

Figures = dict[str, Any]


class Run:
    """What the parts measure with.

    `sizes`: the numbers of events to measure instead of each part's own; `seconds`: how long wrk asks.
    """

    def __init__(self, databases: Databases, sizes: tuple[int, ...], seconds: int) -> None:
        self.databases = databases
        self.sizes = sizes
        self.seconds = seconds
        self._taken: dict[tuple[str, str, int], Figures] = {}

    def sizes_or(self, *own: int) -> tuple[int, ...]:
        return self.sizes or own

    def step(self, name: str, events: int, vendor: str = POSTGRESQL) -> Figures:
        """Return the figures of a step in a process of its own on a database of its own."""
        taken = (name, vendor, events)
        if taken not in self._taken:
            environment = self.databases.environment(vendor, events)
            _say(f"{name}: {events} events on {vendor} …")
            self._taken[taken] = json.loads(run_step(environment, name))
        return self._taken[taken]

    def shares(self, events: int) -> list[Figures]:
        organizer = self.step("warm", events)["organizer"]
        _say(f"shares of a bare application: {events} events …")
        environment = self.databases.environment(POSTGRESQL, events)
        return under_load.shares(environment, organizer, self.seconds)

    def visits(self, events: int) -> list[browser_visits.Visit]:
        _say(f"pages in a browser: {events} events …")
        return browser_visits.visits(self.databases.environment(POSTGRESQL, events))

    def growth(self, sizes: tuple[int, ...]) -> dict[str, dict[int, float]]:
        organizers = {events: self.step("warm", events)["organizer"] for events in sizes}
        _say(f"a small selection in programmes of {sizes} events …")
        environments = {events: self.databases.environment(POSTGRESQL, events) for events in sizes}
        return under_load.growth(environments, organizers, self.seconds)


def has_wrk() -> bool:
    """Return whether there is wrk, and say what is missing if there is not."""
    there = shutil.which("wrk") is not None
    if not there:
        print("wrk is not here (Debian: apt install wrk): nothing is measured under the server.\n")
    return there


def _say(what: str) -> None:
    print(what, file=sys.stderr)


def table(title: str, headings: tuple[object, ...], *rows: tuple[object, ...]) -> None:
    """Print a table in Markdown."""
    print(f"### {title}\n")
    for row in (headings, ["---"] * len(headings), *rows):
        print("|", " | ".join(map(str, row)), "|")
    print(flush=True)
