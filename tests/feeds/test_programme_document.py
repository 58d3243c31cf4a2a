"""The programme as one document: everything once, in order, and enough to make `/api/events.json` of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.formats import BY_EXTENSION
from feeds.json_parts import encode
from feeds.listing import Listing
from feeds.names import order_name
from feeds.programme import Programme
from feeds.programme_document import build_programme
from feeds.vocabulary import Event, Place
from tests.conftest import NOW
from tests.feeds.derived_events import derive_events
from tests.feeds.selections import build_listing, find_ids
from tests.feeds.strategies import NOONS, programmes
from tests.programmes import PARKEN, TOMTEN, TORGET

# The lists of a document, and where their IDs stand: (list, field).
REFERENCES = {
    "areas": [("events", "areaID"), ("subAreas", "areaID")],
    "subAreas": [("events", "subAreaID")],
    "locations": [("occasions", "locationID"), ("rooms", "locationID")],
    "rooms": [("occasions", "roomID")],
    "organizers": [("events", "organizerID")],
    "types": [("events", "typeID")],
    "languages": [("events", "language")],
    "events": [("occasions", "eventID")],
}
FILTERS = [
    "date=2026-07-29", "date=upcoming", "area=Ångtorget", "subarea=none", "subarea=Scenen", "room=Sal 2",
    "organizer=3001", "highlighted", "q=jazz", "occation=8001", "area=nowhere",
]  # fmt: skip


def read(listing: Listing, *, is_brief: bool = False) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(encode(build_programme(listing, is_brief=is_brief)))
    return document


def identify(element: dict[str, Any]) -> Any:
    return element.get("id", element.get("code"))


def order_events(document: dict[str, Any]) -> list[int]:
    """Return the IDs of events in the order of their first occasions."""
    return list(dict.fromkeys(each["eventID"] for each in document["occasions"]))


def give_ids(programme: Programme) -> Programme:
    """Return the programme with an ID for each value, as the database gives them: those of strategies repeat."""
    numbers: dict[Any, int] = {}

    def number(value: Any) -> Any:
        return value and replace(value, id=numbers.setdefault(value, len(numbers) + 1))

    def place(held: Place | None) -> Place | None:
        # A room belongs to one location.
        return held and Place(
            number(held.location),
            held.room and replace(held.room, id=numbers.setdefault(held, len(numbers) + 1)),
        )

    def event(each: Event) -> Event:
        # Names of a language may differ in strategies.
        language = each.language and replace(each.language, code=str(each.language.name))
        kinds = number(each.type), tuple(map(number, each.further_types))
        return replace(each, type=kinds[0], further_types=kinds[1], language=language)

    return replace(
        programme,
        occasions=tuple(
            replace(each, event=event(each.event), place=place(each.place)) for each in programme.occasions
        ),
    )


@given(programme=programmes(), now=st.sampled_from(NOONS))
def test_events_can_be_made_of_it_to_the_byte(programme, now):
    programme = give_ids(programme)
    document = read(build_listing(programme, "", now))
    for language in ("sv", "en"):
        events = BY_EXTENSION["json"]().write_events(build_listing(programme, f"language={language}", now))
        assert derive_events(document, now, language) == events


@pytest.mark.parametrize(
    ("sv", "en"), [("https://kulturnatten.example/{uuid}", ""), ("", "https://x.example/{id}")]
)
def test_addresses_on_the_website_of_a_festival_stand_at_occasions(sv, en, sample_programme):
    site = replace(sample_programme.site, occasion_url_sv=sv, occasion_url_en=en)
    programme = replace(sample_programme, site=site)
    document = read(build_listing(programme))
    assert document["festival"]["occasionUrl"] is None
    assert derive_events(document, NOW) == BY_EXTENSION["json"]().write_events(build_listing(programme))


@pytest.mark.parametrize("query", FILTERS)
def test_a_selection_holds_its_occasions_and_what_they_name(query, sample_programme):
    whole, part = read(build_listing(sample_programme)), read(build_listing(sample_programme, query))
    assert [each["id"] for each in part["occasions"]] == find_ids(sample_programme, query)
    for kind, places in REFERENCES.items():
        named = {each[field] for name, field in places for each in part[name]} - {None}
        assert [each for each in whole[kind] if identify(each) in named] == (
            sorted(part[kind], key=whole[kind].index) if kind == "events" else part[kind]
        )
        assert len(named) == len(part[kind])
    assert [event["id"] for event in part["events"]] == order_events(part)
    assert part["festival"] == whole["festival"]
    assert part["removed"] == []


def test_the_whole_holds_empty_areas_in_order(sample_programme):
    whole = read(build_listing(sample_programme))
    assert [area["id"] for area in whole["areas"]] == [TORGET, PARKEN, TOMTEN]
    assert [event["id"] for event in whole["events"]] == order_events(whole)
    for kind in ("locations", "rooms", "organizers"):
        assert whole[kind] == sorted(whole[kind], key=lambda each: (order_name(each["name"]), each["id"]))


def test_both_languages_are_there_whatever_the_language(sample_programme):
    listings = (build_listing(sample_programme, f"language={code}") for code in ("sv", "en"))
    swedish, english = (encode(build_programme(each)) for each in listings)
    assert swedish == english
