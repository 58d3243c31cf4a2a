"""Areas above the programme: all of them where they are few, the fullest of the day where they are many."""

import pytest

from pages.filters import MAX_SUGGESTIONS, suggest_names

# It takes its bound from the filters, before a test changes it there.
from pages.subscribing import MAX_OPTIONS
from programme import models
from programme.models import Area, Event, EventType, Location, Occasion
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
    page = opened(client, "/?date=2026-08-01")
    assert texts(page, PILLS) == [f"Gatan {number:02}" for number in range(8)]
    [fold] = page.xpath(FOLD)
    assert text(fold.find("summary")) == "Alla områden (17)"
    assert len(fold.findall("ul/li")) == 17
    # On a day without any of them there is nothing of theirs before the fold, but for what is chosen.
    page = opened(client, "/en/?date=2026-07-29&area=Gatan+14")
    found = texts(page, PILLS)
    assert sorted(found) == ["Gatan 14", "Parken; norr, söder & \\mitt", "Ångtorget"]
    assert links(page, f"{PILLS}/a[@aria-current]") == [("Gatan 14", "/en/?date=2026-07-29")]


def test_many_area_checkboxes_scroll(client):
    streets(14)
    assert opened(client, "/prenumerera").xpath("//fieldset[@class='many']") == []
    streets(1, "Torget")
    assert len(opened(client, "/prenumerera").xpath("//fieldset[@class='many']//input")) == 17


def test_a_place_with_the_name_of_its_area_is_shown_once(client):
    streets(1, "Hamnen")
    Event.objects.filter(area__name="Hamnen 00").update(location=Location.objects.create(name="Hamnen 00"))
    page = opened(client, "/?date=2026-08-01")
    assert texts(page, "//ol[@class='slots']//li[@data-o]/p")[0] == "12:00–13:00 Hamnen 00 Konsert"


def test_choices_of_one_label_have_an_order(client):
    # Sets have another order in each process, and all must write the same page.
    streets(12)
    for number, event in enumerate(Event.objects.filter(title="Fest").order_by("id")):
        event.type = EventType.objects.create(id=5000 + number, name_sv=f"Sort {number}", name_en="Kind")
        event.save()
    page = opened(client, "/en/?date=2026-08-01")
    values = page.xpath("//select[@name='type']/option[.='Kind']/@value")
    assert values == [str(5000 + number) for number in range(12)]


# --- Names that may have been meant, and the filter in which one is typed where there are too many to list


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
    assert suggest_names(typed, NAMES) == suggested


def test_of_very_many_a_few_are_suggested():
    assert (
        len(suggest_names("scen", [f"Scen {number}" for number in range(MAX_OPTIONS + 1)])) == MAX_SUGGESTIONS
    )


def field(page):
    return page.xpath("//input[@name='organizer'][@type='search']")[0]


@with_many
@pytest.mark.parametrize("path", ["/", "/en/", "/prenumerera", "/en/subscribe"])
@pytest.mark.parametrize("typed", ["Föreningen Jazz", "fÖRENINGEN jazz", "3001"])
def test_a_name_is_typed_where_there_are_too_many_to_list(client, path, typed):
    page = opened(client, f"{path}?organizer={typed}")
    assert field(page).get("value") == "Föreningen Jazz"
    assert (page.xpath("//select[@name='organizer']"), page.xpath("//div[@class='notice']")) == ([], [])
    assert field(opened(client, path)).get("value") == ""


@with_many
def test_an_unknown_name_links_to_suggestions(client):
    page = opened(client, "/?organizer=jazz&area=Ångtorget&date=2026-07-29")
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
