"""The page of a place: what is known of it, and what is on there from now on."""

from http import HTTPStatus

import pytest

from programme.models import Location, Occasion, Room
from tests.pages.reading import links, opened, text, texts

pytestmark = pytest.mark.usefixtures("sample", "at")


def test_it_says_what_is_known_and_lists_what_is_to_come(client):
    Location.objects.filter(pk=5001).update(latitude="57.7", longitude="11.9", access="step-free no-seats")
    page = opened(client, "/plats/5001")
    found = {text(row[0]): texts(row, "./dd") for row in page.xpath("//dl/div")}
    assert [*found] == [
        "Adress",
        "Karta",
        "Närmaste hållplats",
        "Tillgänglighet i korthet",
        "Tillgänglighet",
        "Sal 2",
    ]
    assert found["Tillgänglighet i korthet"] == ["Stegfritt: ja", "Sittplatser: nej"]
    assert (found["Adress"], found["Sal 2"]) == (["Storgatan 1, Åsunda"], ["2 tr", "Hörslinga"])
    assert texts(page, "//h2") == ["onsdag 29 juli", "torsdag 30 juli", "fredag 31 juli"]
    shown = [each.get("data-o") for each in page.xpath("//li[@data-o]")]
    assert shown == ["8001", "8014", "8002", "8009"]
    assert "/prenumerera?location=5001" in dict(links(page)).values()
    assert "geo:57.700000,11.900000" in dict(links(page)).values()


def test_it_has_its_calendar_and_leads_to_the_code_for_a_website(client):
    page = opened(client, "/en/place/5001")
    [calendar] = page.xpath("//input[@id='ics']/@value")
    assert calendar.endswith("/api/events.ics?location=5001&language=en")
    page = opened(client, dict(links(page, "//main//a"))["On your own website"])
    element, frame = (
        page.xpath(f"//textarea[@id='{name}']")[0].text.strip() for name in ("element", "frame")
    )
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
