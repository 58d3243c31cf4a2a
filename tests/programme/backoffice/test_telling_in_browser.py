"""Readers are told by default of what an import, a suggestion and a restored version change, in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from programme.models import News, NewsKind, Occasion
from tests.browser import DESKTOP, barriers, browser, in_a_browser, live_server, signed_in
from tests.conftest import NOW, SetClock
from tests.organizers import page_of, suggest
from tests.programme.backoffice.restore.history_pages import FORM, HISTORY, save
from tests.programmes import NIGHT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

HEADINGS = "Titel;Område;Plats;Datum;Start;Slut"


@pytest.fixture
def editor(  # noqa: PLR0917 - fixtures
    transactional_db: None, sample: None, at: SetClock, browser: Browser, live_server: Any, anna: User
) -> Iterator[Page]:
    at(NOW)
    options = {"viewport": DESKTOP, "locale": "en-GB", "base_url": live_server.url}
    page = signed_in(browser, live_server.url, anna, **options).new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    yield page
    page.context.close()


def list_moved() -> list[int]:
    return sorted(News.objects.filter(kind=NewsKind.MOVED).values_list("occasion_id", flat=True))


def bring_in(page: Page, path: Path, time: str) -> None:
    path.write_text(f"{HEADINGS}\nFest;Parken;Scen;2026-09-12;{time}\n", encoding="utf-8")
    page.goto("/admin/import/")
    page.locator("input[type=file]").set_input_files(path)
    page.locator("input[name=source]").fill("office")
    page.locator("input[value=published]").check()
    page.locator("input[type=submit].default").click()
    page.wait_for_selector(".rows-of-file")


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_second_import_asks_once_and_tells_unless_the_answer_is_no(
    editor: Page, tmp_path: Path, answer: str
) -> None:
    path = tmp_path / "programme.csv"
    bring_in(editor, path, "19;20")
    editor.locator("input[name=apply]").click()
    editor.wait_for_selector(".messagelist .success")
    bring_in(editor, path, "20;21")
    question = editor.locator("section.questions")
    expect(question).to_contain_text("1 published occasion changes for readers. Are they told?")
    expect(question.locator("input[value=yes]")).to_be_checked()
    question.locator(f"input[value={answer}]").check()
    assert barriers(editor) == []
    editor.locator("input[name=apply]").click()
    message = editor.locator(".messagelist .success")
    # The first version was published less than five minutes ago: what is read is where it is now.
    expect(message).to_contain_text("Imported")
    [occasion] = Occasion.objects.filter(event__title="Fest")
    assert (occasion.changed_at is not None) == (answer == "yes")


def test_an_accepted_suggestion_tells_of_its_time(editor: Page) -> None:
    found = suggest(**{"occasion-8001-start_time": "18:00", "occasion-8001-end_time": "19:00"})
    editor.goto(page_of(found))
    assert barriers(editor) == []
    editor.keyboard.press("Control+Enter")
    editor.wait_for_url("**/admin/suggestions/")
    assert Occasion.objects.get(pk=8001).changed_at is not None
    assert list_moved() == [8001]


def test_a_restored_version_tells_of_its_time(editor: Page, anna: User) -> None:
    office = Client()
    office.force_login(anna)
    save(office, FORM, **{"occasions-0-end_time": "03:30", "tell": "nothing"})
    before = list_moved()
    editor.goto(HISTORY)
    editor.locator("a.bring-back").first.click()
    expect(editor.locator("input[name=readers][value=notify]")).to_be_checked()
    assert barriers(editor) == []
    editor.get_by_role("button", name="Restore").click()
    expect(editor.locator(".messagelist")).to_contain_text("The earlier version is restored.")
    moved = set(list_moved()) - set(before)
    assert Occasion.objects.filter(pk__in=moved, event=NIGHT).count() == 1
