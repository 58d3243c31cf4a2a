"""Two editors of one event: what the other has deleted is saved nevertheless."""

from playwright.sync_api import Page, expect

from programme.models import Event
from tests.browser import barriers, browser, in_a_browser, live_server
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

FORM = f"/admin/programme/event/{JAZZ}/change/"


def test_what_another_has_deleted_is_restored_with_what_was_typed(page: Page) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(FORM)
    page.fill("#id_title", "Kvällsdopp")
    rows = Event.objects.get(pk=JAZZ).occasions.count()
    page.locator("#occasions-group .add-row a").click()
    for name, value in {"day": "2026-07-31", "start_time": "20:00", "end_time": "2 h"}.items():
        page.fill(f"#id_occasions-{rows}-{name}", value)
    Event.objects.get(pk=JAZZ).delete()
    page.get_by_role("button", name="Save", exact=True).first.click()
    assert barriers(page) == []
    page.get_by_role("button", name="Restore it and save yours").click()
    expect(page.locator(".messagelist")).to_contain_text("The earlier version is restored.")
    event = Event.objects.get(pk=JAZZ)
    assert event.title == "Kvällsdopp"
    assert event.occasions.count() == rows + 1
