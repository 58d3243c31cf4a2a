"""Screens of the back office: axe finds nothing serious, light and dark, wide and narrow."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from festival.monitoring.live.findings import Report, green, red, yellow
from festival.monitoring.live.run import save
from tests.browser import DESKTOP, PHONE, barriers, browser, in_a_browser, live_server, signed_in
from tests.conftest import NOW
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

MODELS = ("event", "occasion", "area", "subarea", "organizer", "location", "room", "eventtype", "language")
SCREENS = (
    "",
    *(f"programme/{model}/" for model in MODELS),
    *(f"programme/{model}/add/" for model in MODELS),
    f"programme/event/{JAZZ}/change/",
    "programme/event/export/",
    "health/",
)


@pytest.fixture
def festival(transactional_db: None, sample: None, at: Any, settings: Any, tmp_path: Path) -> None:
    """The sample, which the server's thread sees too, and a service that has been checked."""
    settings.DATA_DIR = tmp_path
    findings = [red("disk", "disk", megabytes=7), yellow("clock", "no_date"), green("cors", "cors_ok")]
    save(Report(NOW, 1.0, "https://program.example", findings))


@pytest.fixture(params=[(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop, light", "phone, dark"])
def screen(festival: None, browser: Any, live_server: Any, anna: Any, request: Any) -> Iterator[Page]:
    viewport, scheme = request.param
    options = {"viewport": viewport, "color_scheme": scheme, "base_url": f"{live_server.url}/admin/"}
    context = signed_in(browser, live_server.url, anna, **options)
    yield context.new_page()
    context.close()


def test_a_screen_keeps_nobody_out(screen: Page) -> None:
    found = {}
    for path in SCREENS:
        assert screen.goto(path).status == 200
        if kept_out := barriers(screen):
            found[path] = kept_out
    assert found == {}
