"""A day of six hundred occasions: all of it on one page and on paper, and no slower than a short one."""

import re
import shutil
import subprocess
from itertools import combinations

import pytest
from playwright.sync_api import expect

from programme import models
from programme.publishing.current import current
from tests.browser import DESKTOP, PHONE, in_a_browser
from tests.programmes import utc

pytestmark = in_a_browser

COUNT = 600
DAY = "2026-08-15"
TITLES = {f"Konsert {number:03}" for number in range(COUNT)}
OBSERVE = """() => {
  window.shifts = [];
  new PerformanceObserver(list => list.getEntries()
    .filter(each => !each.hadRecentInput).forEach(each => window.shifts.push(each.value)))
    .observe({type: 'layout-shift', buffered: true});
}"""


@pytest.fixture
def site(transactional_db, sample, at, live_server, settings):
    """Sixteen hours, each with many occasions, whose titles are of very different length."""
    settings.BASE_URL = live_server.url
    settings.CACHE_SECONDS = 0
    kind, area = models.EventType.objects.get(id=4001), models.Area.objects.first()
    events = models.Event.objects.bulk_create(
        models.Event(
            title=f"{title}{' med en körsång för alla' * (number * 7 % 6)}",
            area=area,
            type=kind,
            status=models.Status.PUBLISHED,
        )
        for number, title in enumerate(sorted(TITLES))
    )
    models.Occasion.objects.bulk_create(
        models.Occasion(event=event, start=start, end=start.replace(minute=59))
        for number, event in enumerate(events)
        for start in [utc(2026, 8, 15, 5 + number * 16 // COUNT, number % 7 * 5)]
    )
    current.clear()
    return live_server.url


@pytest.fixture
def page(browser, site):
    context = browser.new_context(viewport=PHONE, base_url=site)
    page = context.new_page()
    page.add_init_script(f"({OBSERVE})()")
    yield page
    context.close()


def opened(page):
    page.goto(f"/?date={DAY}", wait_until="networkidle")
    expect(page.locator(".dayhead .size")).to_have_text(f"{COUNT} programpunkter")


def read_pdf(page, path):
    if not shutil.which("pdftotext"):
        pytest.skip("pdftotext is not installed (Debian: poppler-utils)")
    page.pdf(path=path, format="A4")
    return subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout


def find_overprinted(path):
    """Return the words of a PDF that stand on others."""
    written = subprocess.run(
        ["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True
    ).stdout
    found = []
    for sheet in written.split("<page ")[1:]:
        words = [
            (*map(float, edges), word)
            for *edges, word in re.findall(
                r'xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)</word', sheet
            )
        ]
        found += [
            (one[4], other[4])
            for one, other in combinations(words, 2)
            if min(one[2], other[2]) - max(one[0], other[0]) > 1
            and min(one[3], other[3]) - max(one[1], other[1]) > 4
        ]
    return found


def test_the_printed_day_has_as_many_entries_as_its_heading_says(page, at, tmp_path):
    # Half of it is over.
    at(utc(2026, 8, 15, 12, 30))
    current.clear()
    opened(page)
    written = read_pdf(page, tmp_path / "day.pdf")
    assert re.findall(r"(\d+) programpunkter", written)[0] == str(COUNT)
    found = re.findall(r"Konsert \d{3}", written)
    assert (len(found), set(found)) == (COUNT, TITLES)
    assert len(re.findall(r"\d\d:\d\d–\d\d:\d\d", written)) == COUNT
    assert find_overprinted(tmp_path / "day.pdf") == []


def test_the_links_to_hours_reach_the_end_and_nothing_shifts(page):
    opened(page)
    links = page.locator("nav.hours a")
    assert links.all_inner_texts() == [f"{hour:02}" for hour in range(7, 23)]
    for number in (8, 15, 3, 14, 0):
        link = links.nth(number)
        link.click()
        anchor = page.locator(link.get_attribute("href").replace("#", "[id='") + "']")
        # Below the links, which stay in sight.
        page.wait_for_function(
            "each => Math.abs(each.getBoundingClientRect().top - 56) < 4", arg=anchor.element_handle()
        )
    page.evaluate(
        "async () => { for (let y = 0; y < document.documentElement.scrollHeight; y += 300) {"
        " scrollTo({top: y, behavior: 'instant'}); await new Promise(requestAnimationFrame); } }"
    )
    expect(page.locator(".slots .o").last).to_be_in_viewport()
    assert page.evaluate("shifts") == []
    # The hour that is read is marked among them.
    marked = page.locator("nav.hours [aria-current]")
    for number in (12, 3):
        page.locator(".slots .slot[id]").nth(number).evaluate("each => scrollTo(0, each.offsetTop + 40)")
        expect(marked).to_have_text(f"{7 + number:02}")
        expect(marked).to_be_in_viewport(ratio=1)
    expect(marked).to_have_count(1)


def test_long_events_are_folded_on_phones_and_beside_the_hours_on_desks(page):
    event = models.Event.objects.get(title__startswith="Konsert 300")
    models.Occasion.objects.filter(event=event).update(end=utc(2026, 8, 15, 23))
    current.clear()
    opened(page)
    row = page.locator(".long .o")
    expect(row).to_have_count(1)
    expect(row).to_be_hidden()
    page.locator(".long summary").click()
    expect(row).to_be_visible()
    page.set_viewport_size(DESKTOP)
    opened(page)
    expect(row).to_be_visible()
    page.locator("nav.hours a").nth(9).click()
    expect(row).to_be_in_viewport()
    first = page.locator(".slots .o").first.bounding_box()
    assert first["x"] + first["width"] < row.bounding_box()["x"]
    assert page.evaluate("shifts") == []


AREAS, ROOMS, HOURS = 5, 6, 8
DESK = {"width": 1366, "height": 768}


@pytest.fixture
def busy(transactional_db, sample, at, live_server, settings):
    """A day on which an occasion begins in each of 30 rooms at each of eight hours."""
    settings.CACHE_SECONDS = 0
    kind = models.EventType.objects.get(id=4001)
    for number in range(AREAS):
        area = models.Area.objects.create(name=f"Område {number}", color="#aa0000", sort_order=9)
        location = models.Location.objects.create(name=f"Kulturhuset {number}")
        for room in range(ROOMS):
            room = models.Room.objects.create(location=location, name=f"Scen {room}")  # noqa: PLW2901
            _fill(room, area, kind)
    current.clear()
    return f"{live_server.url}/?view=grid&date={DAY}"


def _fill(room, area, kind):
    for hour in range(HOURS):
        event = models.Event.objects.create(
            title=f"Riksspelmansstämma {hour} för alla som spelar i {room}, med dans och kaffe efteråt",
            area=area,
            type=kind,
            status=models.Status.PUBLISHED,
        )
        start = utc(2026, 8, 15, 8 + hour, 30)
        models.Occasion.objects.create(
            event=event, start=start, end=start.replace(minute=35), location=room.location, room=room
        )


@pytest.fixture
def open_timetable(browser, busy):
    opened = []

    def open_timetable(now=None, size=DESK, **options):
        context = browser.new_context(viewport=size, service_workers="block", **options)
        opened.append(context)
        page = context.new_page()
        if now:
            page.clock.install(time=now)
        page.goto(busy)
        return page

    yield open_timetable
    for context in opened:
        context.close()


def in_sight(page, selector):
    """Return how many of them are wholly within the timetable, beside its hours."""
    return page.evaluate(
        """selector => {
          const [grid, hours] = ['.grid', '.grid .hours'].map(each => document.querySelector(each).getBoundingClientRect());
          return [...document.querySelectorAll(selector)].map(each => each.getBoundingClientRect()).filter(
            each => each.left >= hours.right - 1 && each.right <= grid.right && each.top >= grid.top && each.bottom <= grid.bottom
          ).length;
        }""",
        selector,
    )


SIDEWAYS = "document.querySelector('.grid').scrollLeft"


def test_it_opens_at_what_is_next_from_the_first_place_on(at, open_timetable):
    last = models.Occasion.objects.order_by("id").last()
    models.Occasion.objects.filter(id=last.id).update(start=utc(2026, 8, 15, 12), end=utc(2026, 8, 15, 13))
    now = utc(2026, 8, 15, 11, 50)
    at(now)
    current.clear()
    page = open_timetable(now)
    grid, block = (page.locator(each).bounding_box() for each in (".grid", f"[data-o='{last.id}']"))
    assert grid["y"] < block["y"] < grid["y"] + grid["height"] - block["height"]
    assert page.evaluate(SIDEWAYS) == 0
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.grid')).getPropertyValue('--now')") == "230"
    )
    page.clock.run_for(61_000)
    assert page.evaluate("document.querySelector('.grid').style.getPropertyValue('--now')") == "231"
    # Before the day, at the first of it.
    early = utc(2026, 8, 14, 12)
    at(early)
    current.clear()
    page = open_timetable(early)
    assert page.evaluate(SIDEWAYS) == 0
    assert in_sight(page, ".grid section section:first-child .o:first-child") >= 1
    assert in_sight(page, ".grid h4") >= 8


def test_it_says_how_many_places_are_beyond_its_edge_and_leads_there(open_timetable):
    page = open_timetable(reduced_motion="reduce")
    further, every = page.locator(".grid .further"), AREAS * ROOMS
    shown = in_sight(page, ".grid h4")
    expect(further).to_have_text(f"{every - shown} till ›")
    while further.is_visible():
        before = page.evaluate(SIDEWAYS)
        further.click()
        page.wait_for_function(f"{SIDEWAYS} > {before}")
        page.wait_for_timeout(100)
    assert in_sight(page, ".grid section:last-of-type section:last-child h4") == 1
    page.get_by_text("Välj platser").click()
    page.get_by_role("checkbox", name="Alla platser").uncheck()
    page.get_by_role("checkbox", name="Område 1").check()
    expect(further).to_be_hidden()


def test_long_words_are_divided_and_short_occasions_can_be_read_and_touched(open_timetable):
    event = models.Event.objects.order_by("id").last()
    models.Event.objects.filter(id=event.id).update(title="Trädgårdsmästarteaterföreställning")
    current.clear()
    page = open_timetable()
    title = page.locator(".grid .o a", has_text="Trädgårds")
    assert title.evaluate("each => getComputedStyle(each).hyphens") == "auto"
    # This browser has no words to hyphenate by.
    assert title.inner_text().replace("\u00ad", "-") == "Trädgårdsmästar-tea-ter-fö-reställ-ning"
    title.hover(force=True)
    assert title.evaluate("each => each.clientHeight > 20 && each.scrollWidth <= each.clientWidth")
    cut, low = page.evaluate(
        """() => [
          [...document.querySelectorAll('.grid .o a')].filter(each => each.clientHeight < 2 * 15),
          [...document.querySelectorAll('.grid .o')].filter(each => each.clientHeight < 22 || each.clientWidth < 24),
        ].map(each => each.length)"""
    )
    assert (cut, low) == (0, 0)


def test_where_nothing_is_on_it_opens_at_the_next_one_below_a_low_head(at, open_timetable):
    occasions = models.Occasion.objects.order_by("-id")
    last, after = occasions[:2]
    occasions.filter(start__gte=utc(2026, 8, 15, 9)).exclude(id__in=[last.id, after.id]).delete()
    for each, hour in ((last, 12), (after, 21)):
        start = utc(2026, 8, 15, hour)
        occasions.filter(id=each.id).update(start=start, end=start.replace(minute=30))
    now = utc(2026, 8, 15, 9)
    at(now)
    current.clear()
    page = open_timetable(now)
    top, grid = (page.locator(each).bounding_box()["y"] for each in (f"[data-o='{last.id}']", ".grid"))
    assert grid < 430
    assert grid < top < grid + 200


def test_places_are_chosen_and_stay_so(open_timetable):
    event, place = models.Event.objects.first(), models.Location.objects.create(name="Ingen vald")
    start, end = utc(2026, 8, 16, 12), utc(2026, 8, 16, 13)
    models.Occasion.objects.create(event=event, location=place, start=start, end=end)
    current.clear()
    page = open_timetable()
    shown, size = page.locator(".grid .o:visible"), page.locator(".dayhead .size")
    everything = size.text_content()
    page.get_by_text("Välj platser").click()
    page.get_by_role("checkbox", name="Alla platser").uncheck()
    expect(shown).to_have_count(0)
    page.get_by_role("checkbox", name="Område 1").check()
    page.get_by_role("checkbox", name="Kulturhuset 1, Scen 2").uncheck()
    expect(shown).to_have_count((ROOMS - 1) * HOURS)
    page.reload()
    expect(shown).to_have_count((ROOMS - 1) * HOURS)
    expect(size).to_have_text(f"{(ROOMS - 1) * HOURS} av {everything}")
    summary = page.locator(".picking summary")
    expect(summary).to_have_text(f"Välj platser ({ROOMS - 1} av {AREAS * ROOMS})")
    # On another day, too, nothing else is shown.
    page.goto(page.url.replace("2026-08-15", "2026-08-16"))
    expect(summary).to_have_text("Välj platser (0 av 1)")
    expect(shown).to_have_count(0)


def test_on_a_phone_it_is_a_list_by_place_without_scripts_too(open_timetable):
    page = open_timetable(size=PHONE, java_script_enabled=False)
    expect(page.locator(".grid .o:visible")).to_have_count(AREAS * ROOMS * HOURS)
    first, second = (page.locator(".grid .o").nth(number).bounding_box() for number in (0, 1))
    assert (first["x"], first["width"]) == (second["x"], second["width"])
    assert first["y"] + first["height"] <= second["y"] + 1
    assert first["width"] > PHONE["width"] * 0.8
    assert page.locator(".hours").is_hidden()
    # By hour it is the list.
    page.get_by_role("link", name="Lista").click()
    expect(page.locator(".slots .o")).to_have_count(AREAS * ROOMS * HOURS)


def test_all_of_the_timetable_is_printed_on_sheets_that_are_full(open_timetable, tmp_path):
    page = open_timetable()
    written = read_pdf(page, tmp_path / "timetable.pdf")
    count = int(re.findall(r"(\d+) programpunkter", written)[0])
    assert count == AREAS * ROOMS * HOURS
    assert len(re.findall(r"\d\d:\d\d–\d\d:\d\d", written)) == count
    assert len(re.findall(r"Riksspelmansstämma", written.replace("\u00ad", ""))) == count
    *sheets, _last = written.split("\f")
    assert len(sheets) <= 8
    for number, sheet in enumerate(sheets, 1):
        assert re.search(f"{number} ?/ ?{len(sheets)}", sheet)
        assert "Kulturnatten i Åsunda" in sheet
        assert "lördag 15 augusti" in sheet
    rows = page.locator(".grid .o")
    page.emulate_media(media="print")
    assert (
        rows.evaluate_all("all => all.filter(each => getComputedStyle(each).breakInside !== 'avoid').length")
        == 0
    )
