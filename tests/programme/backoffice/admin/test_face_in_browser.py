"""The preview of the festival's face in a real browser: what is typed is what is shown, and nothing is stored."""

from playwright.sync_api import Page, expect

from programme.models import Festival
from tests.browser import barriers, browser, in_a_browser, live_server

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

PATH = "/admin/programme/festival/1/change/"


def test_what_is_typed_is_shown_in_light_and_dark_with_what_had_to_be_helped(page: Page) -> None:
    page.goto(PATH)
    shown = page.frame_locator(".face iframe")
    page.fill("#id_name_en", "Nya namnet")
    page.fill("#id_color", "#ffe600")
    page.fill("#id_background", "#ffffff")
    expect(shown.locator("h1")).to_have_text("Nya namnet")
    expect(shown.locator(".filters [type=submit]").first).to_have_css("background-color", "rgb(255, 230, 0)")
    expect(shown.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator(".face-note")).to_have_count(1)
    page.locator("#face-dark").check(force=True)
    expect(shown.locator("body")).to_have_css("background-color", "rgb(22, 21, 19)")
    page.locator("#face-occasion").check(force=True)
    expect(shown.locator("article.occasion")).to_be_visible()
    assert barriers(page) == []
    assert Festival.objects.get().color == ""
