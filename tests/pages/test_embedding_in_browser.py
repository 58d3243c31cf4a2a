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


# --- As an element, on a page that resets everything


HOSTILE = """<style>* { all: revert; margin: 0; list-style: square; letter-spacing: 0.1em }
button, input, select { display: block !important; background: hotpink !important; border: 5px dashed red !important }
a { color: rgb(0, 100, 0) }</style>"""
LIST = "**/*list*.html*"


def parts(page, name):
    return page.locator(f"{ELEMENT} >> [part~={name}]")


@pytest.fixture
def show(visit, code):
    def open_element(attributes, *, frames=False, **options):
        element = HOSTILE + code.write_element().replace(' language="sv"', f" {attributes}")
        policy = code.element_policy + (f"; frame-src {code.base_url}" if frames else "")
        page = visit(element, policy, **options)
        expect(parts(page, "all")).to_be_visible()
        return page

    return open_element


def change(page, **attributes):
    page.locator(ELEMENT).evaluate(
        "(each, all) => { for (const [name, value] of all) each.setAttribute(name, value) }",
        [*attributes.items()],
    )


def test_the_element_takes_the_looks_of_the_page_within_its_policy(visit, code):
    # Where strings may not become nodes, but by what the website names.
    policy = f"{code.element_policy}; require-trusted-types-for 'script'; trusted-types festival-programme"
    page = visit(code.write_element(), policy, DARK)
    expect(parts(page, "times").first).to_have_text("14:00–14:30")
    for part in ("heading", "times", "link", "note", "place"):
        assert looks(parts(page, part).first) == [DARK[1], "Georgia, serif"]
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    # What the page sets wins, and so do its links.
    page.add_style_tag(
        content="festival-programme { --festival-accent: #ff0000; --festival-font: monospace }"
    )
    assert looks(parts(page, "link").first) == ["rgb(255, 0, 0)", "monospace"]


@pytest.mark.parametrize("attributes", ["", 'view="days"', 'view="timetable"', 'view="now"', 'free date="x"'])
def test_it_shows_what_the_frame_shows(show, code, attributes):
    page = show(f'language="en" {attributes} search filters')
    text = "each => each.innerText.replace(/\\s+/g, ' ').trim()"
    shown = page.locator(f"{ELEMENT} >> .event-list").evaluate(text)
    links = parts(page, "link").evaluate_all("all => all.map(each => each.href)")
    assert barriers(page) == []
    page.complaints.clear()
    page.goto(f"{code.base_url}/en/list?{attributes.replace(' ', '&').replace(chr(34), '')}&search&filters")
    page.evaluate("document.querySelector('h1').remove()")
    assert shown == page.locator("main").evaluate(text)
    assert links == page.locator(".link").evaluate_all("all => all.map(each => each.href)")
    page.complaints.clear()


def test_without_the_service_it_shows_what_it_had_and_says_so(show):
    page = show('language="sv"')
    shown = parts(page, "days").or_(parts(page, "day")).all_inner_texts()
    said = re.compile(
        r"^Programmet kan inte hämtas just nu\. Så här såg det ut onsdag 29 juli 2026 .*14:00\.$"
    )
    page.route(LIST, lambda route: route.fulfill(status=503))
    page.evaluate(COME_ONLINE)
    expect(parts(page, "status")).to_have_text(said)
    page.reload()
    expect(parts(page, "status")).to_have_text(said)
    assert parts(page, "day").all_inner_texts() == shown
    assert barriers(page) == []
    # It comes back by itself. A page of something else, as before a network lets one in, is none of ours.
    page.unroute(LIST)
    page.evaluate(COME_ONLINE)
    expect(parts(page, "status")).to_have_text("")
    headers = {"Access-Control-Allow-Origin": "*"}
    page.route(LIST, lambda route: route.fulfill(body="<h1>Log in</h1>", headers=headers))
    page.evaluate(COME_ONLINE)
    expect(parts(page, "status")).to_have_text(said)
    # One may refuse to store.
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error() }})")
    page.unroute(LIST)
    page.reload()
    expect(parts(page, "heading").first).to_be_visible()
    page.route(LIST, lambda route: route.fulfill(status=503))
    with page.expect_console_message(lambda said: said.type == "warning"):
        page.reload()
    expect(page.get_by_role("link", name="Kulturnatten")).to_be_visible()
    page.complaints.clear()


def test_it_leaves_the_website_room_in_its_storage(show):
    page = show('language="sv"')
    stored = "Object.keys(JSON.parse(localStorage['festival-programme']))"
    for limit in range(1, 10):
        change(page, limit=limit)
        page.wait_for_function(f"() => {stored}.some(each => each.endsWith('limit={limit}'))")
    kept = page.evaluate(stored)
    assert sorted(each.partition("limit=")[2] for each in kept) == [*"23456789"]
    # Another may have written there.
    page.evaluate("localStorage.setItem('festival-programme', '{')")
    page.reload()
    expect(parts(page, "heading").first).to_be_visible()


def test_it_changes_only_what_has_changed(show):
    page = show('language="sv"')
    link = parts(page, "link").filter(has_text="Only in English")
    link.focus()
    page.evaluate(WATCH)
    with page.expect_response(LIST):
        page.evaluate(COME_ONLINE)
    models.Event.objects.filter(id=ABROAD).update(title="Renamed")
    models.Occasion.objects.filter(id=8015).delete()
    page.evaluate(COME_ONLINE)
    expect(parts(page, "link").filter(has_text="Renamed")).to_be_focused()
    # One text became another, and one occasion went, with the blanks before it.
    assert sorted(page.evaluate("window.touched")) == ["#text", "P"]


def test_nothing_in_it_runs(show):
    evil = """<div class="event-list" lang="sv" data-away=""><p class="status"></p><script>window.ran = 1</script>
    <p class="all" onclick="window.ran = 2">Hit</p><img src="x:" onerror="window.ran = 3"></div>"""

    def falsify(route):
        route.fulfill(body=evil, headers={"Access-Control-Allow-Origin": "*"})

    page = show('language="sv"', bypass_csp=True, before=lambda page: page.route(LIST, falsify))
    parts(page, "all").click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None
    page.complaints.clear()


def test_it_works_in_a_browser_of_some_years_ago(show):
    script = """delete window.CSSStyleSheet; delete window.trustedTypes; delete URLSearchParams.prototype.size;
    for (const each of ['ariaLabel', 'ariaPressed']) delete Element.prototype[each];"""
    attributes = 'language="en" area="Ångtorget" view="days" stars'
    page = show(attributes, frames=True, before=lambda page: page.add_init_script(script))
    expect(parts(page, "tab").first).to_have_attribute("aria-current", "date")
    expect(parts(page, "star").first).to_have_attribute("aria-label", re.compile("^Save in my programme: "))
    expect(parts(page, "times").first).to_have_css("font-weight", "650")


def test_days_are_tabs_with_the_list_of_the_chosen_one(show, code):
    page = show('language="en" view="days"')
    tabs, headings = parts(page, "tab"), parts(page, "heading")
    days = ["today 29 Jul", "Thu 30 Jul", "Fri 31 Jul", "Sat 1 Aug", "Sun 25 Oct", "Fri 1 Jan 2027"]
    expect(tabs).to_have_text(days)
    expect(headings).to_have_text(["Wednesday 29 July"])
    tabs.nth(1).click()
    expect(headings).to_have_text(["Thursday 30 July"])
    expect(tabs.nth(1)).to_be_focused()
    expect(tabs.nth(1)).to_have_attribute("aria-current", "date")
    expect(parts(page, "times")).to_have_text(["16:00–17:00"])
    assert parts(page, "all").locator("a").get_attribute("href") == f"{code.base_url}/en/?during=2026-07-30"
    assert looks(parts(page, "link").first)[0] == "rgb(0, 100, 0)"
    assert barriers(page) == []
    # What the visitor chose is followed, and shown while the service is away.
    models.Occasion.objects.filter(id=8002).update(start=utc(2026, 7, 30, 14, 30))
    page.evaluate(COME_ONLINE)
    expect(parts(page, "times")).to_have_text(["16:30–17:00"])
    # The link is that of a page of its own.
    page.goto(tabs.nth(1).get_attribute("href"))
    expect(page.locator("h2")).to_have_text("Thursday 30 July")


@pytest.mark.parametrize("width", [390, 690, 1200])
def test_a_timetable_is_a_grid_by_place_where_there_is_room_and_else_a_list(show, width):
    page = show('language="sv" view="timetable"')
    page.set_viewport_size({"width": width, "height": 900})
    headings, rows = parts(page, "heading"), parts(page, "occasion")
    assert headings.count() > 2
    box = "all => all.map(each => [each.innerText.slice(0, 5), each.getBoundingClientRect().top])"
    tops = [top for _text, top in parts(page, "column").locator("h2").evaluate_all(box)]
    assert (len({*map(round, tops)}) == 1) == (width == 1200)
    if width == 1200:
        # What begins in a later hour is lower.
        boxes = sorted(parts(page, "column").locator("p").evaluate_all(box))
        assert [top for _, top in boxes] == sorted(top for _, top in boxes)
    assert rows.count() > 4
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert barriers(page) == []


def test_a_timetable_has_the_whole_day_and_opens_at_what_is_next(show):
    model = models.Occasion.objects.get(id=8013)
    for number in range(220):
        begun = utc(2026, 7, 29, 4 + number // 20)
        models.Occasion(event_id=model.event_id, start=begun, end=begun + timedelta(minutes=50)).save()
    page = show('language="sv" view="timetable"')
    page.set_viewport_size({"width": 1200, "height": 900})
    page.reload()
    expect(parts(page, "times").filter(has_text="06:00–06:50")).to_have_count(20)
    grid = parts(page, "timetable").bounding_box()
    ahead = parts(page, "occasion").filter(has_text="14:00–14:").first
    expect(ahead).to_be_in_viewport()
    assert 0 < ahead.bounding_box()["y"] - grid["y"] < 200
    assert grid["height"] < 900
    assert barriers(page) == []


def test_visitors_search_and_choose_within_what_the_website_shows(show, code):
    models.Event.objects.filter(id=JAZZ).update(free="true")
    page = show('language="en" view="days" search filters')
    field, area = page.get_by_role("searchbox"), page.get_by_role("combobox", name="Area")
    # What is searched for may be on any day; what is typed stays.
    field.press_sequentially("jazz")
    days = ["Wednesday 29 July", "Thursday 30 July", "Saturday 1 August", "Sunday 25 October"]
    expect(parts(page, "heading")).to_have_text(days)
    expect(field).to_be_focused()
    expect(parts(page, "tabs")).to_have_count(0)
    expect(parts(page, "status")).to_have_text(re.compile(r"^\s*\d events\s*$"))
    field.press_sequentially(" nowhere")
    nothing = page.get_by_text("Nothing in the programme matches this.")
    expect(parts(page, "day").or_(nothing)).to_have_count(1)
    field.fill("")
    field.press("Enter")
    expect(parts(page, "tab").first).to_be_visible()
    area.select_option("Ångtorget")
    page.get_by_role("checkbox", name="Free").check()
    expect(parts(page, "occasion").locator("a")).to_have_text([JAZZ_TITLE])
    expect(page.get_by_role("checkbox", name="Free")).to_be_checked()
    link = parts(page, "all").locator("a").get_attribute("href")
    assert link == f"{code.base_url}/en/?during=2026-07-29&area=%C3%85ngtorget&free=true"
    parts(page, "tab").nth(1).click()
    expect(parts(page, "heading")).to_have_text(["Thursday 30 July"])
    expect(area).to_have_value("Ångtorget")
    # What the website has chosen nobody else chooses.
    change(page, area="Ångtorget", free="", filters="area free highlighted")
    expect(area).to_have_count(0)
    expect(page.get_by_role("checkbox")).to_have_count(1)


def test_pages_of_one_site_share_the_stars_of_my_programme(show, code):
    page = show('language="en" stars', frames=True)
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


def test_on_another_site_a_link_hands_its_stars_over(show, code, publish):
    page = show('language="sv" stars', frames=True)
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
    expect(parts(page, "all")).to_have_count(7)
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
    content = page.frame_locator("iframe")
    height = content.locator("body").evaluate("each => each.getBoundingClientRect().height")
    page.evaluate("frames[0].postMessage({message: 'ready', secret: 'Xa1'}, '*')")
    content.locator("main a").first.click()
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
