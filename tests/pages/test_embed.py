"""The list that other websites frame or include: it alone may be framed, and it looks as they like."""

import re
from base64 import b64encode
from hashlib import sha256
from itertools import product

import pytest
from django.urls import get_resolver
from lxml import html

from feeds.selection import DateKeyword, Selection
from pages.embed import EmbeddingCode, build_attributes
from programme import models
from tests.conftest import NOW
from tests.pages.reading import opened, text, texts
from tests.programmes import utc

pytestmark = pytest.mark.usefixtures("sample", "at")

FRAMED = {"/lista", "/en/list"}
# It shows nothing.
STARS = "/embed/v1.html"
EXAMPLES = {"occasion_id": "8001"}


def addresses():
    """Return one path of every public page, from the addresses themselves."""
    for pattern in get_resolver("pages.urls").url_patterns:
        path = f"/{pattern.pattern}"
        for name, example in EXAMPLES.items():
            path = path.replace(f"<int:{name}>", example)
        yield path


def may_be_framed(response):
    policy = response.get("Content-Security-Policy", "")
    return "X-Frame-Options" not in response or "frame-ancestors *" in policy


def test_the_list_may_be_framed_and_nothing_else(client):
    every = {*addresses(), "/finns-inte", "/tillfalle/1", "/admin/login/", "/api/events.qx1", "/api/nowhere"}
    assert len(every) > 15
    assert {path for path in every if may_be_framed(client.get(path))} == {*FRAMED, STARS}


@pytest.mark.parametrize("path", sorted(FRAMED))
def test_what_a_cache_asks_again_may_be_framed_too(client, path):
    again = client.get(path, headers={"If-None-Match": client.get(path)["ETag"]})
    assert (again.status_code, "X-Frame-Options" in again) == (304, False)
    assert may_be_framed(client.get(f"{path}?date=soon"))


def test_the_frame_of_stars_is_for_pages_of_the_same_site(client):
    answers = {
        site: client.get(STARS, headers={"Sec-Fetch-Site": site})
        for site in ("same-origin", "same-site", "cross-site", "none")
    }
    assert {site: each.status_code for site, each in answers.items()} == {
        "same-origin": 200,
        "same-site": 200,
        "cross-site": 204,
        "none": 204,
    }
    assert client.get(STARS).status_code == 204
    assert {"Sec-Fetch-Site" in each["Vary"] for each in answers.values()} == {True}
    assert answers["same-site"]["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "other"),
    [("/utvecklare/element", "/en/developers/element"), ("/en/developers/element", "/utvecklare/element")],
)
def test_a_page_shows_what_the_element_can_with_the_code(client, path, other):
    page = opened(client, path)
    shown = [dict(each.attrib) for each in page.iter("festival-programme")]
    codes = [html.fragments_fromstring(each.strip())[1] for each in texts(page, "//textarea")]
    assert [each | {"level": "3"} for each in (dict(code.attrib) for code in codes)] == shown
    assert {name for each in shown for name in each} == {
        *("view", "search", "filters", "stars", "limit", "images", "highlighted", "language", "level")
    }
    assert [each["view"] for each in shown if "view" in each] == ["days", "timetable", "now", "days", "days"]
    assert {each["language"] for each in shown} == {page.get("lang")}
    assert page.xpath(f"//a[@href='{other}']")


FILTERS = (
    *(
        "",
        "area=ångtorget",
        "area=parken; norr, söder %26 \\mitt",
        "highlighted",
        "free=true",
        "location=5001",
    ),
    *("occation=8001.8004.8009.8013", "q=jazz&type=konsert", "list=12"),
)
DATES = ("during=2026-07-29", "date=tomorrow", "during=2026-07-31/2026-08-02", "during=2026-10-25", "")
# Of those that ask for no date, a page shows one day of some alone.
SELECTIONS = [
    "&".join(filter(None, each))
    for each in product(FILTERS, DATES)
    if each[1] or not each[0].startswith(("occation", "q"))
]
# In the afternoon; after midnight of a day that ends at 05:00; in the night in which the clock changes.
SEEN = [
    *(("list", "days", NOW, 0), ("grid", "timetable", NOW, 0), ("list", "days", utc(2026, 7, 29, 23, 15), 5)),
    *(("grid", "timetable", utc(2026, 7, 29, 23, 15), 5), ("list", "days", utc(2026, 10, 25, 0, 30), 0)),
    ("grid", "timetable", utc(2026, 10, 25, 1, 30), 5),
]

WORDS = ("strong", "a", "a/s", "em[not(contains(., 'Ändrat') or contains(., ':'))]", "span/bdi")


def find_rows(element, path):
    """Return the texts of rows by the numbers of their occasions, in order."""
    return {each.get("data-o"): text(each) for each in element.xpath(path)}


def read_day(page):
    """Return the rows of a page's list or timetable: first what begins, but for what is over today."""
    rows = {}
    for part in page.xpath("//section[@aria-labelledby='day']/*[self::div or self::ul]"):
        rows |= find_rows(part, ".//ol[@class='slots' or not(@class)]/li//@data-o/..")
        rows |= find_rows(part, "descendant-or-self::ul//@data-o/..")
    return rows


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("seen", SEEN)
def test_it_has_the_occasions_and_the_words_of_the_page(client, at, settings, seen):
    view, shown, moment, settings.FESTIVAL_DAY_FIRST_HOUR = seen
    # It began before a day and goes on in it; one begins and one ends after midnight.
    spans = {8013: ((28, 15), (31, 10)), 8015: ((29, 22), (30, 2)), 8016: ((30, 1), (30, 2))}
    for number, ends in spans.items():
        start, end = (utc(2026, 7, *each) for each in ends)
        models.Occasion.objects.filter(id=number).update(start=start, end=end)
    at(moment)
    listed = 0
    for selection in SELECTIONS:
        rows = read_day(opened(client, f"/?view={view}&{selection}"))
        framed = opened(client, f"/lista?view={shown}&{selection}")
        found = find_rows(framed, "//p[@data-o]")
        assert [*found] == [*rows], selection
        for each in framed.xpath("//p[@data-o]"):
            paths = ("strong", "a", "a/s") if each.xpath("ancestor::section[@class='column']") else WORDS
            words = [" ".join(word.split()) for path in paths for word in each.xpath(f"{path}/text()")]
            assert [word for word in words if word not in rows[each.get("data-o")]] == [], selection
        listed += len(found)
    assert (len(SELECTIONS), listed > 40) == (43, True)


def test_when_all_is_over_it_lists_all(client, at):
    every = len(opened(client, "/lista?during=2025-01-01/2030-01-01").xpath("//p/strong"))
    at(utc(2028, 1, 1))
    assert len(opened(client, "/lista").xpath("//p/strong")) == every == 16


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("query", "name", "path"),
    [
        ("list=12", "För familjer", "/lista/12/f%C3%B6r-familjer"),
        ("location=5002", "Nätet", "/plats/5002/n%C3%A4tet"),
    ],
)
def test_that_of_a_list_or_a_place_has_its_name_and_leads_to_its_page(client, query, name, path):
    page = opened(client, f"/lista?{query}")
    assert texts(page, "//h1 | //title") == [f"{name} – Kulturnatten i Åsunda", name]
    [link] = page.xpath("//p[@class='all']/a")
    assert (text(link), link.get("href")) == (name, path)
    assert opened(client, path).xpath("//h1")


def test_it_says_what_it_did_not_understand(client):
    response = client.get("/en/list?access=x&area=ångtorget")
    [notice] = html.fromstring(response.content).xpath("//main/div[@role='alert']")
    [text] = texts(notice, "p")
    assert text == "Something in the address cannot be understood, so here is the programme without it."
    assert (response.status_code, len(notice.xpath("ul/li"))) == (400, 1)
    assert not opened(client, "/en/list?area=ångtorget").xpath("//*[@role='alert']")


@pytest.mark.parametrize(("limit", "listed"), [("3", 3), ("0", 16), ("x", 16), ("999", 16)])
def test_a_website_limits_it(client, limit, listed):
    page = opened(client, f"/lista?during=2025-01-01/2030-01-01&limit={limit}")
    assert len(page.xpath("//p/strong")) == listed
    assert text(page.xpath("//p[@class='all']")[0]) == "Hela programmet" + " (13 till)" * (listed == 3)


def test_after_midnight_a_limit_leaves_what_is_on_and_drops_what_has_been_on_for_long(client, at):
    at(utc(2026, 7, 29, 22, 30))
    models.Occasion.objects.filter(id=8005).update(start=utc(2026, 7, 29, 6), end=utc(2026, 7, 29, 23))
    listed = "//section[@class='day']/*[@data-o]/@data-o"
    assert opened(client, "/lista?limit=2").xpath(listed) == ["8002", "8004"]
    assert opened(client, "/lista").xpath(listed)[:3] == ["8002", "8005", "8004"]


@pytest.mark.parametrize(
    ("framed", "fragment", "links_to"),
    [("/lista", "/lista.html", "/"), ("/en/list", "/en/list.html", "/en/")],
)
def test_servers_get_the_same_list_as_a_fragment_with_whole_addresses(client, framed, fragment, links_to):
    page = opened(client, f"{framed}?area=ångtorget")
    response = client.get(f"{fragment}?area=ångtorget")
    root = html.fragment_fromstring(response.content.decode())
    assert (root.tag, root.get("class"), root.get("lang")) == ("div", "event-list", page.get("lang"))
    assert texts(root, ".//h2 | .//p")[1:] == texts(page, "//main//*[self::h2 or self::p]")
    hrefs = root.xpath(".//a/@href")
    assert hrefs == [f"https://program.example{href}" for href in page.xpath("//main//a/@href")]
    assert hrefs[-1] == f"https://program.example{links_to}?area=%C3%85ngtorget"
    assert client.get(f"{fragment}?date=soon").status_code == 400


@pytest.mark.parametrize(
    ("query", "style"),
    [
        ("", []),
        (
            "accent=008080&paper=fff",
            [
                ".festival-frame { --festival-accent: #008080; --festival-paper: #ffffff; color-scheme: light; }"
            ],
        ),
        (
            "accent=ffff00&ink=ffff00&paper=ffffff",
            [
                ".festival-frame { --festival-accent: #7a7a0b; --festival-ink: #7a7a0b;"
                " --festival-paper: #ffffff; color-scheme: light; }"
            ],
        ),
        ("accent=%23008080", [".festival-frame { --festival-accent: #008080; }"]),
        (
            "ink=eee",
            [
                ":root { color-scheme: dark; } .festival-frame { --festival-ink: #eeeeee; --festival-paper: transparent; color-scheme: dark; }"
            ],
        ),
        ("accent=red;}body{display:none", []),
        ("ink=12345", []),
    ],
)
def test_its_colours_are_chosen_in_the_address(client, query, style):
    assert texts(opened(client, f"/lista?{query}"), "//style") == style


@pytest.mark.parametrize(
    ("query", "declared"),
    [
        ("", {"--festival-accent": "light-dark(#005f9e, #4a8dba)"}),
        (
            "ink=333333",
            {
                "--festival-ink": "#333333",
                "--festival-paper": "transparent",
                "color-scheme": "light",
                "--festival-accent": "light-dark(#005f9e, #4a8dba)",
            },
        ),
        ("accent=008080", {"--festival-accent": "#008080"}),
        (
            "paper=000",
            {"--festival-paper": "#000000", "color-scheme": "dark", "--festival-accent": "#2e7caf"},
        ),
    ],
)
@pytest.mark.parametrize("path", sorted(FRAMED))
def test_it_has_the_festival_s_colour_unless_the_address_chooses_another(client, path, query, declared):
    models.Festival.objects.update(color="#005f9e")
    (style,) = texts(opened(client, f"{path}?{query}"), "//style")
    rules = style.rpartition(".festival-frame {")[2].removesuffix("}").strip().strip(";")
    assert dict(each.strip().split(": ") for each in rules.split(";")) == declared


def test_its_style_sheet_uses_the_variables_that_it_documents(client):
    sheet = client.get("/lista.css")
    assert sheet["Content-Type"] == "text/css; charset=utf-8"
    documented, rules = sheet.content.decode().split("*/", 1)
    names = {word for word in documented.split() if word.startswith("--festival-")}
    assert len(names) == 7
    assert {name for name in names if f"var({name}" in rules} == names
    assert rules.count("var(--festival-") == sum(rules.count(f"var({name},") for name in names)


def test_on_other_websites_its_style_sheet_has_no_colour_and_no_font_of_its_own(client):
    sheet = client.get("/lista.css").content.decode()
    rules = sheet[: sheet.index(".festival-frame {")]
    assert re.findall(r"#[0-9a-f]{3,8}\b|light-dark|color-scheme|prefers-|sans-serif|\brem\b", rules) == []


BASE = "https://program.example"


def hash_of(source):
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def code(**selection):
    return EmbeddingCode(BASE, Selection(**selection), 'Natten: "A" & B')


@pytest.mark.parametrize(
    ("selection", "attributes"),
    [
        (Selection(), [("language", "sv")]),
        (
            Selection(moments=(DateKeyword.UPCOMING,), areas=('A & "B"',), language="en"),
            [("date", "upcoming"), ("area", 'A & "B"'), ("language", "en")],
        ),
        (
            Selection(areas=("Torget", "Ängen"), highlighted=True, chosen=(8001, 8002)),
            [
                *(("highlighted", "true"), ("occation", "8001.8002")),
                *(("query", "area=Torget&area=%C3%84ngen"), ("language", "sv")),
            ],
        ),
    ],
)
def test_parameters_are_attributes_and_repeated_ones_a_query(selection, attributes):
    assert build_attributes(selection) == attributes


def test_each_way_names_what_a_policy_must_allow():
    given = code()
    assert given.element_policy == f"script-src {BASE}; connect-src {BASE}; img-src https:"
    _, script = html.fragments_fromstring(given.frame)
    assert given.frame_policy == f"frame-src {BASE}; script-src {hash_of(script.text)}"
    _, style = html.fragments_fromstring(given.include)[:2]
    assert given.include_policy == f"style-src {BASE} {hash_of(style.text)}"
    assert "style=" not in given.frame + given.write_element() + given.include
