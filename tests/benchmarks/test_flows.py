"""What a person does in a browser is counted, and its time is estimated by the keystroke-level model."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from playwright.sync_api import Browser

from benchmarks.flows.person import Effort, Person
from tests.browser import browser, in_a_browser

__all__ = ["browser"]

PAGE = """<form><input name="title" autofocus><input name="price" value="20 kr"><input name="day" type="date">
<select name="status"><option>draft</option><option>published</option></select><input name="file" type="file">
<button>Save</button><a href="#top">Help</a><div class="held">Jazz</div></form>"""


def test_an_estimate_adds_up_hands_head_and_waiting() -> None:
    assert Effort().estimate == 0
    effort = Effort(clicks=3, drags=1, keys=10, fields=2, loads=2, thoughts=4, homings=2, waited=1.5)
    # Four thoughts, five times pointing, fourteen presses, and the way to the keyboard and back.
    assert effort.estimate == pytest.approx(4 * 1.35 + 5 * 1.1 + 14 * 0.2 + 2 * 0.4 + 1.5)


def test_the_time_of_others_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0, 2, 5, 6))
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    person = Person(Mock(evaluate=Mock(return_value=0)))
    with person.working() as effort, person.resting():
        pass
    assert effort.waited == 3


class TestInABrowser:
    pytestmark = in_a_browser

    @pytest.fixture
    def person(self, browser: Browser) -> Iterator[Person]:
        context = browser.new_context()
        page = context.new_page()
        page.route("**/*", lambda route: route.fulfill(content_type="text/html", body=PAGE))
        page.goto("http://office.example/")
        yield Person(page)
        context.close()

    def test_each_step_is_counted(self, person: Person, tmp_path: Path) -> None:
        page, sheet = person.page, tmp_path / "sheet.csv"
        sheet.write_text("Title")
        with person.working() as effort:
            # The cursor is there.
            person.fill(page.locator("[name=title]"), "Jazz")
            # What is there is selected first.
            person.fill(page.locator("[name=price]"), "30 kr")
            person.fill_next(page.locator("[name=day]"), "2026-07-29")
            person.choose(page.locator("select"), "published")
            person.attach(page.locator("[name=file]"), sheet)
            person.click(page.get_by_role("link"))
            person.drag(page.locator(".held"), 20)
            person.follow(page.get_by_role("button", name="Save"))
            person.see("Jazz")
        assert effort == Effort(
            clicks=1 + 2 + 2 + 1 + 1,
            drags=1,
            keys=4 + (2 + 5) + (1 + 8),
            fields=3,
            loads=1,
            thoughts=7,
            homings=4,
            waited=effort.waited,
        )
        assert (
            page.url.partition("#")[0]
            == "http://office.example/?title=Jazz&price=30+kr&day=2026-07-29&status=published&file=sheet.csv"
        )
