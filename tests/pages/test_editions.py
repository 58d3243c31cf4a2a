"""Pages of editions: they keep theirs in links, say which it is, lead to the current one, and stay for ever."""

import json
from datetime import date
from http import HTTPStatus

import pytest
from django.db import OperationalError
from lxml import etree

from feeds.editions import Edition as EditionValue
from feeds.vocabulary import Text
from pages.site_files import SITEMAP
from programme.models import Edition, Event, Location, Occasion
from tests.conftest import NOW
from tests.editions import OF_2025, OF_2027, make_editions
from tests.pages.reading import facts, links, notices, opened, text, texts
from tests.programmes import OCCASIONS, utc

pytestmark = pytest.mark.usefixtures("sample", "at", "lists")

SITE = "https://program.example"
OVER = ("Det här hör till Natten 2025, som är över. Till Natten 2026", {"href": ["/"]})
COMING = ("This belongs to Night 2027, which is still to come. To Night 2026", {"href": ["/en/"]})


@pytest.fixture
def editions(sample):
    return make_editions()


@pytest.fixture
def barn(editions):
    """A place where only the edition of 2025 has something."""
    location = Location.objects.create(id=5009, name="Ladan", address="Backen 1")
    Occasion.objects.filter(pk=OF_2025).update(location=location)
    return location


# --- What is asked for stays asked for

# What has no edition: other pages, and the way to the current one.
WITHOUT = {
    *("/", "/en/", "/mitt-program", "/en/my-programme", "/tidigare", "/en/earlier", "/api/docs", "/admin/"),
    *("https://kulturnatten.example/", "#content"),
}


@pytest.mark.parametrize(
    "path",
    [
        *("/?edition=2025", "/en/?edition=2025&view=grid&q=x", "/?area=%C3%85ngtorget&days=all&edition=2025"),
        *("/prenumerera?edition=2025", "/nytt?edition=2025", "/plats/5009/ladan?edition=2025"),
        "/lista/12/f%C3%B6r-familjer?edition=2025",
    ],
)
def test_every_link_and_form_of_a_page_keeps_the_edition(client, barn, path):
    page = opened(client, path)
    addresses = {*page.xpath("//a/@href | //link[@rel='alternate' or @rel='canonical']/@href")}
    left = {each.removeprefix(SITE) for each in addresses if "edition=2025" not in each}
    # Occasions are of one edition; and so are calendars of elsewhere, whose addresses have ours, encoded.
    others = ("/tillfalle/", "/en/occasion/", "mailto:", "https://calendar.google", "geo:", "#")
    assert {each for each in left if not each.startswith(others) and "edition%3D2025" not in each} <= WITHOUT
    for form in page.xpath("//form"):
        assert form.xpath(".//input[@type='hidden' and @name='edition']/@value") == ["2025"]
    [canonical] = page.xpath("//link[@rel='canonical']/@href")
    assert opened(client, canonical.removeprefix(SITE)).xpath("//h1") is not None


def test_a_page_says_which_edition_it_is_of_and_leads_to_the_current_one(client, editions):
    page = opened(client, "/?edition=2025")
    assert notices(page) == [OVER]
    assert texts(page, "//title") == ["Kulturnatten i Åsunda: Natten 2025"]
    assert page.xpath("//main//li/@data-o") == [str(OF_2025)]
    assert notices(opened(client, "/en/?edition=2027"))[:1] == [COMING]
    assert page.xpath("//meta[@name='robots']") == []


def test_the_current_edition_has_no_notice(client, editions):
    for path in ("/", "/?edition=2026", "/prenumerera?edition=2026"):
        assert OVER not in notices(opened(client, path))
        assert opened(client, path).xpath("//body/@class") == []
    [text] = opened(client, "/?edition=2026").xpath("//link[@rel='canonical']/@href")
    assert text == f"{SITE}/?edition=2026"


def test_an_unknown_edition_is_an_error_of_the_address(client, editions):
    page = opened(client, "/?edition=2019&q=jazz", HTTPStatus.BAD_REQUEST)
    assert texts(page, "//div[@role='alert']//li") == ["Upplaga: Det finns ingen ”2019”."]
    assert opened(client, "/tillfalle/8001?edition=2026").xpath("//article")


def test_nothing_of_another_edition_is_offered_as_on_today(client, editions):
    options = texts(opened(client, "/prenumerera?edition=2025"), "//select[@name='date']/option")
    assert options == ["Alla dagar", "tisdag 29 juli 2025"]
    assert texts(opened(client, "/prenumerera"), "//select[@name='date']/option")[1:3] == ["idag", "imorgon"]


@pytest.mark.parametrize(
    ("festival", "edition", "title"),
    [
        (Text("Natten", "Night"), Text("Natten 2025", "Night 2025"), ("Natten 2025", "Night 2025")),
        (Text("Natten", "Night"), Text("2025"), ("Natten 2025", "Night 2025")),
        (Text("Natten"), Text("NATTEN 25", "Year 25"), ("NATTEN 25", "Natten: Year 25")),
        (Text("Natten", "Night"), Text("natten 2025"), ("natten 2025", "natten 2025")),
        (Text(), Text("2025"), ("2025", "2025")),
    ],
)
def test_the_name_of_an_edition_has_that_of_the_festival_once(festival, edition, title):
    value = EditionValue(1, "x", edition, date(2025, 1, 1), date(2025, 1, 2), None, NOW)
    assert (value.title(festival, "sv"), value.title(festival, "en")) == title


# --- Occasions, places and lists


def test_an_occasion_of_another_edition_leads_to_its_own_and_to_the_current_one(client, barn):
    Event.objects.filter(occasions=OF_2025).update(organizer=3001, free="true")
    page = opened(client, f"/tillfalle/{OF_2025}")
    assert notices(page)[:1] == [OVER]
    assert links(page, "//header//a")[:2] == [("Kulturnatten i Åsunda", "/"), ("Program", "/")]
    inside = {url for _, url in links(page, "//article//a") if url.startswith("/")}
    assert "/plats/5009/ladan?edition=2025" in inside
    assert "/?during=2025-07-29&area=%C3%85ngtorget&edition=2025#kl-00" in inside
    assert "/?organizer=3001&edition=2025" in inside
    assert "/?free=true&edition=2025" in inside
    assert {url for url in inside if "edition=2025" not in url} == set()
    assert set(facts(page)) >= {"Område", "Typ", "Arrangör"}


def test_stars_are_for_what_is_to_come(client, editions):
    assert opened(client, f"/tillfalle/{OF_2025}").xpath("//body/@class") == ["past"]
    assert opened(client, "/?edition=2025").xpath("//body/@class") == ["past"]
    coming = opened(client, f"/en/occasion/{OF_2027}")
    assert (coming.xpath("//body/@class"), notices(coming)) == ([], [COMING])


@pytest.mark.parametrize(
    ("occasion", "name", "span"),
    [
        (OF_2025, "Natten 2025", ("2025-07-29T00:30:00+02:00", "2025-07-29T02:00:00+02:00")),
        (8001, "Natten 2026", ("2026-03-29T01:30:00+01:00", "2026-10-25T03:30:00+01:00")),
    ],
)
def test_machines_are_told_of_the_festival_of_that_edition(client, editions, occasion, name, span):
    page = opened(client, f"/tillfalle/{occasion}")
    festival = json.loads(page.xpath("//script[@type='application/ld+json']")[0].text)["superEvent"]
    assert festival["name"] == f"Kulturnatten i Åsunda: {name}"
    assert (festival["startDate"], festival["endDate"]) == span


@pytest.mark.parametrize("path", ["/plats/5009", "/plats/5009?edition=2025"])
def test_a_place_of_another_edition_stays(client, barn, path):
    page = opened(client, path)
    assert notices(page) == [OVER]
    assert "/tillfalle/8011" in dict(links(page)).values()
    assert texts(page, "//h1") == ["Ladan"]
    assert dict(links(page))["Prenumerera"] == "/prenumerera?location=5009&edition=2025"
    assert page.xpath("//link[@rel='canonical']/@href") == [f"{SITE}/plats/5009/ladan?edition=2025"]


def test_a_place_of_no_edition_is_not_there(client, barn, editions):
    editions["2025"].delete()
    for path in ("/plats/5009", "/plats/99", "/plats/5009?edition=2027"):
        assert client.get(path).status_code == HTTPStatus.NOT_FOUND


def test_a_place_of_the_current_edition_is_of_that(client, editions):
    Occasion.objects.filter(pk=OF_2025).update(location=5001)
    page = opened(client, "/plats/5001")
    assert OVER not in notices(page)
    assert "/prenumerera?location=5001" in dict(links(page)).values()
    assert notices(opened(client, "/plats/5001?edition=2025"))[0] == OVER


def test_a_list_stays_whichever_edition_has_something_on_it(client, editions):
    assert notices(opened(client, "/lista/12?edition=2025"))[0] == OVER
    assert opened(client, "/lista/12").xpath("//h1")
    # The programme's page offers those that have something.
    assert (
        "/lista/12/f%C3%B6r-familjer?edition=2025"
        not in dict(links(opened(client, "/?edition=2025"))).values()
    )


# --- On other websites


def test_the_code_for_websites_is_of_the_edition_and_names_its_days_when_they_are_over(client, editions):
    page = opened(client, "/utvecklare?edition=2025")
    element, frame = (each.text.strip() for each in page.xpath("//textarea[@id='element' or @id='frame']"))
    assert '<festival-programme during="2025-01-01/2025-12-31" edition="2025" language="sv">' in element
    assert f'src="{SITE}/lista?during=2025-01-01/2025-12-31&amp;edition=2025"' in frame
    assert texts(opened(client, "/lista?edition=2025"), "//main//p/strong") == ["00:30–02:00"]
    assert "/tillfalle/8011" in client.get("/lista.html?edition=2025").content.decode()
    coming = opened(client, "/utvecklare?edition=2027").xpath("//textarea[@id='element']")[0].text
    assert '<festival-programme edition="2027" language="sv">' in coming


@pytest.mark.parametrize(
    ("path", "src", "title"),
    [
        ("/?edition=2025", "/lista?edition=2025", "Kulturnatten i Åsunda: Natten 2025"),
        ("/?edition=2026", "/lista?edition=2026", "Kulturnatten i Åsunda: Natten 2026"),
        ("/", "/lista", "Kulturnatten i Åsunda"),
        ("/tillfalle/8011", "/lista?occation=8011&edition=2025", "Bara en titel"),
        # It is still that occasion when another edition is the current one.
        ("/tillfalle/8013", "/lista?occation=8013&edition=2026", "Bara en titel"),
        ("/plats/5009", "/lista?location=5009&edition=2025", "Kulturnatten i Åsunda: Natten 2025: Ladan"),
    ],
)
def test_the_frame_of_a_page_is_of_its_edition(client, barn, path, src, title):
    described = client.get("/oembed", {"url": f"{SITE}{path}"}).json()
    assert described["title"] == title
    assert f'src="{SITE}{src.replace("&", "&amp;")}"' in described["html"]
    assert opened(client, src).xpath("//main//p/strong")


def test_what_is_of_no_edition_has_no_frame(client, editions):
    for path in ("/?edition=2019", "/tillfalle/99"):
        assert client.get("/oembed", {"url": f"{SITE}{path}"}).status_code == HTTPStatus.NOT_FOUND


def test_feeds_are_named_after_the_edition_that_is_asked_for(client, editions):
    def name(path):
        return etree.fromstring(client.get(path).content).findtext("{http://www.w3.org/2005/Atom}title")

    assert name("/api/events.atom?edition=2025") == "Kulturnatten i Åsunda: Natten 2025"
    assert name("/api/events.atom?area=Tomten&edition=2026") == "Kulturnatten i Åsunda: Natten 2026: Tomten"
    assert name("/api/events.atom") == "Kulturnatten i Åsunda"


# --- The page of the others


def test_the_others_are_listed_the_newest_first_and_linked_from_every_page(client, editions):
    Edition(slug="2024", name_sv="Utkast", first_day=date(2024, 8, 1), last_day=date(2024, 8, 3)).save()
    page = opened(client, "/tidigare")
    assert texts(page, "//main//h1 | //main//h2 | //main//li") == [
        "Andra upplagor",
        "Kommande",
        "Natten 2027 1 januari 2027 – 31 december 2027 1 programpunkt",
        "Tidigare",
        "Natten 2025 1 januari 2025 – 31 december 2025 1 programpunkt",
        "Till programmet",
    ]
    assert dict(links(page))["Natten 2025"] == "/?edition=2025"
    for path, label, address in (
        ("/", "Andra upplagor", "/tidigare"),
        ("/en/", "Other editions", "/en/earlier"),
    ):
        assert dict(links(opened(client, path), "//footer//a"))[label] == address
    assert texts(opened(client, "/en/earlier"), "//main//h2 | //main//li")[:2] == [
        "Still to come",
        "Night 2027 1 January 2027 – 31 December 2027 1 event",
    ]


def test_when_the_current_edition_is_over_the_next_one_and_the_others_are_named(client, editions, at):
    at(utc(2026, 12, 31, 20))
    page = opened(client, "/en/")
    [over] = page.xpath("//section[@class='notice over']")
    assert texts(over, ".//strong") == ["Night 2027, 1 January 2027 – 31 December 2027"]
    assert dict(links(over, ".//a"))["Other editions"] == "/en/earlier"
    assert opened(client, "/en/?edition=2025").xpath("//section[@class='notice over']") == []


def test_days_of_one_month_are_short(client, editions):
    Edition.objects.filter(slug="2025").update(first_day="2025-07-28", last_day="2025-07-30")
    Edition.objects.filter(slug="2027").delete()
    page = opened(client, "/en/earlier")
    assert texts(page, "//main//li/p/span[1]") == ["28–30 July 2025"]
    # One kind alone has no heading of its own.
    assert texts(page, "//main//h2") == []


def test_it_takes_one_query_for_any_number_and_no_sitemap_loads_all(
    client, editions, django_assert_num_queries
):
    client.get("/robots.txt")
    with django_assert_num_queries(2):
        client.get("/tidigare")
    for path in ("/tidigare", "/sitemap.xml"):
        with django_assert_num_queries(1):
            client.get(path)


def test_without_editions_it_says_so_and_nothing_leads_there(client):
    page = opened(client, "/tidigare")
    assert texts(page, "//main/p") == ["Här finns ingen annan upplaga."]
    assert "/tidigare" not in dict(links(opened(client, "/"), "//footer//a")).values()


def test_an_empty_current_edition_leads_to_the_earlier_ones(client, editions):
    editions["2027"].make_current(NOW)
    Occasion.objects.get(pk=OF_2027).delete()
    page = opened(client, "/")
    assert texts(page, "//section[@aria-labelledby='empty']/*") == [
        "Programmet är inte publicerat än",
        "Kom tillbaka om en tid.",
        "Andra upplagor",
    ]


# --- Sitemaps and robots.txt


def locations(client, path):
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (HTTPStatus.OK, "application/xml")
    return etree.fromstring(response.content).xpath("//s:loc/text()", namespaces={"s": SITEMAP})


def test_the_sitemaps_of_all_editions_have_each_page_once(client, barn):
    maps = locations(client, "/sitemap.xml")
    assert maps == [f"{SITE}/sitemap.xml?edition={year}" for year in (2025, 2026, 2027)]
    of = {each[-4:]: locations(client, each.removeprefix(SITE)) for each in maps}
    every = [url for found in of.values() for url in found]
    assert len(every) == len(set(every))
    held = {number for number, *_ in OCCASIONS if f"{SITE}/tillfalle/{number}" in every}
    assert held == {*Occasion.objects.filter(event__status="published").values_list("pk", flat=True)}
    assert of["2025"] == [
        f"{SITE}/?edition=2025",
        f"{SITE}/en/?edition=2025",
        f"{SITE}/plats/5009/ladan?edition=2025",
        f"{SITE}/en/place/5009/ladan?edition=2025",
        f"{SITE}/tillfalle/8011",
        f"{SITE}/en/occasion/8011",
    ]
    assert {f"{SITE}/", f"{SITE}/nytt", f"{SITE}/tidigare", f"{SITE}/plats/5001/biblioteket"} <= {*of["2026"]}
    assert {client.get(url.removeprefix(SITE)).status_code for url in every} == {HTTPStatus.OK}


# --- My programme


def test_my_programme_says_what_is_of_another_edition(client, editions):
    page = opened(client, f"/mitt-program?occation=8001.{OF_2025}.{OF_2027}.99")
    sections = {text(each[0]): links(each, ".//a") for each in page.xpath("//section[ul[@class='cards']]")}
    assert sections == {
        "Från Natten 2025": [("Bara en titel", "/tillfalle/8011")],
        "Från Natten 2027": [("Bara en titel", "/tillfalle/8012")],
    }
    assert texts(page, "//section/ul//time") == [
        "tisdag 29 juli 2025 kl. 00:30",
        "fredag 1 januari 2027 kl. 00:00",
    ]
    [said] = texts(page, "//div[@class='notice changed']//strong")
    assert said == "En programpunkt finns inte längre i programmet."
    # What is removed from the stars are those that are nowhere any more.
    assert page.xpath("//@data-mine")[-1] == "8001.8011.8012"
    [calendar] = page.xpath("//input[@id='ics']/@value")
    assert calendar.endswith("/api/events.ics?occation=8001")


def test_my_programme_of_an_earlier_edition_alone_is_empty_but_no_error(client, editions):
    page = opened(client, f"/en/my-programme?occation={OF_2025}")
    assert texts(page, "//main//h2[not(ancestor::*[@hidden])]")[0] == "Nothing from Night 2026 is saved yet"
    assert texts(page, "//main//h2")[-1] == "From Night 2025"
    assert texts(page, "//main//*[contains(@class, 'cancelled')]") == []


def test_my_programme_claims_nothing_while_the_database_is_away(client, editions, monkeypatch):
    def fail(ids, programme):
        raise OperationalError

    monkeypatch.setattr("pages.my_programme.read_titles", fail)
    page = opened(client, f"/mitt-program?occation=8001.{OF_2025}")
    assert page.xpath("//li/@data-o") == ["8001"]
    assert page.xpath("//div[@class='notice changed']") == []


def test_stars_cost_a_query_only_where_there_are_editions(client, django_assert_num_queries):
    client.get("/robots.txt")
    with django_assert_num_queries(1):
        client.get(f"/mitt-program?occation=8001.{OF_2025}.99")
    make_editions()
    client.get("/robots.txt")
    with django_assert_num_queries(2):
        client.get(f"/mitt-program?occation=8001.{OF_2025}.99")


def test_at_a_change_of_editions_pages_change_over_and_old_ones_stay(client, editions):
    shown = opened(client, "/").xpath("//li/@data-o")
    editions["2027"].make_current(NOW)
    assert opened(client, "/").xpath("//li/@data-o") == [str(OF_2027)]
    assert opened(client, "/?edition=2026").xpath("//li/@data-o") == shown
    for each in shown:
        page = opened(client, f"/tillfalle/{each}")
        assert notices(page)[0][0].startswith("Det här hör till Natten 2026, som ")
    assert texts(opened(client, "/tidigare"), "//main//h2 | //main//li/a")[:3] == [
        "Kommande",
        "Natten 2026",
        "Tidigare",
    ]


def test_a_day_of_another_edition_leads_to_it(client, editions):
    page = opened(client, "/?during=2025-07-29&area=%C3%85ngtorget")
    assert dict(links(page))["Natten 2025"] == "/?during=2025-07-29&area=%C3%85ngtorget&edition=2025"
    assert "Natten 2025" not in dict(links(opened(client, "/?during=2026-07-29")))


def test_a_former_edition_opens_at_its_first_day(client, editions):
    Occasion.objects.filter(pk=8013).update(start=utc(2025, 8, 1, 10), end=utc(2025, 8, 1, 11))
    assert texts(opened(client, "/?edition=2025"), "//h2[@id='day']") == ["tisdag 29 juli 2025"]
