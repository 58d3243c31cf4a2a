"""The office in which the flows are walked: the demo festival under the production server, and a browser."""

import datetime as dt
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.databases import Environment
from benchmarks.flows.person import Person
from benchmarks.servers import SERVICE, free_port, run_server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-headless-shell")
DESKTOP = {"width": 1440, "height": 900}
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CHIEF, EDITOR, PASSWORD = "chief", "editor", "festival"
# Seconds until readers get what was saved.
PATIENCE = 10

Element = dict[str, Any]


class Office:
    """What the flows share: the service, the browser, a chief editor at work, and a folder for files."""

    def __init__(self, browser: Any, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self._browser = browser
        self.chief = self.sign_in(CHIEF)
        # The demo's third day is today.
        self.tomorrow = sorted({each["occation"]["date"] for each in self.read()})[3]

    def enter(self, **options: Any) -> Person:
        """Return somebody who has just opened the browser."""
        settings = {"viewport": DESKTOP, "locale": "en-GB", "base_url": self.url, **options}
        return Person(self._browser.new_context(**settings).new_page())

    def sign_in(self, name: str, **options: Any) -> Person:
        person = self.enter(**options)
        person.page.goto("/admin/")
        person.page.locator("[name=username]").fill(name)
        person.page.locator("[name=password]").fill(PASSWORD)
        person.page.keyboard.press("Enter")
        person.see("Waits for you")
        return person

    def at_start(self, person: Person | None = None) -> Person:
        """Return the chief editor, or somebody else, at the start page, where a flow begins."""
        worker = person or self.chief
        worker.page.goto("/admin/")
        return worker

    def warm_up(self) -> None:
        """Open the main pages once, as an office does every morning."""
        page = self.at_start().page
        links = page.locator("nav a, .doings a, .days a")
        for address in dict.fromkeys(links.evaluate_all("links => links.map(link => link.href)")):
            page.goto(address)

    # --- What readers get -----------------------------------------------------------------------

    def read(self, **wanted: str) -> list[Element]:
        """Return what readers get, each occasion with its event; of a title, or of an area and a date."""
        elements: list[Element] = self.chief.page.request.get("/api/events.json").json()
        return [each for each in elements if all(_value(each, name) == wanted[name] for name in wanted)]

    def require(self, goal: str, is_reached: Callable[[], bool]) -> None:
        """Exit unless readers soon get what the flow was for."""
        ends = time.monotonic() + PATIENCE
        while not is_reached():
            if time.monotonic() > ends:
                raise SystemExit(f"The goal is not reached: {goal}")
            time.sleep(0.1)


def _value(element: Element, name: str) -> Any:
    return {"title": element["title"], "area": element["area"]["name"], "date": element["occation"]["date"]}[
        name
    ]


def starts(elements: list[Element]) -> list[str]:
    """Return the starts of occasions, sorted: `18:30`."""
    return sorted(each["occation"]["startTime"][:5] for each in elements)


def later(clocks: list[str], **delay: int) -> list[str]:
    times = (dt.datetime.strptime(each, "%H:%M") for each in clocks)  # noqa: DTZ007 - of a wall clock
    return sorted(f"{each + dt.timedelta(**delay):%H:%M}" for each in times)


@contextmanager
def open_office(environment: Environment) -> Iterator[Office]:
    """Serve the demo festival that a database holds."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - a package of the tests

    port = free_port()
    # Links that the service writes lead here.
    url = f"http://localhost:{port}"
    with (
        run_server(SERVICE, {**environment, "BASE_URL": url}, port),
        sync_playwright() as playwright,
        TemporaryDirectory() as folder,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield Office(browser, url, Path(folder))
        browser.close()
