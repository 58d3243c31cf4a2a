"""Areas above the programme: all of them where they are few, the fullest of the day where they are many."""

import pytest

from pages.choices import MAX_SUGGESTIONS, suggest_names

# It takes its bound from the filters, before a test changes it there.
from pages.subscribing import MAX_OPTIONS
from programme import models
from programme.models import Area, Event, EventType, Location, Occasion
from programme.publishing.current import current
from tests.pages.reading import links, opened, text, texts
from tests.programmes import JAZZ, utc

pytestmark = pytest.mark.usefixtures("sample", "at")

PILLS = "//nav[@class='areas']/ul/li"
FOLD = "//nav[@class='areas']/details"


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


def test_sixteen_areas_are_all_above_the_fold(client):
    streets(14)
    page = opened(client, "/")
    assert len(page.xpath(PILLS)) == 16
    assert page.xpath(FOLD) == []


def test_of_more_areas_the_fullest_and_the_chosen_are_above_the_fold(client):
    streets(15)
    page = opened(client, "/?during=2026-08-01")
    assert texts(page, PILLS) == [f"Gatan {number:02} {1 if number else 3}" for number in range(8)]
    [fold] = page.xpath(FOLD)
    assert text(fold.find("summary")) == "Alla områden (17)"
    assert len(fold.findall("ul/li")) == 17
    # On a day without any of them there is nothing of theirs before the fold, but for what is chosen.
    page = opened(client, "/en/?during=2026-07-29&area=Gatan+14")
    found = texts(page, PILLS)
    assert sorted(found) == ["Gatan 14", "Parken; norr, söder & \\mitt 3", "Ångtorget 5"]
    assert links(page, f"{PILLS}/a[@aria-current]") == [("Gatan 14", "/en/?during=2026-07-29")]


def test_many_area_checkboxes_scroll(client):
    streets(14)
    assert opened(client, "/prenumerera").xpath("//fieldset[@class='many']") == []
    streets(1, "Torget")
    assert len(opened(client, "/prenumerera").xpath("//fieldset[@class='many']//input")) == 17


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
    values = page.xpath("//select[@name='type']/option[starts-with(., 'Kind')]/@value")
    assert values == [str(5000 + number) for number in range(12)]


AFTER = "//select[@name='after']/option"


def test_each_choice_says_how_much_it_would_show(client):
    page = opened(client, "/?during=2026-07-29")
    for select in page.xpath("//select"):
        for option in select.xpath("option[@value!='']"):
            label, count = text(option).rsplit(" ", 1)
            found = opened(client, f"/?during=2026-07-29&{select.get('name')}={option.get('value')}")
            assert count == f"({len(set(found.xpath('//@data-o')))})", (select.get("name"), label)
    for name, path in links(page, f"{PILLS}/a"):
        assert name.endswith(f" {len(set(opened(client, path).xpath('//@data-o')))}")


def test_an_hour_leaves_what_begins_later_and_stays_in_all_links(client):
    assert texts(opened(client, "/?during=2026-07-29"), AFTER) == [
        "Alla", "efter 15 (6)", "efter 18 (1)", "efter 21 (1)",
    ]  # fmt: skip
    # What began before the hour and goes on is there, too: 8005 ends at 14:30.
    models.Occasion.objects.filter(id=8005).update(end=utc(2026, 7, 29, 13, 30))
    current.clear()
    assert texts(opened(client, "/?during=2026-07-29&after=15"), f"{AFTER}[@selected]") == ["efter 15 (7)"]
    models.Occasion.objects.filter(id=8005).update(end=utc(2026, 7, 29, 12, 30))
    current.clear()
    page = opened(client, "/?during=2026-07-29&after=15")
    assert text(page.xpath("//p[@class='size']")[0]) == "6 programpunkter"
    assert links(page, "//form/p[@class='chips']/a")[0][1] == "/?during=2026-07-29"
    inside = links(page, "//nav[@class='days']//a") + links(page, "//nav[@class='areas']//a")
    assert inside
    assert all(
        "after=15" in path for _name, path in [*inside, *links(page, "//p[@class='ways']/a[position()<3]")]
    )
    assert texts(page, f"{AFTER}[@selected]") == ["efter 15 (6)"]
    # What is no hour is ignored, as what is no view is.
    assert (
        text(opened(client, "/?during=2026-07-29&after=25").xpath("//p[@class='size']")[0])
        == "8 programpunkter"
    )


def test_what_is_chosen_is_a_chip_that_says_where_else_it_stands(client):
    page = opened(
        client, "/?during=2026-07-29&area=Ångtorget&type=4001&room=Sal 2&q=jazz&highlighted&after=15"
    )
    chips = page.xpath("//form/p[@class='chips']/a")
    assert [(text(each), each.get("class")) for each in chips] == [
        ("Ångtorget × (Ta bort)", "in-pill"),
        ("Sal 2 × (Ta bort)", None),
        ("Konsert × (Ta bort)", "in-fold"),
        ("höjdpunkter × (Ta bort)", "in-pill"),
        ("efter 15 × (Ta bort)", "in-fold"),
        ("Rensa alla", "clear"),
    ]
    assert page.xpath("string(//input[@name='q']/@value)") == "jazz"
    assert chips[-1].get("href") == "/?during=2026-07-29"


NAMES = ["Kulturskolan", "Åsunda kulturförening", "Kulturhuset", "Föreningen Jazz", "Jazzklubben i Åsunda"]
with_many = pytest.mark.usefixtures("sample", "at", "many")


@pytest.fixture
def many(monkeypatch):
    """More organizers than are listed: of the sample's two, one."""
    monkeypatch.setattr("pages.filters.MAX_OPTIONS", 1)


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        ("kultur", ["Kulturhuset", "Kulturskolan", "Åsunda kulturförening"]),
        ("JAZZ förening", ["Föreningen Jazz"]),
        ("åsunda jazz", ["Jazzklubben i Åsunda"]),
        ("Kulturskollan", ["Kulturskolan"]),
        ("Forening jazz", ["Föreningen Jazz"]),
        ("Operan", []),
        ("kulturskolan" * 10, []),
    ],
)
def test_names_with_the_words_are_suggested_or_else_similar_names(typed, suggested):
    assert suggest_names(typed, NAMES, "sv") == suggested


def test_of_very_many_a_few_are_suggested():
    names = [f"Scen {number}" for number in range(MAX_OPTIONS + 1)]
    assert suggest_names("scen", names, "sv") == names[:MAX_SUGGESTIONS]


def field(page):
    return page.xpath("//input[@name='organizer'][@type='search']")[0]


@with_many
@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("/", "Föreningen Jazz"),
        ("/en/", "3001"),
        ("/prenumerera", "3001"),
        ("/en/subscribe", "fÖRENINGEN jazz"),
    ],
)
def test_a_name_is_typed_where_there_are_too_many_to_list(client, path, typed):
    page = opened(client, f"{path}?organizer={typed}")
    assert field(page).get("value") == "Föreningen Jazz"
    assert (page.xpath("//select[@name='organizer']"), page.xpath("//div[@class='notice']")) == ([], [])
    assert field(opened(client, path)).get("value") == ""


@with_many
def test_an_unknown_name_links_to_suggestions(client):
    page = opened(client, "/?organizer=jazz&area=Ångtorget&during=2026-07-29")
    assert texts(page, "//div[@class='notice']/p[1]") == [
        "Inget i programmet heter ”jazz”. Menade du något av det här?"
    ]
    (suggestion,) = links(page, "//div[@class='notice']//a")
    assert suggestion[0] == "Föreningen Jazz"
    found = opened(client, suggestion[1])
    assert field(found).get("value") == "Föreningen Jazz"
    assert found.xpath("//li[@data-o='8001']")
    assert texts(opened(client, "/en/?organizer=x"), "//div[@class='notice']/p") == [
        "Nothing in the programme is called “x”."
    ]


@with_many
def test_what_else_was_chosen_is_sent_along(client):
    page = opened(client, "/?organizer=Föreningen Jazz&organizer=<Åsa> %26 co; ek., för.")
    hidden = page.xpath("//form//input[@type='hidden'][@name='organizer']/@value")
    assert sorted([field(page).get("value"), *hidden]) == ["<Åsa> & co; ek., för.", "Föreningen Jazz"]


@with_many
def test_no_list_of_names_is_sent_with_the_field(client):
    models.Organizer.objects.filter(id=3001).update(name="Zzyzx")
    assert "Zzyzx" not in client.get("/").content.decode()
