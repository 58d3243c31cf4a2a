"""The day on which the next edition becomes the current one, for a visitor who has pages open."""

from playwright.sync_api import expect

from tests.browser import barriers_in_both_widths, in_a_browser
from tests.conftest import NOW
from tests.editions import OF_2025, OF_2027, make_editions
from tests.pages.viewports import site, window

__all__ = ["site", "window"]

pytestmark = in_a_browser


def stars(page):
    return [each.get_attribute("data-star") for each in page.locator("main .star").all()]


def test_open_pages_change_over_and_stars_of_the_old_edition_are_kept_apart(window, site):
    editions = make_editions()
    front, mine = window(), window()
    front.goto(f"{site}/?days=all")
    front.locator("main [data-o='8001'] > .star").first.click()
    mine = front.context.new_page()
    mine.goto(f"{site}/mitt-program")
    expect(mine.locator("main .cards li")).to_have_attribute("data-o", "8001")

    editions["2027"].make_current(NOW)
    front.reload()
    expect(front.locator("main .star")).to_have_count(1)
    assert stars(front) == [str(OF_2027)]
    front.locator("main .star").click()
    front.get_by_role("link", name="Andra upplagor").click()
    front.get_by_role("link", name="Natten 2026").click()
    expect(front.locator("main .notice").first).to_contain_text("Det här hör till Natten 2026")

    mine.goto(f"{site}/mitt-program")
    expect(mine.locator("main h2.day + .cards li")).to_have_attribute("data-o", str(OF_2027))
    old = mine.locator("section:has(> .cards)")
    expect(old.get_by_role("heading")).to_have_text("Från Natten 2026")
    expect(old.locator("li a")).to_have_attribute("href", "/tillfalle/8001")
    # It is neither missing nor cancelled, and only its star takes it away.
    expect(mine.locator(".notice.changed:visible, .notice.cancelled, .mark.cancelled")).to_have_count(0)
    assert barriers_in_both_widths(mine) == []
    old.locator(".star").click()
    mine.goto(f"{site}/mitt-program")
    expect(mine.locator("main .cards li")).to_have_count(1)


def test_what_is_over_elsewhere_cannot_be_starred(window, site):
    make_editions()
    page = window()
    for path in ("/?edition=2025", f"/tillfalle/{OF_2025}"):
        page.goto(f"{site}{path}")
        expect(page.locator(f"main [data-o='{OF_2025}']").first).to_be_visible()
        assert stars(page) == []
        assert barriers_in_both_widths(page) == []
    page.goto(f"{site}/tidigare")
    assert barriers_in_both_widths(page) == []
    page.goto(f"{site}/en/occasion/{OF_2027}")
    assert stars(page) == [str(OF_2027)]


def test_the_element_of_another_edition_shows_all_of_it(window, site):
    make_editions()
    page = window()
    page.goto(f"{site}/utvecklare?edition=2025")
    element = page.locator("festival-programme")
    expect(element.locator("[part~=occasion]")).to_have_count(1)
    expect(element.locator("[part=all] a")).to_have_attribute(
        "href", f"{site}/?during=2025-01-01/2025-12-31&edition=2025"
    )
