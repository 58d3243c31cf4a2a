"""An editor points at what is what in a real browser, by mouse and by keyboard."""

import pytest
from playwright.sync_api import Page, expect

from programme.models import Occasion
from tests.browser import DESKTOP, PHONE, barriers, browser, in_a_browser, live_server, signed_in
from tests.programme.exchange.workbooks import write_workbook

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

ROWS = [
    ["Pass", "Grej", "Område", "Ställe"],
    ["10-11", "Sagostund", "Parken", "Biblioteket"],
    ["KVÄLL"],
    ["18-20", "Jazz", "Parken", "Hamnen"],
]


@pytest.fixture(params=[(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"])
def page(transactional_db, sample, browser, live_server, anna, request):  # noqa: PLR0917 - fixtures
    viewport, scheme = request.param
    view = {"viewport": viewport, "color_scheme": scheme, "locale": "sv-SE", "base_url": live_server.url}
    context = signed_in(browser, live_server.url, anna, **view)
    yield context.new_page()
    context.close()


def bring_in(page: Page, content: bytes) -> None:
    page.goto("/admin/import/")
    file = {"name": "program.xlsx", "mimeType": "application/octet-stream", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)
    page.locator("input[name=source]").fill("kontoret")
    page.locator("#id_area").select_option(index=1)
    page.locator("input[type=submit].default").click()
    page.get_by_role("link", name="Nej, jag pekar ut vad som är vad").click()
    page.locator("#body").select_option(index=0)


def list_read(page: Page) -> list[str]:
    return page.locator("[aria-labelledby=result] tbody tr").all_inner_texts()


def test_what_is_pointed_at_is_shown_at_once_and_read_so(page):
    bring_in(page, write_workbook({"12 september 2026": ROWS, "13 september 2026": ROWS}))
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    # By keyboard: a letter chooses, and the focus stays where it is.
    first = page.locator("#column-0")
    first.focus()
    page.keyboard.press("t")
    page.keyboard.press("i")
    page.keyboard.press("d")
    expect(first).to_have_value("time")
    expect(page.locator("td .role-time")).to_have_count(3)
    expect(first).to_be_focused()
    # By mouse: the head of a column, and the number of a row.
    page.locator("label[for=column-1]").click()
    expect(page.locator("#column-1")).to_be_focused()
    page.locator("#column-1").select_option("title")
    page.locator("#name").select_option("day")
    expect(page.get_by_text("2 tillfällen skulle läsas")).to_be_visible()
    page.locator("#row-3").select_option("unused")
    expect(page.locator("td .role-time")).to_have_count(2)
    assert [" ".join(each.split()) for each in list_read(page)] == [
        "2 2026-09-12 10:00–11:00 Sagostund Biblioteket",
        "4 2026-09-12 18:00–20:00 Jazz Hamnen",
    ]
    assert barriers(page) == []
    page.get_by_role("button", name="Läs det så").click()
    page.wait_for_selector(".rows-of-file")
    page.locator("input[type=submit].default").click()
    page.wait_for_selector(".messagelist .success")
    assert Occasion.objects.filter(event__source="kontoret").count() == 4
