"""The filters of the programme: a form with ticks in groups, and links to common ones above the programme."""

import re

import pytest

from programme.models import Area, Event, EventType, Location, Occasion
from tests.pages.reading import links, opened, text, texts
from tests.programmes import JAZZ, utc

pytestmark = pytest.mark.usefixtures("sample", "at")

PILLS = "//nav[@class='areas']/ul/li"


def streets(count: int, street: str = "Gatan") -> None:
    """Make so many areas with one event more each, on Saturday, the first one with three occasions."""
    jazz = Event.objects.get(pk=JAZZ)
    for number in range(count):
        area = Area.objects.create(name=f"{street} {number:02}")
        event = Event.objects.create(title="Fest", area=area, type=jazz.type, status="published")
        for hour in range(1 if number else 3):
            Occasion.objects.create(
                event=event, start=utc(2026, 8, 1, 10 + hour), end=utc(2026, 8, 1, 11 + hour)
            )


@pytest.mark.parametrize("path", ["/", "/prenumerera"])
def test_sixteen_areas_are_pills_and_more_are_folded(client, path):
    streets(14)
    page = opened(client, path)
    assert len(page.xpath(PILLS)) == 16 * (path == "/")
    assert len(page.xpath("//form//fieldset//input[@name='area']")) == 16
    assert page.xpath("//form//details[fieldset]//input[@name='area']") == []
    streets(1, "Torget")
    page = opened(client, path)
    assert page.xpath(PILLS) == []
    folded = "//form//details[summary='Områden (17)']"
    assert len(page.xpath(f"{folded}[not(@open)]/fieldset//input[@name='area']")) == 17
    assert opened(client, f"{path}?area=Torget+00").xpath(f"{folded}[@open]")


def test_a_place_with_the_name_of_its_area_is_shown_once(client):
    streets(1, "Hamnen")
    place = Location.objects.create(name="Hamnen 00")
    Occasion.objects.filter(event__area__name="Hamnen 00").update(location=place)
    page = opened(client, "/?during=2026-08-01")
    assert texts(page, "//ol[@class='slots']//li[@data-o]/p")[0] == "12:00–13:00 Hamnen 00 Konsert"


def test_choices_of_one_label_have_an_order(client):
    # Sets have another order in each process, and all must write the same page.
    streets(12)
    for number, event in enumerate(Event.objects.filter(title="Fest").order_by("id")):
        event.type = EventType.objects.create(id=5000 + number, name_sv=f"Sort {number}", name_en="Kind")
        event.save()
    page = opened(client, "/en/?during=2026-08-01")
    values = page.xpath("//label[contains(., 'Kind')]/input[@name='type']/@value")
    assert values == [str(5000 + number) for number in range(12)]


def count(client, query):
    """Return the number that the button says, which scripts ask for, and that of what is listed."""
    button = client.get(f"/?{query}&view=count").content.decode()
    said = re.fullmatch(r'<button type="submit" id="count">Visa (\d+)</button>\s*', button)[1]
    return int(said), len(set(opened(client, f"/?{query}").xpath("//main//@data-o")))


@pytest.mark.parametrize(
    "query",
    ["during=2026-07-29&after=15", "during=2026-07-29&area=Ångtorget&type=4001", "highlighted", "q=jazz"],
)
def test_the_button_says_how_many_it_shows(client, query):
    said, listed = count(client, query)
    # A search lists an event once.
    assert said == (6 if query == "q=jazz" else listed) > 0
    assert "Show " in client.get(f"/en/?{query}&view=count").content.decode()


def test_each_choice_finds_something_and_links_say_how_much(client):
    page = opened(client, "/?during=2026-07-29")
    boxes = page.xpath("//form//label/input[@name!='area' and @value!='']")
    assert {"after", "location", "type", "organizer", "highlighted"} <= {each.get("name") for each in boxes}
    for box in boxes:
        found = opened(client, f"/?during=2026-07-29&{box.get('name')}={box.get('value')}")
        assert found.xpath("//ol[@class='slots']//@data-o"), box.get("value")
    for name, path in links(page, f"{PILLS}/a"):
        assert name.endswith(f" {len(set(opened(client, path).xpath('//@data-o')))}")


AFTER = "//label[input[@name='after']]"


def test_an_hour_leaves_what_begins_later_and_stays_in_all_links(client):
    assert texts(opened(client, "/?during=2026-07-29"), AFTER) == [
        "När som helst", "efter 15", "efter 18", "efter 21",
    ]  # fmt: skip
    page = opened(client, "/?during=2026-07-29&after=15")
    assert text(page.xpath("//p[@class='size']")[0]) == "6 programpunkter"
    assert links(page, "//form/p[@class='chips']/a")[0][1] == "/?during=2026-07-29"
    paths = ("//nav[@class='days']//a", "//nav[@class='areas']//a", "//p[@class='ways']/a[position()<3]")
    inside = [each for path in paths for each in links(page, path)]
    assert len(inside) > 6
    assert all("after=15" in path for _name, path in inside)
    assert texts(page, f"{AFTER}[input/@checked]") == ["efter 15"]
    # What is no hour is ignored, as what no view is.
    assert count(client, "during=2026-07-29&after=25") == (8, 8)


def test_what_is_chosen_is_ticked_and_a_chip_that_says_where_else_it_stands(client):
    page = opened(
        client,
        "/?during=2026-07-29&area=Ångtorget&type=4001&type=4002&room=Sal 2&q=jazz&highlighted&after=15",
    )
    chips = page.xpath("//form/p[@class='chips']/a")
    assert [(text(each), each.get("class")) for each in chips] == [
        ("Ångtorget × (Ta bort)", "in-pill"),
        ("Sal 2 × (Ta bort)", None),
        ("Konsert × (Ta bort)", None),
        ("Övrigt, blandat × (Ta bort)", None),
        ("höjdpunkter × (Ta bort)", "in-pill"),
        ("efter 15 × (Ta bort)", None),
        ("Rensa alla", "clear"),
    ]
    assert page.xpath("string(//input[@name='q']/@value)") == "jazz"
    assert chips[-1].get("href") == "/?during=2026-07-29"
    ticked = page.xpath("//form//input[@checked]")
    assert [(each.get("name"), each.get("value")) for each in ticked] == [
        ("after", "15"), ("area", "Ångtorget"), ("highlighted", "true"), ("type", "4001"), ("type", "4002"),
    ]  # fmt: skip


def test_of_very_many_names_the_chosen_ones_alone_are_listed(client, monkeypatch):
    monkeypatch.setattr("pages.filters.MAX_OPTIONS", 1)
    organizers = "//input[@name='organizer']"
    for path in ("/", "/en/subscribe"):
        assert opened(client, path).xpath(organizers) == []
        page = opened(client, f"{path}?organizer=3001")
        assert page.xpath(f"{organizers}[@checked]/@value") == ["3001"]
        assert "Föreningen Jazz" in texts(page, f"//label[{organizers[2:]}]")
