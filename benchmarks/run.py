"""One run of the benchmark: its databases, the results of its steps, and the printing of tables."""

import json
import shutil
import sys
from typing import Any

from benchmarks import beside_editors, browser_visits, under_load
from benchmarks.databases import POSTGRESQL, Databases, run_step

Figures = dict[str, Any]

# The events of an import, and how many seconds editors sign in; fewer with runs shorter than those of wrk.
IMPORTED, SIGN_IN_SECONDS, LONG = 5000, 30, 2


class Run:
    """The context of all parts; each step runs once.

    `sizes` are numbers of events instead of each part's own; `seconds` is the duration of each run of wrk.
    """

    def __init__(self, databases: Databases, sizes: tuple[int, ...], seconds: int) -> None:
        self.databases = databases
        self.sizes = sizes
        self.seconds = seconds
        self._results: dict[tuple[str, str, int], Figures] = {}

    def sizes_or(self, *own: int) -> tuple[int, ...]:
        return self.sizes or own

    def step(self, name: str, events: int, vendor: str = POSTGRESQL) -> Figures:
        """Run a step in its own process, on its own database, and return its figures."""
        key = (name, vendor, events)
        if key not in self._results:
            environment = self.databases.environment(vendor, events)
            _report(f"{name}: {events} events on {vendor} …")
            self._results[key] = json.loads(run_step(environment, name))
        return self._results[key]

    def shares(self, events: int) -> list[Figures]:
        organizer = self.step("warm", events)["organizer"]
        _report(f"shares of a bare application: {events} events …")
        environment = self.databases.environment(POSTGRESQL, events)
        return under_load.shares(environment, organizer, self.seconds)

    def beside_editors(self, events: int) -> dict[str, Figures]:
        session = self.step("create_editor", events)["session"]
        _report(f"readers beside editors: {events} events …")
        environment = self.databases.environment(POSTGRESQL, events)
        imported, seconds = (events, self.seconds) if self.seconds < LONG else (IMPORTED, SIGN_IN_SECONDS)
        return beside_editors.measure(environment, session, imported, seconds)

    def visits(self, events: int) -> list[browser_visits.Visit]:
        _report(f"pages in a browser: {events} events …")
        return browser_visits.visit_pages(self.databases.environment(POSTGRESQL, events))

    def growth(self, sizes: tuple[int, ...]) -> dict[str, dict[int, float]]:
        organizers = {events: self.step("warm", events)["organizer"] for events in sizes}
        _report(f"a small selection in programmes of {sizes} events …")
        environments = {events: self.databases.environment(POSTGRESQL, events) for events in sizes}
        return under_load.growth(environments, organizers, self.seconds)


def has_wrk() -> bool:
    """Return whether wrk is installed, and print a note if it is not."""
    return _is_installed(shutil.which("wrk"), "wrk", "requests per second under the production server")


def has_chromium() -> bool:
    """Return whether chromium is installed, and print a note if it is not."""
    return _is_installed(browser_visits.CHROMIUM, "chromium", "visits in a browser")


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
