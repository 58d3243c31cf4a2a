"""The page of a place: what is known of it, and what is on there from now on."""

import csv
import io
from http import HTTPStatus

import pytest

from programme.models import Location, Occasion, Room
from tests.pages.reading import links, opened, text, texts

pytestmark = pytest.mark.usefixtures("sample", "at")


def test_it_says_what_is_known_and_lists_what_is_to_come(client):
    Location.objects.filter(pk=5001).update(
        latitude="57.7",
        longitude="11.9",
        access="step-free no-seats",
        other_names=" Bibblan\nBiblioteket, Kajen 3\nbibblan\n",
    )
    Room.objects.filter(pk=6001).update(other_names="Lilla salen")
    page = opened(client, "/plats/5001")
    found = {text(row[0]): texts(row, "./dd") for row in page.xpath("//dl/div")}
    assert [*found] == [
        *(
            "Kallas också",
            "Adress",
            "Närmaste hållplats",
            "Tillgänglighet i korthet",
            "Tillgänglighet",
            "Källaren",
            "Sal 2",
        )
    ]
    assert found["Tillgänglighet i korthet"] == ["Stegfritt: ja", "Sittplatser: nej"]
    assert found["Kallas också"] == ["Bibblan"]
    assert found["Adress"] == ["Storgatan 1, Åsunda", "Visa på karta"]
    assert found["Sal 2"] == ["Kallas också: Lilla salen", "2 tr", "Hörslinga"]
    assert found["Källaren"] == ["Samma tillgänglighet som platsen"]
    assert texts(page, "//h2") == [
        "Hitta hit",
        "Lokaler",
        "onsdag 29 juli",
        "torsdag 30 juli",
        "fredag 31 juli",
    ]
    shown = [each.get("data-o") for each in page.xpath("//li[@data-o]")]
    assert shown == ["8001", "8014", "8002", "8009"]
    assert "/prenumerera?location=5001" in dict(links(page)).values()
    assert dict(links(page))["Visa på karta"].endswith(
        "/?mlat=57.700000&mlon=11.900000#map=17/57.700000/11.900000"
    )


def test_it_has_its_calendar_and_the_footer_leads_to_the_code_for_a_website(client):
    page = opened(client, "/en/place/5001")
    [calendar] = page.xpath("//input[@id='ics']/@value")
    assert calendar.endswith("/api/events.ics?location=5001&language=en")
    assert "developers" not in dict(links(page, "//main//a")).values()
    page = opened(client, dict(links(page, "//footer//a"))["For developers"])
    element, frame = (each.text.strip() for each in page.xpath("//textarea[@id='element' or @id='frame']"))
    assert 'location="5001" language="en"' in element
    assert "/en/list?location=5001" in frame


def test_every_occasion_leads_there_whatever_the_place_is_called(client):
    page = opened(client, "/tillfalle/8001")
    address = page.xpath("//dt[.='Plats']/following-sibling::dd//a")[0].get("href")
    assert address == "/plats/5001/biblioteket"
    assert text(opened(client, "/plats/5001/tidigare-namn").xpath("//h1")[0]) == "Biblioteket"


def test_a_place_where_nothing_is_published_is_not_there(client):
    unused = Location.objects.create(name="Ladan")
    for path in (f"/plats/{unused.pk}", "/plats/99/biblioteket", "/en/place/0"):
        assert client.get(path).status_code == HTTPStatus.NOT_FOUND


def test_what_is_over_is_in_the_programme_alone(client):
    Occasion.objects.filter(pk__in=[8001, 8014, 8002, 8009]).update(
        start="2026-07-01T10:00Z", end="2026-07-01T11:00Z"
    )
    Room.objects.update(accessibility_sv="")
    page = opened(client, "/plats/5001")
    assert page.xpath("//li[@data-o]") == []
    assert dict(links(page))["Allt som händer och har hänt här"] == "/?location=5001&days=all"


# 8001 and 8014 are in Sal 2, 8002 in the cellar, 8009 in the location as a whole.
HALL, CELLAR, WHOLE = 8001, 8002, 8009
EVERYTHING = {HALL, 8014, CELLAR, WHOLE}


@pytest.fixture
def say(sample):
    """Return what states facts of the location, and what is said of the hall and of the cellar."""

    def say(location: str, hall: dict[str, str], cellar: dict[str, str]) -> None:
        Room.objects.filter(pk__in=[6001, 6002]).update(accessibility_sv="", accessibility_en="")
        Location.objects.filter(pk=5001).update(access=location)
        Room.objects.filter(pk=6001).update(**hall)
        Room.objects.filter(pk=6002).update(**cellar)

    return say


def find(client, query):
    return {each["occation"]["id"] for each in client.get(f"/api/events.json?location=5001&{query}").json()}


def test_every_representation_says_so(client, say):
    say("step-free", {"accessibility_sv": "Nio branta steg"}, {"access": "quiet-place"})
    document = client.get("/api/programme").json()
    facts = {each["id"]: each["facts"] for each in document["occasions"]}
    assert [facts[each].get("access") for each in (HALL, CELLAR, WHOLE)] == [
        *(["sign-language"], ["sign-language", "quiet-place"], ["step-free"])
    ]
    table = csv.DictReader(
        io.StringIO(client.get("/api/events.csv?location=5001").content.decode("utf-8-sig"))
    )
    brief = {int(row["Tillfällets nr"]): row["Tillgänglighet i korthet"] for row in table}
    assert [brief[each] for each in (HALL, WHOLE)] == ["teckenspråk", "stegfritt"]
    hall, whole = (client.get(f"/tillfalle/{each}").content.decode() for each in (HALL, WHOLE))
    assert ("Stegfritt: ja" in hall, "Stegfritt: ja" in whole) == (False, True)
    assert ('"amenityFeature"' in hall, '"amenityFeature"' in whole) == (False, True)


def test_the_page_of_a_place_says_what_its_rooms_state(client, say):
    say("step-free", {"access": "no-step-free"}, {})
    rows = {text(row[0]): texts(row, "./dd") for row in opened(client, "/plats/5001").xpath("//dl/div")}
    assert rows["Tillgänglighet i korthet"] == ["Stegfritt: ja"]
    assert rows["Sal 2"] == ["2 tr", "Stegfritt: nej"]
