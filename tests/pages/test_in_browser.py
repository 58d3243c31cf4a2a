"""The pages in a real browser: they open without complaint and fit a phone, light and dark."""

import io
import re
from datetime import timedelta
from itertools import pairwise

import pytest
from django.core.files.base import ContentFile
from PIL import Image
from playwright.sync_api import expect

from programme import models
from programme.backoffice.pictures import keep_sizes
from programme.publishing.current import current
from tests import news
from tests.browser import DESKTOP, PHONE, barriers_in_both_widths, in_a_browser
from tests.conftest import NOW
from tests.programmes import JAZZ

pytestmark = in_a_browser


@pytest.fixture
def site(browser, transactional_db, sample, at, live_server) -> str:
    # What lies on other hosts is not there in a test.
    models.Event.objects.update(image_url="")
    return live_server.url


LIGHT, DARK = ("light", "rgb(251, 250, 247)"), ("dark", "rgb(22, 21, 19)")


@pytest.mark.parametrize(
    "view", [("/", *LIGHT), ("/en/occasion/8001", *DARK), ("/ns/programme", *LIGHT)], ids=" ".join
)
def test_a_page_opens_and_fits_a_phone(browser, site, view):
    path, scheme, paper = view
    context = browser.new_context(viewport={"width": 360, "height": 640}, color_scheme=scheme)
    page = context.new_page()
    complaints, requests = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    assert page.goto(f"{site}{path}").status == 200
    page.wait_for_load_state("networkidle")
    assert complaints == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
    # Nothing is fetched from anybody else.
    assert {url for url in requests if not url.startswith(site)} == set()
    context.close()


def test_axe_finds_no_barrier(browser, site, monkeypatch):
    monkeypatch.setattr("pages.days.MIN_ROWS_FOR_LINKS", 5)
    news.write_each_kind()
    models.Occasion.objects.get(id=8002).delete()
    page = browser.new_page()
    for path in (
        *("/?days=all", "/en/?view=grid", "/?q=jazz", "/tillfalle/8001", "/tillfalle/8002"),
        *("/en/occasion/8009", "/ns/programme", "/finns-inte", "/nytt"),
    ):
        page.goto(f"{site}{path}")
        # What is folded is part of the page.
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert barriers_in_both_widths(page) == [], path
    page.close()


def test_the_keyboard_reaches_the_content_first(browser, site):
    page = browser.new_page()
    page.goto(f"{site}/tillfalle/8001")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Till innehållet"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    page.wait_for_url("**/tillfalle/8001#content")
    page.close()


def test_a_long_word_breaks_instead_of_widening_the_page(browser, site):
    models.Event.objects.filter(id=JAZZ).update(title="å" * 300, price="b" * 200)
    page = browser.new_page(viewport={"width": 360, "height": 640})
    page.goto(f"{site}/tillfalle/8001")
    assert page.locator("h1").inner_text() == "å" * 300
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.close()


def test_clock_times_fit_their_column(browser, site):
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{site}/?during=2026-07-29")
    # A font of Debian's that is as wide as Georgia.
    page.evaluate("document.documentElement.style.setProperty('--heading-font', '\"DejaVu Serif\", Georgia')")
    clocks = page.locator(".slot .clock")
    assert clocks.count() > 0
    too_wide = "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"
    assert clocks.evaluate_all(too_wide) == []
    page.close()


def test_an_hour_is_jumped_to_without_a_script_and_nothing_lies_on_it(browser, site, monkeypatch):
    monkeypatch.setattr("pages.days.MIN_ROWS_FOR_LINKS", 5)
    context = browser.new_context(viewport=PHONE, java_script_enabled=False, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{site}/?during=2026-07-29")
    hours = page.get_by_role("navigation", name="Hoppa till en timme, onsdag 29 juli")
    hours.get_by_role("link", name="16:00").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#kl-16")
    bar, slot = hours.bounding_box(), page.locator("#kl-16").bounding_box()
    assert slot["y"] >= bar["y"] + bar["height"]
    # Who goes on by keyboard is there.
    page.keyboard.press("Tab")
    assert page.locator("#kl-16 a").first.evaluate("each => each.matches(':focus')")
    context.close()


def test_with_large_letters_titles_have_the_width_and_buttons_hold_their_words(browser, site):
    page = browser.new_page(viewport={"width": 390, "height": 640})
    large = "document.documentElement.style.fontSize = '32px'"
    page.goto(f"{site}/?during=2026-07-29")
    page.evaluate(large)
    row = page.locator(".slots .o").first
    inner = row.evaluate("each => each.clientWidth - parseFloat(getComputedStyle(each).paddingRight)")
    assert inner > 390 * 0.6
    clock = page.locator(".slot .clock").first.bounding_box()
    assert clock["y"] + clock["height"] <= row.bounding_box()["y"] + 1
    assert page.locator("input[type=search]").first.bounding_box()["width"] > 390 * 0.6
    page.goto(f"{site}/tillfalle/8001")
    page.evaluate(large)
    star = page.locator("header > .star")
    star.click()
    expect(star).to_have_text("Sparad i mitt program")
    assert star.evaluate("each => each.scrollHeight <= each.clientHeight")
    above, below = page.locator("header[data-o] > :not(.star)").last, page.locator("header[data-o] + *")
    ends = [each.bounding_box() for each in (above, star, below)]
    assert all(one["y"] + one["height"] <= other["y"] for one, other in pairwise(ends))
    star.click()
    expect(star).to_have_text("Spara i mitt program")
    page.close()


def test_without_scripts_no_button_is_shown_that_needs_them(browser, site):
    models.Location.objects.update(latitude="58.59", longitude="16.19")
    current.clear()
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/")
    expect(page.locator("[data-near]")).to_have_count(1)
    expect(page.locator("button:visible:not([type=submit])")).to_have_count(0)
    context.close()


@pytest.mark.parametrize(("width", "letters"), [(320, 16), (390, 32)])
def test_pages_fit_small_phones_and_large_letters(browser, site, width, letters):
    news.write_each_kind()
    page = browser.new_page(viewport={"width": width, "height": 640})
    wide = {}
    for path in (
        *("/", "/en/?days=all", "/?view=grid", "/tillfalle/8001", "/prenumerera"),
        *("/mitt-program?occation=8001", "/nytt"),
    ):
        page.goto(f"{site}{path}")
        page.evaluate("size => { document.documentElement.style.fontSize = `${size}px`; }", letters)
        wide[path] = page.evaluate("document.documentElement.scrollWidth")
    assert set(wide.values()) == {width}, wide
    page.close()


def test_my_programme_shows_what_was_told_since_the_last_visit(browser, site):
    held = news.build_state(NOW + news.HOUR)
    for number, occasion in ((1, 8001), (2, news.GONE), (3, 8002)):
        news.write(number, "cancelled", held, held, occasion)
    context = browser.new_context()
    page = context.new_page()
    address = f"{site}/mitt-program?occation=8001.{news.GONE}"
    told = page.locator("#told")
    # At the first visit nothing is new, however old it is.
    page.goto(address)
    expect(told).to_be_hidden()
    # What somebody else has chosen is shown, but none of it is news.
    page.evaluate("localStorage.setItem('news-seen', '2020-01-01T00:00:00Z')")
    page.reload()
    expect(told).to_be_hidden()
    assert page.evaluate("localStorage.getItem('news-seen')") == "2020-01-01T00:00:00Z"
    page.evaluate(f"localStorage.setItem('my-programme', '[8001, {news.GONE}]')")
    page.evaluate(f"localStorage.setItem('news-seen', '{(NOW - 90 * timedelta(minutes=1)).isoformat()}')")
    page.evaluate("sessionStorage.clear()")
    page.reload()
    expect(told.locator("li:visible")).to_have_count(1)
    assert told.locator("li:visible a").get_attribute("href").endswith("/tillfalle/8001")
    # Loaded again, it is the same visit.
    page.reload()
    expect(told.locator("li:visible")).to_have_count(1)
    page.evaluate("localStorage.setItem('news-seen', new Date().toISOString())")
    page.evaluate(f"sessionStorage.setItem('news-seen', '{(NOW - 3 * news.HOUR).isoformat()}')")
    page.reload()
    expect(told.locator("li:visible")).to_have_count(2)
    assert barriers_in_both_widths(page) == []
    context.close()


def test_on_a_phone_filters_are_a_sheet_and_nothing_chosen_is_shown_twice(browser, site):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/?during=2026-07-29")
    area = page.locator("nav.areas").get_by_role("link", name="Ångtorget")
    expect(area).to_be_hidden()
    page.get_by_text("Filter", exact=True).click()
    for name in ("Ångtorget", "efter 21"):
        page.locator("form").get_by_text(name, exact=True).click()
    page.get_by_role("button", name="Visa 8").click()
    page.wait_for_url("**after=21**")
    chosen = page.locator("form.filters > .chips a:visible")
    expect(chosen).to_have_text(["Ångtorget × (Ta bort)", "efter 21 × (Ta bort)", "Rensa alla"])
    # The open sheet says it instead.
    page.get_by_text("Filter", exact=True).click()
    expect(chosen).to_have_count(0)
    expect(page.get_by_label("efter 21")).to_be_checked()
    page.set_viewport_size(DESKTOP)
    expect(area).to_be_hidden()
    page.get_by_text("Filter", exact=True).click()
    expect(area).to_have_attribute("aria-current", "true")
    expect(chosen).to_have_text(["efter 21 × (Ta bort)", "Rensa alla"])
    context.close()


def test_a_sheet_asks_the_server_how_many_it_would_show(browser, site):
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{site}/?during=2026-07-29&view=grid")
    sheet, button = page.locator("form.filters > details"), page.locator("#count")
    opener = page.get_by_text("Filter", exact=True)
    opener.click()
    expect(button).to_have_text("Visa 8")
    page.locator("form").get_by_text("Ångtorget", exact=True).click()
    expect(button).to_have_text("Visa 5")
    page.locator("form").get_by_text("efter 18", exact=True).click()
    expect(button).to_have_text(re.compile("Visa [0-4]"))
    said = button.inner_text()
    assert page.url == f"{site}/?during=2026-07-29&view=grid"
    assert barriers_in_both_widths(page) == []
    page.set_viewport_size(PHONE)
    # Escape closes it, and so does what is focused behind it; what is ticked stays so.
    page.keyboard.press("Escape")
    expect(sheet).not_to_have_attribute("open", "")
    expect(opener).to_be_focused()
    opener.click()
    page.locator(".site a").first.focus()
    expect(sheet).not_to_have_attribute("open", "")
    opener.click()
    button.click()
    page.wait_for_url("**after=18**")
    assert "view=grid" in page.url
    expect(button).to_have_text(said)
    page.close()


@pytest.fixture
def site_with_picture(browser, transactional_db, sample, at, live_server, settings, tmp_path) -> str:  # noqa: PLR0917 - fixtures
    """The sample with highlights, and a photo that weighs as much as a phone's."""
    settings.MEDIA_ROOT, settings.BASE_URL = tmp_path, live_server.url
    models.Event.objects.update(image_url="", highlighted=True)
    event, content = models.Event.objects.get(id=JAZZ), io.BytesIO()
    Image.effect_noise((2400, 1600), 60).convert("RGB").save(content, "JPEG", quality=90)
    event.image.save("jazz.jpg", ContentFile(content.getvalue()))
    keep_sizes(models.Event.objects.all())
    return live_server.url


def test_a_phone_gets_a_small_picture_and_nothing_moves(browser, site_with_picture):
    context = browser.new_context(viewport=PHONE, device_scale_factor=2)
    page = context.new_page()
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(each => {"
        " window.moved += each.value })).observe({type: 'layout-shift', buffered: true})"
    )
    sent = {}
    page.on(
        "response",
        lambda response: (
            sent.update({response.url: len(response.body())}) if "/media/" in response.url else None
        ),
    )
    original = models.Event.objects.get(id=JAZZ).image.size
    assert original > 1_500_000
    for path in ("/tillfalle/8001", "/"):
        sent.clear()
        page.set_viewport_size(PHONE)
        page.goto(f"{site_with_picture}{path}", wait_until="networkidle")
        shown = page.locator("figure img, .band img").first
        assert shown.evaluate("each => each.complete && each.naturalWidth") > 0
        assert page.evaluate("window.moved") == 0
        assert {url.rsplit("/", 1)[1] for url in sent} <= {"960.webp", "50-50-480.webp", "50-50-240.webp"}
        assert sum(sent.values()) < original / 4
        assert barriers_in_both_widths(page) == []
    context.close()


def test_a_dead_address_of_a_picture_shows_nothing_of_itself(browser, site_with_picture):
    page = browser.new_page(service_workers="block")
    page.route("**/media/**", lambda route: route.abort())
    for path, place in (("/", ".band"), ("/tillfalle/8001", ".occasion")):
        page.goto(f"{site_with_picture}{path}")
        expect(page.locator(f"{place} :is(img, figure)")).to_have_count(0)
    page.close()
