"""From a tick in the form of an event to the list on its page."""

from playwright.sync_api import Page, expect

from programme.models import ListItem
from tests.browser import barriers, browser, in_a_browser, live_server
from tests.programmes import NIGHT, make_lists

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser


def test_a_tick_puts_an_event_on_a_list_at_once_and_what_was_typed_stays(page: Page, site: str) -> None:
    make_lists()
    page.goto(f"{site}/admin/programme/event/{NIGHT}/change/")
    page.get_by_label("Title:").fill("Another night")
    group = page.get_by_role("group", name="The whole event")
    box = group.get_by_role("checkbox", name="För familjer")
    expect(box).not_to_be_checked()
    with page.expect_response("**/lists/pick/") as answer:
        box.check()
    assert answer.value.status == 204
    assert ListItem.objects.filter(on_list=12, event=NIGHT).exists()
    expect(page.get_by_label("Title:")).to_have_value("Another night")
    assert barriers(page) == []
    # The service is away: the box says what holds.
    page.route("**/lists/pick/", lambda route: route.abort())
    box.click()
    expect(page.locator("#picking [role=status]")).to_have_text("It could not be saved. Try again.")
    expect(box).to_be_checked()
