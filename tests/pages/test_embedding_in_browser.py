"""The programme on a page of another website, in a real browser: as an element, in a frame, in WordPress's sandbox."""

import math
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread

import pytest
from PIL import Image
from playwright.sync_api import expect

from feeds.selection import Selection
from pages.embed import EmbeddingCode
from programme import models
from tests.browser import PHONE, barriers, in_a_browser
from tests.pages.viewports import site, window
from tests.programmes import ABROAD, JAZZ, utc

__all__ = ["site", "window"]

pytestmark = in_a_browser

NOW = "2026-07-29T12:00:00Z"
# Colours and fonts of a website, and the opposite of what its visitor prefers.
LIGHT = ("#ffffff", "rgb(34, 34, 34)", "dark")
DARK = ("#102030", "rgb(238, 238, 238)", "light")
DOCUMENT = """<!DOCTYPE html><html lang="sv"><meta charset="utf-8"><title>Nyheter</title>
<meta name="viewport" content="width=device-width">
<style>body {{ background: {paper}; color: {ink}; font: 18px Georgia, serif }}</style>
<body><main><h1>Nyheter</h1>{code}</main>"""
ELEMENT = "festival-programme"
JAZZ_TITLE = r"Jazz, blues & soul; allt på \New \n ]]> <b>fest</b> [b]nu[/b]"
# The element asks again when the browser is online again.
COME_ONLINE = "dispatchEvent(new Event('online'))"
WATCH = """() => {
  window.touched = [];
  new MutationObserver(found => {
    for (const {addedNodes, removedNodes, attributeName} of found)
      window.touched.push(attributeName ?? [...addedNodes, ...removedNodes].map(each => each.nodeName).join());
  }).observe(document.querySelector("festival-programme").shadowRoot, {childList: true, subtree: true, attributes: true});
}"""


class Publish:
    """A website of another origin, with one page."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.body = ""
        self.policy = ""

    def __call__(self, code: str, policy: str, paper: str = "#ffffff", ink: str = "#222222") -> str:
        self.body = DOCUMENT.format(code=code, paper=paper, ink=ink)
        styles = "" if "style-src " in policy else "style-src 'unsafe-inline'; "
        self.policy = f"default-src 'none'; {styles}{policy}"
        return self.url


@pytest.fixture(scope="module")
def publish() -> Iterator[Callable[..., str]]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Security-Policy", website.policy)
            self.end_headers()
            self.wfile.write(website.body.encode() if self.path == "/" else b"")

        def log_message(self, *said):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    website = Publish(f"http://localhost:{server.server_port}/")
    Thread(target=server.serve_forever, daemon=True).start()
    yield website
    server.shutdown()
    server.server_close()


@pytest.fixture
def code(site, settings):
    # A browser's own cache would answer for a minute.
    settings.CACHE_SECONDS = 0
    return EmbeddingCode(site, Selection(), "Kulturnatten")


@pytest.fixture
def visit(window, publish):
    """Open the page of the website with some code in it."""

    def open_page(embedded, policy, looks=LIGHT, *, before=None, **options):
        paper, ink, scheme = looks
        page = window(viewport=PHONE, color_scheme=scheme, **options)
        page.clock.set_fixed_time(NOW)
        if before:
            before(page)
        page.goto(publish(embedded, policy, paper, ink))
        return page

    return open_page


def looks(locator):
    return locator.evaluate("each => [getComputedStyle(each).color, getComputedStyle(each).fontFamily]")


def rows(page):
    """Return the text of each heading and each occasion of the element, in order."""
    return page.locator(ELEMENT).evaluate(
        "each => [...each.shadowRoot.querySelectorAll('[part=heading], [part~=occasion]')]"
        ".map(each => each.innerText.replace(/\\s+/g, ' ').trim())"
    )


# --- As an element


def test_the_element_takes_the_looks_of_the_page_within_its_policy(visit, code):
    page = visit(code.write_element(), code.element_policy, DARK)
    times = page.locator(f"{ELEMENT} >> [part=times]")
    expect(times.first).to_have_text("14:00–14:30")
    for part in ("heading", "times", "link", "note", "place"):
        assert looks(page.locator(f"{ELEMENT} >> [part={part}]").first) == [DARK[1], "Georgia, serif"]
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    # What the page sets wins.
    page.add_style_tag(
        content="festival-programme { --festival-accent: #ff0000; --festival-font: monospace }"
    )
    assert looks(page.locator(f"{ELEMENT} >> [part=link]").first) == ["rgb(255, 0, 0)", "monospace"]


def test_it_shows_days_times_places_and_what_is_cancelled_in_words(visit, code):
    page = visit(
        code.write_element().replace('language="sv"', 'language="en" area="Ångtorget"'), code.element_policy
    )
    expect(page.locator(f"{ELEMENT} >> [part=heading]")).to_have_count(4)
    assert rows(page) == [
        "Wednesday 29 July",
        *["16:00–17:00 Bara en titel Ångtorget"] * 2,
        rf'16:00–17:00 {JAZZ_TITLE} Changed: Ny sal: "Sal 2" <nu> Biblioteket, Sal 2',
        "16:00–18:00 Bara en titel Ångtorget",
        "22:00–03:00 🎷👩‍🎤 شعر Nattpoesi Magasinet; kaj 3, port B, Övre, golvet",
        "Thursday 30 July",
        rf'16:00–17:00 {JAZZ_TITLE} Changed: Ny sal: "Sal 2" <nu> Biblioteket, Källaren',
        "Saturday 1 August",
        rf'16:00–17:00 {JAZZ_TITLE} Cancelled: Ny sal: "Sal 2" <nu> Magasinet; kaj 3, port B, Övre, golvet',
        "Friday 1 January 2027",
        "00:00–01:00 Bara en titel Ångtorget",
    ]
    links = page.locator(f"{ELEMENT} >> [part=link]").evaluate_all("all => all.map(each => each.href)")
    assert links[0].startswith(f"{code.base_url}/en/occasion/")
    assert links[-1] == f"{code.base_url}/en/?area=%C3%85ngtorget"


def test_it_says_what_is_full_and_stays_without_an_answer(visit, code):
    models.Event.objects.filter(id=JAZZ).update(free="true")
    models.Occasion.objects.filter(event=JAZZ).update(booking="waiting-list")
    models.Occasion.objects.filter(id=8001).update(booking="full")
    page = visit(code.write_element().replace("language", "free language"), code.element_policy)
    notes = page.locator(f"{ELEMENT} >> [part=note]")
    note = 'Ny sal: "Sal 2" <nu>'
    said = [f"Fullt · Ändrat: {note}", f"Väntelista · Ändrat: {note}", f"Inställt: {note}"]
    expect(notes).to_have_text(said)
    page.route("**/api/**booking=**", lambda route: route.fulfill(status=503))
    models.Event.objects.filter(id=JAZZ).update(title="Renamed")
    page.evaluate(COME_ONLINE)
    expect(page.locator(f"{ELEMENT} >> [part=link]").first).to_have_text("Renamed")
    expect(notes).to_have_text(said)
    page.reload()
    expect(notes).to_have_text(said)
    # Whatever it complains of has been said once the page is gone.
    page.goto("about:blank")
    page.complaints.clear()


def test_times_have_dates_where_the_heading_is_of_another_day(visit, code, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    models.Occasion.objects.filter(id=8002).update(start=utc(2026, 7, 29, 22, 15), end=utc(2026, 7, 29, 23))
    query = "occation=8002.8009.8012"
    page = visit(code.write_element().replace("language", f'query="{query}" language'), code.element_policy)
    days = ["onsdag 29 juli", "fredag 31 juli", "torsdag 31 december"]
    expect(page.locator(f"{ELEMENT} >> [part=heading]")).to_have_text(days)
    times = page.locator(f"{ELEMENT} >> [part=times]")
    clocks = ["imorgon 00:15–01:00", "22:00–sön 2 aug 04:00", "fre 1 jan 2027 00:00–01:00"]
    expect(times).to_have_text(clocks)
    # The frame has the same words.
    page.goto(f"{code.base_url}/lista?{query}")
    expect(page.locator("h2")).to_have_text(days)
    expect(page.locator("p > strong")).to_have_text(clocks)


def test_without_the_service_it_shows_what_it_had_and_says_so(visit, code):
    away, page = "Programmet kan inte hämtas just nu.", visit(code.write_element(), code.element_policy)
    status = page.locator(f"{ELEMENT} >> [part=status]")
    expect(page.locator(f"{ELEMENT} >> [part=heading]").first).to_have_text("onsdag 29 juli")
    shown = rows(page)
    page.route("**/api/**", lambda route: route.fulfill(status=503))
    page.evaluate(COME_ONLINE)
    expect(status).to_have_text(f"{away} Så här såg det ut onsdag 29 juli kl. 14:00.")
    page.reload()
    expect(status).to_have_text(f"{away} Så här såg det ut onsdag 29 juli kl. 14:00.")
    assert rows(page) == shown
    assert barriers(page) == []
    # It comes back by itself.
    page.unroute("**/api/**")
    page.evaluate(COME_ONLINE)
    expect(status).to_be_hidden()
    # In another browser nothing is stored; and one may refuse to store.
    refuse = "Object.defineProperty(window, 'localStorage', {get() { throw new Error() }})"
    page.add_init_script(refuse)
    page.reload()
    expect(page.locator(f"{ELEMENT} >> [part=heading]").first).to_be_visible()
    page.route("**/api/**", lambda route: route.fulfill(status=503))
    page.reload()
    expect(status).to_have_text(away)
    expect(page.get_by_role("link", name="Kulturnatten")).to_be_visible()
    page.complaints.clear()


def test_it_leaves_the_website_room_in_its_storage(visit, code):
    page = visit(code.write_element(), code.element_policy)
    expect(page.locator(f"{ELEMENT} >> [part=heading]").first).to_be_visible()
    # One is broken, and of the others the first is the oldest.
    page.evaluate(
        "() => { for (let at = 1; at <= 9; at++)"
        " localStorage.setItem(`festival-programme:${at}`, at === 5 ? '{' : JSON.stringify({at}));"
        " localStorage.setItem('of-the-website', '1') }"
    )
    page.locator(ELEMENT).evaluate("each => each.setAttribute('highlighted', '')")
    page.wait_for_function("() => Object.keys(localStorage).some(each => each.includes('highlighted'))")
    kept = page.evaluate("() => Object.keys(localStorage)")
    assert sorted(key.rpartition("/")[2].partition("?")[0] for key in kept) == [
        *("events.json", "events.json"),
        *(f"festival-programme:{at}" for at in (3, 4, 6, 7, 8, 9)),
        "of-the-website",
    ]


def test_it_changes_only_what_has_changed(visit, code):
    page = visit(code.write_element(), code.element_policy)
    link = page.locator(f"{ELEMENT} >> [part=link]", has_text="Only in English")
    link.focus()
    page.evaluate(WATCH)
    with page.expect_response("**/api/**"):
        page.evaluate(COME_ONLINE)
    models.Event.objects.filter(id=ABROAD).update(title="Renamed")
    models.Occasion.objects.filter(id=8015).delete()
    page.evaluate(COME_ONLINE)
    renamed = page.locator(f"{ELEMENT} >> [part=link]", has_text="Renamed")
    expect(renamed).to_be_focused()
    # One text was replaced and one occasion was removed.
    assert sorted(page.evaluate("window.touched")) == ["#text,#text", "LI"]


def test_no_text_becomes_markup_and_no_address_a_script(visit, code):
    def falsify(route):
        elements = route.fetch().json()[:1]
        for each in elements:
            each["occation"]["url"] = {"sv": "javascript:window.ran = 1", "en": None}
            each |= {"title": "<img src=x onerror='window.ran = 1'>", "imageUrl": "data:image/png,x"}
        route.fulfill(json=elements, headers={"Access-Control-Allow-Origin": "*"})

    page = visit(
        code.write_element().replace("language", "images language"),
        code.element_policy,
        before=lambda page: page.route("**/api/*date=now", falsify),
    )
    link = page.locator(f"{ELEMENT} >> [part=link]").first
    expect(link).to_have_text("<img src=x onerror='window.ran = 1'>")
    assert link.get_attribute("href") is None
    assert page.locator(f"{ELEMENT} >> img").count() == 0
    assert page.evaluate("window.ran") is None


def test_pictures_are_shown_on_request(visit, code):
    models.Event.objects.filter(id=JAZZ).update(image_url=f"{code.base_url}/static/pages/icon-192.png")
    # The site of the test has no TLS.
    policy = code.element_policy.replace("img-src https:", f"img-src {code.base_url}")
    page = visit(code.write_element().replace("language", "images language"), policy)
    picture = page.get_by_role("img", name="Bild: Åsa").first
    expect(picture).to_be_visible()
    page.locator(ELEMENT).evaluate("each => each.removeAttribute('images')")
    expect(picture).to_have_count(0)


# --- Its views, days, choices and stars, on a page that resets everything


HOSTILE = """<style>* {{ all: revert; margin: 0; list-style: square; letter-spacing: 0.1em }}
button, input, select {{ display: block !important; background: hotpink !important; border: 5px dashed red !important }}
a {{ color: rgb(0, 100, 0) }}</style>"""


def parts(page, name):
    return page.locator(f"{ELEMENT} >> [part~={name}]")


def show(visit, code, attributes, *, frames=False, before=None, **options):
    element = HOSTILE.format() + code.write_element().replace(' language="sv"', f" {attributes}")
    policy = code.element_policy + (f"; frame-src {code.base_url}" if frames else "")
    page = visit(element, policy, before=before, **options)
    expect(parts(page, "link").first).to_be_visible()
    return page


@pytest.mark.parametrize("view", ["days", "timetable"])
def test_after_midnight_today_is_the_festival_day(visit, code, at, settings, view):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    # 01:15 in Stockholm.
    instant = utc(2026, 7, 29, 23, 15)
    at(instant)
    # On now, to come tonight, and on the day that begins in the morning.
    spans = {8001: (utc(2026, 7, 29, 22, 30), 3.5), 8002: (utc(2026, 7, 30, 1, 30), 1)}
    for number, (start, hours) in (spans | {8003: (utc(2026, 7, 30, 10), 1)}).items():
        models.Occasion.objects.filter(id=number).update(start=start, end=start + timedelta(hours=hours))
    attributes = f'query="occation=8001.8002.8003" language="sv" view="{view}"'
    page = show(visit, code, attributes, before=lambda page: page.clock.set_fixed_time(instant))
    expect(parts(page, "tab").first).to_have_text("ons 29 juli")
    expect(parts(page, "tab").first).to_have_attribute("aria-pressed", "true")
    times = ["idag 00:30–04:00", "idag 03:30–04:30"]
    expect(parts(page, "times")).to_have_text(times)


def test_it_works_in_a_browser_of_some_years_ago(visit, code):
    script = """delete window.CSSStyleSheet; delete URLSearchParams.prototype.size;
    for (const each of ['ariaLabel', 'ariaPressed']) delete Element.prototype[each];"""
    attributes = 'language="en" area="Ångtorget" view="days" stars'
    page = show(visit, code, attributes, frames=True, before=lambda page: page.add_init_script(script))
    expect(parts(page, "tab").first).to_have_attribute("aria-pressed", "true")
    expect(parts(page, "star").first).to_have_attribute("aria-label", re.compile("^Save in my programme: "))
    expect(parts(page, "all").locator("a")).to_have_attribute("href", re.compile(r"[?&]area="))
    expect(page.locator(ELEMENT).locator("[part=times]").first).to_have_css("font-weight", "650")


def test_days_are_tabs_with_the_list_of_the_chosen_one(visit, code):
    page = show(visit, code, 'language="en" view="days"')
    tabs, headings = parts(page, "tab"), parts(page, "heading")
    days = ["Wed 29 Jul", "Thu 30 Jul", "Fri 31 Jul", "Sat 1 Aug", "Sun 25 Oct", "Fri 1 Jan 2027"]
    expect(tabs).to_have_text(days)
    expect(headings).to_have_text(["Wednesday 29 July"])
    page.get_by_role("button", name="Thu 30 Jul").click()
    expect(headings).to_have_text(["Thursday 30 July"])
    assert tabs.evaluate_all("all => all.map(each => each.ariaPressed)").index("true") == 1
    assert rows(page)[1:] == [
        rf'16:00–17:00 {JAZZ_TITLE} Changed: Ny sal: "Sal 2" <nu> Biblioteket, Källaren'
    ]
    assert parts(page, "all").locator("a").get_attribute("href") == f"{code.base_url}/en/?during=2026-07-30"
    assert looks(parts(page, "link").first)[0] == "rgb(0, 100, 0)"
    assert barriers(page) == []


@pytest.mark.parametrize("width", [390, 1200])
def test_a_timetable_is_a_grid_by_place_where_there_is_room_and_else_a_list(visit, code, width):
    page = show(visit, code, 'language="sv" view="timetable"')
    page.set_viewport_size({"width": width, "height": 900})
    headings, items = parts(page, "heading"), parts(page, "occasion")
    assert headings.count() > 2
    tops = headings.evaluate_all("all => all.map(each => each.getBoundingClientRect().bottom)")
    assert (len({*map(round, tops)}) == 1) == (width == 1200)
    boxes = items.evaluate_all(
        "all => all.map(each => [each.querySelector('time').dateTime, each.getBoundingClientRect().top])"
    )
    if width == 1200:
        # What begins later is lower.
        assert [top for _, top in sorted(boxes)] == sorted(top for _, top in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert barriers(page) == []


def test_now_is_what_is_on_and_what_is_next(visit, code):
    page = show(visit, code, 'language="sv" view="now" limit="2"')
    expect(parts(page, "heading")).to_have_text(["Just nu", "Härnäst"])
    day = page.locator(f"{ELEMENT} >> [part=day]")
    begun = day.nth(0).locator("time").evaluate_all("all => all.map(each => each.dateTime)")
    ahead = day.nth(1).locator("time").evaluate_all("all => all.map(each => each.dateTime)")
    assert (len(ahead), max(begun) <= "2026-07-29T14:00:00" < min(ahead)) == (2, True)
    expect(parts(page, "all")).to_contain_text("till)")
    assert barriers(page) == []


def test_what_has_gone_on_for_days_comes_after_all_else_and_what_is_over_not_at_all(visit, code):
    occasions = models.Occasion.objects
    occasions.filter(id=8013).update(start=utc(2026, 7, 27, 8), end=utc(2026, 8, 1, 16))
    occasions.filter(id=8016).update(start=utc(2026, 7, 29, 8), end=utc(2026, 7, 29, 9))
    page = show(visit, code, 'language="en" limit="2"')
    headings, times = parts(page, "heading"), parts(page, "times")
    expect(headings).to_have_text(["Wednesday 29 July"])
    expect(times).to_have_text(["14:00–14:30", "16:00–17:00"])
    long = "Mon 27 Jul 10:00–Sat 1 Aug 18:00"
    for view in ("list", "days", "now"):
        page.locator(ELEMENT).evaluate(
            "(each, view) => { each.setAttribute('limit', '20'); each.setAttribute('view', view) }", view
        )
        expect(times.last).to_have_text(long)
        expect(headings.last).to_have_text("Long-running")
        assert "10:00–11:00" not in times.all_inner_texts()


@pytest.mark.parametrize(
    ("attributes", "heading", "times"),
    [
        ('date="2026-07-30"', "torsdag 30 juli", ["16:00–17:00"]),
        ('date="Tomorrow"', "torsdag 30 juli", ["16:00–17:00"]),
        ('date="2026-07-30" after="17"', None, []),
        ('view="days"', "torsdag 30 juli", ["16:00–17:00"]),
        ('view="timetable"', "Biblioteket, Källaren", ["16:00–17:00"]),
        # Where the heading is no day, the times say it.
        ('view="timetable" date="2026-07-29/2026-07-30"', "Biblioteket, Källaren", ["imorgon 16:00–17:00"]),
        ('view="now"', "Härnäst", ["imorgon 16:00–17:00"]),
    ],
)
def test_a_day_has_what_goes_on_though_it_began_before(visit, code, attributes, heading, times):
    models.Occasion.objects.filter(id=8013).update(start=utc(2026, 7, 28, 15), end=utc(2026, 7, 30, 16))
    page = show(visit, code, f'query="occation=8002.8013" language="sv" {attributes}')
    if attributes in {'view="days"', 'view="timetable"'}:
        page.get_by_role("button", name="tors 30 juli").click()
    headings = [each for each in (heading, "Pågår länge") if each]
    expect(parts(page, "heading")).to_have_text(headings)
    expect(parts(page, "times")).to_have_text([*times, "igår 17:00–imorgon 18:00"])


def test_a_timetable_has_the_whole_day_and_opens_at_what_is_next(visit, code):
    model = models.Occasion.objects.get(id=8013)
    for number in range(220):
        begun = utc(2026, 7, 29, 4 + number // 20)
        models.Occasion(event_id=model.event_id, start=begun, end=begun + timedelta(minutes=50)).save()
    page = show(visit, code, 'language="sv" view="timetable"')
    page.set_viewport_size({"width": 1200, "height": 900})
    page.reload()
    expect(parts(page, "times").filter(has_text="06:00–06:50")).to_have_count(20)
    assert parts(page, "occasion").count() > 220
    grid = parts(page, "days").bounding_box()
    ahead = parts(page, "occasion").filter(has_text="14:00–14:").first
    expect(ahead).to_be_in_viewport()
    top = ahead.bounding_box()["y"] - grid["y"]
    assert 0 < top < 200
    assert grid["height"] < 900
    assert barriers(page) == []


def test_visitors_search_and_choose_within_what_the_website_shows(visit, code):
    models.Event.objects.filter(id=JAZZ).update(free="true")
    page = show(visit, code, 'language="en" view="days" search filters')
    field, area = page.get_by_role("searchbox"), page.get_by_role("combobox", name="Area")
    assert barriers(page) == []
    # What is searched for may be on any day.
    field.fill("jazz")
    days = ["Wednesday 29 July", "Thursday 30 July", "Saturday 1 August", "Sunday 25 October"]
    expect(parts(page, "heading")).to_have_text(days)
    expect(parts(page, "tabs")).to_be_hidden()
    field.fill("jazz nowhere")
    expect(parts(page, "status")).to_have_text("Nothing in the programme matches this.")
    field.fill("")
    expect(parts(page, "tab").first).to_be_visible()
    area.select_option("Ångtorget")
    page.get_by_role("checkbox", name="Free").check()
    expect(parts(page, "link")).to_have_text([JAZZ_TITLE, "The whole programme"])
    link = parts(page, "all").locator("a").get_attribute("href")
    assert link == f"{code.base_url}/en/?area=%C3%85ngtorget&free=true&during=2026-07-29"
    # What the website has chosen nobody else chooses.
    page.locator(ELEMENT).evaluate(
        "each => { each.setAttribute('area', 'Ångtorget'); each.setAttribute('free', '') }"
    )
    expect(area).to_have_count(0)
    expect(page.get_by_role("checkbox", name="Free")).to_have_count(0)
    expect(page.get_by_role("checkbox", name="For children")).to_be_visible()


def test_pages_of_one_site_share_the_stars_of_my_programme(visit, code):
    page = show(visit, code, 'language="en" stars', frames=True)
    # The frame has answered.
    page.wait_for_function("() => frames.length && frames[0]")
    page.frames[1].wait_for_load_state()
    star = page.get_by_role("button", name=f"Save in my programme: {JAZZ_TITLE}").first
    number = star.get_attribute("value")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    mine = page.get_by_role("link", name="My programme (1)")
    expect(mine).to_have_attribute("href", f"{code.base_url}/en/my-programme")
    assert barriers(page) == []
    other = page.context.new_page()
    other.goto(f"{code.base_url}/en/occasion/{number}")
    assert other.evaluate("localStorage['my-programme']") == f"[{number}]"
    other.evaluate("localStorage.setItem('my-programme', '[]')")
    expect(star).to_have_attribute("aria-pressed", "false")
    expect(mine).to_have_count(0)


def test_on_another_site_a_link_hands_its_stars_over(visit, code, publish):
    page = show(visit, code, 'language="sv" stars', frames=True)
    page.goto(publish.url.replace("localhost", "127.0.0.1"))
    star = parts(page, "star").first
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    number = star.get_attribute("value")
    link = page.get_by_role("link", name="Mitt program (1)")
    expect(link).to_have_attribute("href", f"{code.base_url}/mitt-program?occation={number}")
    page.reload()
    expect(star).to_have_attribute("aria-pressed", "true")
    page.goto(f"{code.base_url}/mitt-program?occation={number}")
    page.get_by_role("button", name="Spara alla").click()
    assert page.evaluate("localStorage['my-programme']") == f"[{number}]"


def test_the_page_that_shows_what_it_can_is_readable_by_all(window, site):
    page = window(viewport=PHONE)
    page.clock.set_fixed_time(NOW)
    page.goto(f"{site}/en/developers/element")
    expect(parts(page, "heading").first).to_be_visible()
    expect(parts(page, "tabs").nth(4)).to_be_visible()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


# --- In a frame


def test_a_frame_becomes_as_tall_as_its_list_and_heeds_no_other_message(visit, code):
    page = visit(code.frame, f"{code.frame_policy}; style-src-attr 'none'")
    frame = page.locator("iframe")
    content = page.frame_locator("iframe").locator("body")
    # Lazy frames do not hold up their page.
    content.wait_for()
    page.frames[1].wait_for_load_state()
    tall = content.evaluate("each => Math.ceil(each.getBoundingClientRect().height)")
    expect(frame).to_have_attribute("height", str(tall))
    assert tall > 600
    page.evaluate("postMessage({message: 'height', value: 7}, '*')")
    content.evaluate(
        "() => { for (const value of ['8', {}, NaN, 9.5]) parent.postMessage({message: 'height', value}, '*') }"
    )
    content.evaluate("() => parent.postMessage({message: 'height', value: 1e9}, '*')")
    expect(frame).to_have_attribute("height", "20000")


def pixel(page, locator):
    """Return the colour of a corner of a picture of an element."""
    picture = Image.open(BytesIO(locator.screenshot()))
    return picture.convert("RGB").getpixel((3, 3))


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light page", "dark page"])
def test_a_frame_shows_the_ground_of_the_page_and_is_readable_on_it(visit, code, colors):
    page = visit(code.frame, code.frame_policy, colors)
    content = page.frame_locator("iframe").locator("body")
    expect(content).to_have_css("text-shadow", "none")
    paper = tuple(bytes.fromhex(colors[0].removeprefix("#")))
    assert pixel(page, page.locator("iframe")) == paper
    # The ink of the page, as light or dark as it.
    scheme = {LIGHT: "light", DARK: "dark"}[colors]
    expect(content).to_have_css("color-scheme", scheme)
    inks = {LIGHT: "color(srgb 0.133333 0.133333 0.133333)", DARK: "color(srgb 0.933333 0.933333 0.933333)"}
    expect(content).to_have_css("color", inks[colors])


@pytest.mark.parametrize("query", ["", "?ink=eeeeee"])
def test_a_frame_without_its_script_has_a_ground_of_its_own_unless_an_ink_is_chosen(visit, code, query):
    frame = f'<iframe title="Program" frameborder="0" src="{code.base_url}/lista{query}"></iframe>'
    # On a dark page, the visitor's device being light.
    page = visit(frame, f"frame-src {code.base_url}", DARK)
    content = page.frame_locator("iframe").locator("body")
    ground = "rgba(0, 0, 0, 0)" if query else "rgb(251, 250, 247)"
    expect(content).to_have_css("background-color", ground)
    expect(content).to_have_css("text-shadow", "none")
    red, *_ = pixel(page, page.locator("iframe"))
    assert (red < 0x30) == bool(query)


# The frame as WordPress 6.1 writes it, and what its wp-embed.js does.
WORDPRESS = """<script>
window.heard = [];
addEventListener("message", ({{data, source}}) => {{
  const frame = document.querySelector("iframe");
  if (source !== frame.contentWindow) return;
  window.heard.push(data);
  frame.removeAttribute("style");
}});
</script>
<iframe class="wp-embedded-content" sandbox="allow-scripts" security="restricted"
  style="position: absolute; clip: rect(1px, 1px, 1px, 1px);" title="Program" src="{url}#?secret=Xa1"
  data-secret="Xa1" width="500" height="200" frameborder="0"></iframe>"""


def test_in_the_sandbox_of_wordpress_it_tells_its_height_and_leaves_links_to_the_page(visit, code):
    url = f"{code.base_url}/lista?occation=8001"
    page = visit(
        WORDPRESS.format(url=url), f"frame-src {code.base_url}; script-src 'unsafe-inline' 'unsafe-eval'"
    )
    page.wait_for_function("window.heard.length")
    height = (
        page.frame_locator("iframe").locator("body").evaluate("each => each.getBoundingClientRect().height")
    )
    page.evaluate("frames[0].postMessage({message: 'ready', secret: 'Xa1'}, '*')")
    page.frame_locator("iframe").locator("main a").first.click()
    page.wait_for_function("window.heard.at(-1).message === 'link'")
    said = page.evaluate("window.heard")
    message = {"message": "height", "value": math.ceil(height), "secret": "Xa1"}
    assert said[-2:] == [
        message,
        {"message": "link", "value": f"{code.base_url}/tillfalle/8001", "secret": "Xa1"},
    ]
    assert len(page.context.pages) == 1


# --- By the website's server


def test_an_included_list_takes_the_looks_of_the_page(visit, code, client):
    included = (
        f'<link rel="stylesheet" href="{code.base_url}/lista.css">'
        + client.get("/lista.html").content.decode()
    )
    page = visit(included, f"style-src 'unsafe-inline' {code.base_url}", DARK)
    for part in ("h2", "strong", "a", "p", "em"):
        assert (part, looks(page.locator(f".event-list {part}").first)) == (part, [DARK[1], "Georgia, serif"])
    assert page.complaints == []
    assert barriers(page) == []
