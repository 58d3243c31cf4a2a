"""From the start page to a problem, to the field where it is fixed, and back: the problem is gone."""

from playwright.sync_api import Page, expect

from programme.backoffice.problems.accepted import accept
from programme.backoffice.problems.survey import build_survey
from programme.models import Event, Occasion
from tests.browser import PHONE, barriers, in_a_browser
from tests.conftest import NOW
from tests.programme.backoffice.screens import open_page, save
from tests.programmes import CLOCKS, JAZZ

pytestmark = in_a_browser


def test_problems_are_mended_from_the_start_page(page: Page, site) -> None:
    page.goto("/admin/")
    clash = page.get_by_role("region", name="Double-booked places")
    assert "Biblioteket, Sal 2" in clash.inner_text()
    clash.get_by_role("link", name="När klockan ställs om").click()
    # The cursor stands in the field, ready to type over what is there.
    expect(page.locator("#id_occasions-1-start_time:focus")).to_have_js_property("selectionEnd", 5)
    page.keyboard.type("17:00")
    page.fill("#id_occasions-1-end_time", "18:00")
    save(page)
    # Back at the list of problems.
    assert page.url.partition("#")[0] == f"{site}/admin/"
    assert clash.count() == 0
    assert page.get_by_role("heading", name="Problems", exact=False).first.inner_text() == "Problems 13"
    assert Occasion.objects.get(id=8014).start.hour == 15
    # It says who did it.
    assert "När klockan ställs om" in page.get_by_role("region", name="Changes").inner_text()
    # A location is fixed in a field that searches.
    page.get_by_role("region", name="No location").get_by_role("link", name="Bara en titel").click()
    expect(page.locator(".select2-selection:focus")).to_have_count(1)


def test_the_pages_fit_and_complain_of_nothing(browser, site, anna) -> None:
    Event.objects.filter(id__in=(JAZZ, CLOCKS)).update(title="å" * 300)
    page = open_page(browser, site, anna, viewport=PHONE, color_scheme="dark")
    clashes = [one for one in build_survey().problems if one.kind.key == "double-booked"]
    accept(clashes, anna, "å" * 300, NOW)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for path in ("/admin/", "/admin/problems/?when=all", "/admin/problems/?when=all&accepted=on"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert complaints == []
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert barriers(page) == []
    page.context.close()


def test_on_a_phone_the_buttons_that_save_are_one_line_each(browser, site, anna) -> None:
    for locale in ("sv-SE", "en-GB"):
        page = open_page(browser, site, anna, viewport=PHONE, locale=locale)
        page.goto("/admin/problems/?when=all&kind=no-location")
        page.locator(".problem .subject").first.click()
        expect(page.locator("[name=_next]")).to_be_in_viewport()
        boxes = [each.bounding_box() for each in page.locator(".saving .submit-row > button:visible").all()]
        assert [box and round(box["height"]) for box in boxes] == [44, 44, 44]
        page.context.close()
