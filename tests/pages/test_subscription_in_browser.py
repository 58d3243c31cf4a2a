"""Stars, my programme, subscribing, sharing and offline in a real browser, with and without JavaScript."""

import re

from playwright.sync_api import expect

from programme import models
from tests.browser import PHONE, barriers_in_both_widths, in_a_browser
from tests.pages.viewports import site, window
from tests.programmes import PARKEN, TORGET

__all__ = ["site", "window"]

pytestmark = in_a_browser

ALL = "?days=all"


def star(page, occasion, within="main"):
    return page.locator(f"{within} [data-o='{occasion}'] > .star").first


def expect_counted(page, count):
    link = page.get_by_role("link", name=re.compile(r"^Mitt program ?(\(\d+\))?$")).first
    said = rf"^Mitt program \({count}\)$" if count else "^Mitt program ?$"
    expect(link).to_have_attribute("aria-label", re.compile(said))


def test_what_is_starred_is_my_programme(window, site):
    page = window(viewport=PHONE, has_touch=True)
    page.goto(f"{site}/{ALL}")
    expect_counted(page, 0)
    for occasion in (8001, 8013, 8002):
        expect(star(page, occasion)).to_have_attribute("aria-pressed", "false")
        star(page, occasion).click()
        expect(star(page, occasion)).to_have_attribute("aria-pressed", "true")
    expect_counted(page, 3)
    page.goto(f"{site}/mitt-program")
    page.wait_for_url(f"{site}/mitt-program?occation=8001.8002.8013")
    expect(page.locator("main .cards [data-o]")).to_have_count(3)
    expect(page.locator(".clash")).to_have_count(2)
    # It is kept, and taken back.
    page.goto(f"{site}/{ALL}")
    star(page, 8002).click()
    page.goto(f"{site}/mitt-program")
    page.wait_for_url(f"{site}/mitt-program?occation=8001.8013")


def test_a_star_says_what_it_is_for_and_is_large_enough(window, site):
    page = window(viewport=PHONE, has_touch=True)
    page.goto(f"{site}/{ALL}")
    box = star(page, 8002).bounding_box()
    assert (box["width"], box["height"]) >= (44, 44)
    title = models.Occasion.objects.get(id=8002).event.title
    assert star(page, 8002).get_attribute("aria-label") == f"Spara {title} i mitt program"
    # By keyboard too; and the link that covers the row is no obstacle.
    star(page, 8002).press("Enter")
    expect(star(page, 8002)).to_have_attribute("aria-pressed", "true")
    assert page.url == f"{site}/{ALL}"


def test_a_timetable_has_stars(window, site):
    page = window()
    page.goto(f"{site}/?view=grid")
    star(page, 8001, ".grid").click(force=True)
    expect(star(page, 8001, ".grid")).to_have_attribute("aria-pressed", "true")


def test_a_shared_programme_can_be_saved_and_who_changes_it_is_led_to_its_new_address(window, site):
    page = window()
    page.goto(f"{site}/mitt-program?occation=8001.8002")
    expect(page.locator("[data-others]")).to_be_visible()
    assert page.locator("[data-others]").bounding_box()["height"] < 80
    page.locator("[data-take]").click()
    expect(page.locator("[data-others]")).to_be_hidden()
    expect_counted(page, 2)
    page.goto(f"{site}/mitt-program")
    page.wait_for_url(f"{site}/mitt-program?occation=8001.8002")
    expect(page.locator("[data-others], [data-stale]")).to_have_count(2)
    expect(page.locator("[data-others]:visible, [data-stale]:visible")).to_have_count(0)
    star(page, 8002).click()
    page.locator("[data-stale] a").click()
    page.wait_for_url("**/mitt-program?occation=8001")


def test_android_gets_the_file_of_a_shared_programme_and_a_map_of_its_own(window, site):
    models.Location.objects.filter(id=5001).update(latitude="57.7", longitude="11.9")
    page = window(user_agent="Android", viewport=PHONE)
    page.goto(f"{site}/mitt-program?occation=8001")
    button = page.get_by_role("link", name="Lägg till i min kalender")
    expect(button).to_have_attribute("href", f"{site}/api/events.ics?occation=8001")
    page.goto(f"{site}/plats/5001")
    link = page.get_by_role("link", name="Visa på karta")
    expect(link).to_have_attribute("href", "geo:57.700000,11.900000?q=57.700000,11.900000")


def test_missing_occasions_are_shown_and_can_be_removed(window, site, settings):
    # The browser asks again, although a minute has not gone by.
    settings.CACHE_SECONDS = 0
    page = window()
    page.goto(f"{site}/mitt-program?occation=8001.8002")
    page.locator("[data-take]").click()
    models.Occasion.objects.get(id=8002).delete()
    page.goto(f"{site}/mitt-program")
    page.wait_for_url("**/mitt-program?occation=8001.8002")
    page.locator("[data-drop]").click()
    page.wait_for_url("**/mitt-program?occation=8001")
    expect(page.locator("[data-drop]")).to_have_count(0)


def test_without_javascript_pages_say_and_give_the_same(window, site):
    page = window(viewport=PHONE, java_script_enabled=False)
    page.goto(f"{site}/mitt-program")
    expect(page.locator("noscript p")).to_be_visible()
    page.goto(f"{site}/mitt-program?occation=8001.8002")
    assert page.locator("main .cards [data-o]").count() == 2
    expect(page.get_by_role("link", name="Lägg till i min kalender")).to_be_visible()
    assert page.locator(".star, [data-others]:visible, [data-share]:visible").count() == 0
    page.goto(f"{site}/prenumerera")
    page.locator("label.pill", has_text="Ångtorget").click()
    page.locator("main form button").click()
    expect(page).to_have_url(re.compile("area=%C3%85ngtorget"))
    assert "area=%C3%85ngtorget" in page.locator("#ics").input_value()
    expect(page.locator("[data-copy]").first).to_be_hidden()


def test_an_address_is_copied(window, site):
    page = window(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{site}/prenumerera")
    page.locator("[data-copy=ics]").click()
    expect(page.locator(".toast")).to_have_text("Kopierat")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#ics").input_value()


def test_my_programme_is_shared(window, site):
    page = window(permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script("delete Navigator.prototype.share")
    page.goto(f"{site}/en/my-programme?occation=8001")
    page.locator("[data-share]").click()
    expect(page.locator(".toast")).to_have_text("The address has been copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{site}/en/my-programme?occation=8001"


def test_a_form_leaves_out_what_is_empty(window, site):
    page = window()
    page.goto(f"{site}/")
    page.locator("input[name=q]").fill("jazz")
    page.locator("search .search button").click()
    page.wait_for_url(f"{site}/?q=jazz")


def test_nothing_moves_when_scripts_arrive(window, site):
    page = window(viewport=PHONE)
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver(list => { for (const each of list.getEntries())"
        " window.shift += each.value; }).observe({type: 'layout-shift', buffered: true});"
        "localStorage.setItem('my-programme', '[8001, 8002]')"
    )
    for path in ("/", "/?view=grid", "/prenumerera", "/mitt-program?occation=8001.8002", "/tillfalle/8001"):
        page.goto(f"{site}{path}")
        page.wait_for_load_state("networkidle")
        assert (path, page.evaluate("window.shift")) == (path, 0)


def test_axe_finds_no_barrier(window, site):
    page = window(bypass_csp=True)
    mine = "/en/my-programme?occation=8001.8013.8002.99"
    for path in ("/prenumerera", "/mitt-program", mine, "/en/offline", "/lista"):
        page.goto(f"{site}{path}")
        assert (path, barriers_in_both_widths(page)) == (path, [])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_selection_is_seen_at_once(window, site):
    page = window(viewport=PHONE)
    page.goto(f"{site}/prenumerera")
    before = page.locator(".total strong").inner_text()
    page.locator("label.pill", has_text="Ångtorget").click()
    expect(page.locator("#ics")).to_have_value(re.compile("area=%C3%85ngtorget"))
    expect(page.locator(".total strong")).not_to_have_text(before)
    expect(page).to_have_url(f"{site}/prenumerera?area=%C3%85ngtorget")
    expect(page.locator(".twin")).to_have_attribute("href", re.compile(r"\?area=%C3%85ngtorget$"))
    expect(page.locator(".toast")).to_contain_text(page.locator(".total strong").inner_text())
    # It is still the same form, to go on with.
    page.locator("select[name=date]").select_option("2026-07-29")
    expect(page.locator("#ics")).to_have_value(re.compile("during=2026-07-29&area=%C3%85ngtorget"))


def test_areas_narrow_the_other_choices_at_once(window, site):
    kiosk = models.SubArea.objects.create(area_id=PARKEN, name="Kiosken")
    models.Event.objects.filter(area_id=PARKEN).update(sub_area=kiosk)
    models.Event.objects.filter(area_id=TORGET, sub_area=None).update(
        sub_area=models.SubArea.objects.create(area_id=TORGET, name="Trappan")
    )
    page = window(viewport=PHONE)
    page.goto(f"{site}/prenumerera")
    page.locator("form summary").click()
    options = page.locator("label:has([name=subarea])")
    expect(options).to_have_text(["Kiosken", "Scenen", "Trappan"])
    page.locator("label.pill", has_text="Ångtorget").click()
    expect(options).to_have_text(["Scenen", "Trappan"])
    # What is chosen stays chosen, and who chose it by keyboard stays there.
    page.get_by_label("Trappan").focus()
    page.keyboard.press("Space")
    expect(page.locator("#ics")).to_have_value(re.compile("subarea=Trappan"))
    expect(page.get_by_label("Trappan")).to_be_focused()
    page.locator("label.pill", has_text="Ångtorget").click()
    page.locator("label.pill", has_text="Parken").click()
    expect(page.locator("#ics")).to_have_value(re.compile(r"area=Parken.*subarea=Trappan"))
    expect(page.get_by_label("Trappan")).to_be_checked()
    expect(page.locator(".chips")).to_contain_text("Trappan")
