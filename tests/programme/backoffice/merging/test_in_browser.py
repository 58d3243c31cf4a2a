"""The page on which two rows become one, and back: it can be undone."""

from playwright.sync_api import Page, expect

from programme.models import Location, Occasion
from tests.browser import barriers_in_both_widths, in_a_browser
from tests.programmes import NIGHT

pytestmark = in_a_browser


def test_two_locations_that_are_one_are_merged_and_the_merge_is_undone(page: Page, site: str) -> None:
    twin = Location.objects.create(name="Bibliotekett", accessibility_en="")
    Occasion.objects.filter(event=NIGHT).update(location=twin, room=None)
    page.goto(f"{site}/admin/merge/location/?row=5001&row={twin.pk}&back=/admin/programme/location/")
    expect(page.get_by_role("radio", name="Biblioteket, Storgatan 1, Åsunda").first).to_be_checked()
    assert barriers_in_both_widths(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # The other one is to stay: the page shows what that means, and what it gets.
    page.get_by_role("radio", name="1 event Bibliotekett").check()
    page.get_by_role("button", name="Show what happens").click()
    expect(page.get_by_role("heading", name="What Bibliotekett has then")).to_be_visible()
    expect(page.get_by_role("group", name="Address")).to_contain_text("Storgatan 1, Åsunda")
    page.get_by_role("radio", name="Biblioteket, Storgatan 1, Åsunda").first.check()
    page.get_by_role("button", name="Show what happens").click()
    expect(page.locator("#content-main")).to_contain_text("Bibliotekett → Biblioteket")
    page.get_by_role("button", name="Merge", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text(
        "Merged into Biblioteket: Bibliotekett. 1 event follows."
    )
    assert Occasion.objects.get(event=NIGHT).location.name == "Biblioteket"
    page.locator(".messagelist a.undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    assert Occasion.objects.get(event=NIGHT).location == twin
