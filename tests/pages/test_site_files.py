"""What machines ask for: sitemap, robots.txt, icons, the web app's manifest, the page of the namespace."""

import gzip
import io
import re
from urllib.robotparser import RobotFileParser

import brotli
import pytest
from bs4 import BeautifulSoup
from django.contrib.staticfiles import finders
from django.test import Client
from lxml import etree
from PIL import Image

from feeds.facts import BY_NAME
from feeds.selection import PARAMETERS
from pages.site_files import SITEMAP, XHTML
from programme import models
from programme.publishing.current import DatabaseUnavailable, current
from tests.feeds.parsers import parse_atom
from tests.pages.all_pages import pages
from tests.pages.reading import links, opened, parse, text, texts
from tests.programmes import DRAFT, OCCASIONS

pytestmark = pytest.mark.usefixtures("sample", "at")

NAMES = {"s": SITEMAP, "x": XHTML}
SITE = "https://program.example"
# What no search engine shows: frames, and the page of those who have no network.
UNFOUND = {"/lista", "/en/list", "/utan-nat", "/en/offline"}


def read(client, path):
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml")
    return etree.fromstring(response.content)


def locations(document):
    return document.xpath("//s:loc/text()", namespaces=NAMES)


def test_every_page_is_on_it_in_both_languages_once(client):
    held = [number for number, event, *_ in OCCASIONS if event != DRAFT]
    named = locations(read(client, "/sitemap.xml"))
    assert len(named) == len(set(named))
    assert set(named) >= {
        *(f"{SITE}/tillfalle/{number}" for number in held),
        *(f"{SITE}/en/occasion/{number}" for number in held),
        *(f"{SITE}/", f"{SITE}/en/", f"{SITE}/ns/programme"),
    }
    assert {client.get(url.removeprefix(SITE)).status_code for url in named} == {200}


def test_each_entry_has_the_pages_alternates_and_last_change(client):
    [entry] = read(client, "/sitemap.xml").xpath(
        f"//s:url[s:loc='{SITE}/en/occasion/8001']", namespaces=NAMES
    )
    twins = [(each.get("hreflang"), each.get("href")) for each in entry.findall("x:link", NAMES)]
    page = opened(client, "/en/occasion/8001")
    named = [(each.get("hreflang"), each.get("href")) for each in page.xpath("//link[@hreflang]")]
    assert twins == [each for each in named if each[0] != "x-default"]
    assert entry.findtext("s:lastmod", namespaces=NAMES) == "2026-07-28T12:03:12+00:00"


def test_pages_of_the_festivals_own_website_are_not_on_it(client, settings):
    settings.OCCASION_URL_SV = "https://kulturnatten.example/{id}"
    document = read(client, "/sitemap.xml")
    assert not [url for url in locations(document) if not url.startswith(SITE)]
    [entry] = document.xpath(f"//s:url[s:loc='{SITE}/en/occasion/8001']", namespaces=NAMES)
    assert entry.findall("x:link", NAMES) == []


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/en/", "/tillfalle/8001", "/api/events.ics?area=Torget", "/sitemap.xml"),
        *("/?edition=2025", "/en/?edition=2025"),
    ],
)
def test_a_simple_reader_finds_open_what_is_open(client, path):
    """Python's knows no wildcards, as others that fetch calendars may not."""
    robots = RobotFileParser()
    robots.parse(client.get("/robots.txt").content.decode().splitlines())
    assert robots.can_fetch("Google-Calendar-Importer", f"{SITE}{path}")
    assert not robots.can_fetch("Googlebot", f"{SITE}/admin/")
    assert robots.site_maps() == [f"{SITE}/sitemap.xml"]


def may_fetch(client, path):
    """Say whether a reader that knows wildcards may, as Google's does: the longest rule that fits counts."""
    lines = client.get("/robots.txt").content.decode().splitlines()
    rules = [tuple(line.split(": ", 1)) for line in lines if line.startswith(("Allow", "Disallow"))]
    fits = [
        (len(pattern), verdict == "Allow")
        for verdict, pattern in rules
        if re.match(re.escape(pattern).replace(r"\*", ".*"), path)
    ]
    return max(fits, default=(0, True))[1]


def test_days_are_found_by_search_engines_and_filters_are_not(client):
    page = opened(client, "/en/")
    days = [href for _, href in links(page, "//nav[@class='days']//li[not(@class)]//a")]
    assert len(days) > 2
    named = locations(read(client, "/sitemap.xml"))
    for day in days:
        assert may_fetch(client, day)
        # As people write it, too.
        assert may_fetch(client, day.replace("during", "date"))
        assert f"{SITE}{day}" in named
        assert opened(client, day).xpath("string(//link[@rel='canonical']/@href)") == f"{SITE}{day}"
    for filtered in ("&area=Tomten", "&view=grid"):
        assert not may_fetch(client, f"{days[0]}{filtered}")
    for closed in (
        *("/?area=Tomten", "/en/?q=x&during=2026-07-29", "/prenumerera?area=x", "/utvecklare?q=x", "/admin/"),
    ):
        assert not may_fetch(client, closed)
    assert all(may_fetch(client, url.removeprefix(SITE)) for url in named)


@pytest.mark.parametrize(
    "path",
    [
        *("/?area=Tomten", "/en/?q=x&date=2026-07-29", "/mitt-program?occation=8001", "/nytt?area=Tomten"),
        *("/prenumerera?area=Tomten", "/lista/1", "/plats/5001"),
    ],
)
def test_what_is_shared_has_a_preview(client, path):
    robots = RobotFileParser()
    robots.parse(client.get("/robots.txt").content.decode().splitlines())
    for agent in ("facebookexternalhit/1.1", "Twitterbot/1.0", "LinkedInBot/1.0 (compatible)"):
        assert robots.can_fetch(agent, f"{SITE}{path}")
        assert not robots.can_fetch(agent, f"{SITE}/admin/")


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/?during=2026-07-31", "Fredag 31 juli – Kulturnatten i Åsunda"),
        ("/en/?during=2026-07-31&area=Tomten", "Friday 31 July, Tomten – Åsunda Culture Night"),
        ("/?area=Tomten", "Tomten – Kulturnatten i Åsunda"),
        ("/mitt-program?occation=8001", "Mitt program – Kulturnatten i Åsunda"),
        ("/nytt", "Nytt och ändrat – Kulturnatten i Åsunda"),
        ("/nytt?area=Tomten", "Nytt och ändrat: Tomten – Kulturnatten i Åsunda"),
        ("/lista/12/f%C3%B6r-familjer", "För familjer"),
        ("/", "Program – Kulturnatten i Åsunda"),
        ("/?days=all", "Alla dagar – Kulturnatten i Åsunda"),
    ],
)
def test_a_preview_is_of_what_was_shared(client, lists, path, title):
    page = opened(client, path)
    shown = {name: page.xpath(f"string(//meta[@property='og:{name}']/@content)") for name in ("title", "url")}
    assert shown == {"title": title, "url": f"{SITE}{path}"}
    assert page.xpath("string(//meta[@property='og:description']/@content)").strip()


def test_every_page_has_a_description_of_its_own(client):
    found = {}
    for path, answer in pages(client):
        page = parse(answer)
        if answer.status_code == 200 and path not in UNFOUND:
            found[path] = page.xpath("string(//meta[@name='description']/@content)").strip()
    assert [path for path, words in found.items() if len(words.split()) < 3 and "tillfalle" not in path] == []
    kinds = [
        *("", "prenumerera", "utvecklare", "mitt-program", "nytt", "plats/5001", "tillfalle/8001"),
        "?days=all",
    ]
    assert len({found[f"/{each}"] for each in kinds}) == len(kinds)
    day = opened(client, "/en/?during=2026-07-31&area=Tomten").xpath(
        "string(//meta[@name='description']/@content)"
    )
    assert day.startswith("Friday 31 July, ")


@pytest.mark.parametrize(
    ("path", "content_type", "size"),
    [("/favicon.ico", "image/x-icon", (48, 48)), ("/apple-touch-icon.png", "image/png", (180, 180))],
)
def test_icons_are_where_browsers_look_for_them(client, path, content_type, size):
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, content_type)
    assert response["Cache-Control"] == "public, max-age=86400"
    assert Image.open(io.BytesIO(response.content)).size == size
    head = client.head(path)
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize(
    ("color", "expected"), [("#005f9e", "#005f9e"), ("", "#8c2f4b"), ("red}", "#8c2f4b")]
)
def test_the_manifest_has_the_festivals_colour(client, color, expected):
    models.Festival.objects.update(color=color)
    assert client.get("/manifest.webmanifest").json()["theme_color"] == expected


PATH = "/embed/v1.js"


def test_it_is_small_and_knows_nothing_of_the_programme(client):
    plain = client.get(PATH).content
    assert max(len(gzip.compress(plain)), len(brotli.compress(plain, quality=4))) <= 5_000
    quoted = {*re.findall(r'"(\w+)"', plain.decode().partition("class ")[2])}
    assert quoted & {*PARAMETERS.values(), *BY_NAME} == set()


def test_every_website_may_run_it_and_corrections_arrive_in_an_hour(client):
    response = client.get(PATH, headers={"Accept-Encoding": "br"})
    assert (response.status_code, response["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert brotli.decompress(response.content) == client.get(PATH).content
    names = ("Access-Control-Allow-Origin", "Cache-Control", "Cross-Origin-Resource-Policy", "Vary")
    assert [response[name] for name in names] == [
        "*",
        "public, max-age=3600, stale-while-revalidate=2592000, stale-if-error=2592000",
        "cross-origin",
        "Accept-Encoding",
    ]


def test_it_is_asked_for_again_by_its_etag(client):
    first = client.get(PATH)
    again = client.get(PATH, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Access-Control-Allow-Origin"] == "*"
    head = client.head(PATH)
    assert (head.content, head["Content-Length"]) == (b"", str(len(first.content)))
    assert client.get(PATH, headers={"Accept-Encoding": "identity;q=0, *;q=0"}).status_code == 406


def test_it_needs_no_programme(client, monkeypatch):
    def fail(instant):
        raise DatabaseUnavailable

    monkeypatch.setattr(current, "at", fail)
    assert client.get(PATH).status_code == 200


def test_the_page_of_the_namespace_describes_the_elements_of_the_feeds_in_their_order(client):
    written = list(parse_atom(client.get("/api/events.atom").content)[0]["ext"])
    rows = opened(client, "/ns/programme").xpath("//dl/div")
    assert [text(row.find("dt")) for row in rows] == [f"ext:{name}" for name in written]
    # Each is found by its name after the namespace's own address.
    assert [row.get("id") for row in rows] == written


def test_the_page_names_the_namespace_of_the_settings(client, settings):
    settings.EXTENSION_NAMESPACE = "https://kulturnatten.example/ns"
    [text] = texts(opened(client, "/ns/programme"), "//p[@lang='sv']/code")
    assert text == "https://kulturnatten.example/ns"


def test_it_loads_only_what_this_service_has(client: Client) -> None:
    response = client.get("/api/docs")
    page = BeautifulSoup(response.content.decode(), "lxml")
    loaded = [each.get("src") or each["href"] for each in page.select("script, [rel=stylesheet]")]
    assert len(loaded) == 5
    assert [each for each in loaded if not finders.find(each.removeprefix("/static/"))] == []
    assert page.select("script:not([src]), style, [style]") == []
    directives = dict(each.split(" ", 1) for each in response["Content-Security-Policy"].split("; "))
    assert directives["default-src"] == "'none'"
    assert {directives[each] for each in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert directives["img-src"] == "'self' https: data:"
    assert client.get(page.select_one("[rel=service-desc]")["href"]).json()["openapi"] == "3.1.0"
