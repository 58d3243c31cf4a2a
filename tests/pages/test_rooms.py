"""A room that says anything of its accessibility takes nothing from its location."""

import csv
import io

import pytest

from programme.models import Location, Room
from tests.pages.reading import opened, text, texts

pytestmark = pytest.mark.usefixtures("sample", "at")

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


@pytest.mark.parametrize(
    "hall", [{"accessibility_sv": "Nio branta steg"}, {"accessibility_en": "Steep"}, {"access": "no-loud"}]
)
def test_words_or_a_fact_of_its_own_leave_nothing_of_the_location(client, say, hall):
    say("step-free seats", hall, {})
    assert find(client, "access=step-free") == EVERYTHING - {HALL, 8014}
    assert find(client, "access=step-free&access=seats") == EVERYTHING - {HALL, 8014}


def test_a_room_of_which_nothing_is_said_has_what_its_location_has(client, say):
    say("step-free", {}, {})
    assert find(client, "access=step-free") == EVERYTHING


def test_what_a_room_states_itself_holds(client, say):
    say("seats", {"access": "step-free"}, {"access": "no-seats", "accessibility_sv": "Bara ståplats"})
    assert find(client, "access=step-free") == {HALL, 8014}
    assert find(client, "access=seats") == {WHOLE}


def test_every_representation_says_so(client, say):
    say("step-free", {"accessibility_sv": "Nio branta steg"}, {"access": "quiet-place"})
    document = client.get("/api/programme").json()
    facts = {each["id"]: each["facts"] for each in document["occasions"]}
    assert [facts[each].get("access") for each in (HALL, CELLAR, WHOLE)] == [
        *(["sign-language"], ["sign-language", "quiet-place"], ["step-free"]),
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
