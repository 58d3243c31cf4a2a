"""Linked Events: pages and lists of events, series and their occasions, and links."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.facts import facts_of
from feeds.festival_time import FestivalTime
from programme.exchange.readers.grouping import build_contents
from programme.exchange.readers.linked_events import is_linked_events, read_linked_events
from programme.exchange.values import Contents, ImportDefaults, UnreadableFileError
from tests.programme.exchange.readers.linked_events import API, CHILDREN, JAZZ, MUSIC, PARK, event, page

HELSINKI = FestivalTime("Europe/Helsinki", 4)


def contents(document: Any) -> Contents:
    schedule = read_linked_events(json.dumps(document).encode(), ImportDefaults(HELSINKI))
    return build_contents(schedule, HELSINKI.zone, "sv", ImportDefaults(HELSINKI))


def find_problems(document: Any) -> list[tuple[str, str]]:
    return [(problem.where, problem.what) for problem in contents(document).problems]


def test_an_event_with_all_its_fields():
    found = contents([page(JAZZ), page(PARK), page(MUSIC)])
    [event] = found.events
    [occasion] = event.occasions
    assert (event.key, event.title, event.type, event.organizer) == (
        "fest:jazz",
        "Jazz i parken",
        "musik",
        "Parkbolaget",
    )
    assert (event.language, event.external_url) == ("sv", "https://fest.example/jazz")
    assert event.image_url == "https://fest.example/jazz.jpg"
    assert event.more == {
        "intro_sv": "Fyra timmar.",
        "description_sv": "Fyra timmar.\n\nMed kaffe.\n\nVid dammen",
        "intro_en": "Four hours.",
        "description_en": "With coffee.",
        "price": "5–15 €",
        "ticket_url": "https://tickets.example/jazz",
        "image_caption": "En saxofon. Foto: Bo",
    }
    assert (occasion.location, occasion.address) == ("Parken", "Parkvägen 1, Helsingfors")
    assert (occasion.guid, occasion.cancelled) == ("fest:jazz", False)
    assert f"{occasion.start:%d %H:%M}–{occasion.end:%H:%M}" == "28 15:00–19:00"
    assert found.problems == ()
    assert "location" in found.stated


def test_the_source_is_that_of_all_events():
    for events, source in ((JAZZ, event("tea")), "fest"), ((JAZZ, event("tea", data_source="other")), ""):
        content = json.dumps(page(*events)).encode()
        assert read_linked_events(content, ImportDefaults(HELSINKI)).conference.acronym == source


@pytest.mark.parametrize(
    "document",
    [page(JAZZ), [JAZZ], [page(JAZZ)], JAZZ, [page(), page(JAZZ)], page(JAZZ | {"location": PARK})],
)
def test_pages_lists_and_single_events(document):
    assert is_linked_events(json.dumps(document).encode())
    assert [event.title for event in contents(document).events] == ["Jazz i parken"]


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{", b"[1]", b'{"schedule": {"conference": {}}}', b"<a/>", b'{"data": [{"id": 1}]}'],
)
def test_other_documents_are_none(content):
    assert not is_linked_events(content)


def test_further_pages_are_asked_for():
    assert find_problems([page(JAZZ, count=31, next=f"{API}/event/?page=2"), PARK, MUSIC]) == [
        ("the file", "only 1 of 31 events are in the file; the others are on further pages")
    ]


def series(**more: Any) -> list[dict[str, Any]]:
    above = event(
        "series",
        super_event_type="recurring",
        start_time="2026-07-28T15:00:00Z",
        end_time="2026-08-01T15:00:00Z",
    )
    bare = {
        "short_description": None,
        "description": {},
        "location": {"@id": ""},
        "super_event": {"@id": above["@id"]},
    }
    below = [
        event(f"day{day}", **bare, start_time=f"2026-07-{day}T15:00:00Z", end_time=f"2026-07-{day}T16:00:00Z")
        | more
        for day in (29, 28)
    ]
    return [above, *below]


def test_the_events_below_a_recurring_one_are_its_occasions():
    [found] = contents([*series(), PARK]).events
    assert (found.key, found.more["intro_sv"]) == ("fest:series", "Fyra timmar.")
    assert [(each.guid, each.start.day) for each in found.occasions] == [
        ("fest:day28", 28),
        ("fest:day29", 29),
    ]


def test_events_inside_a_recurring_one_are_its_occasions():
    above, *below = series()
    for each in below:
        del each["super_event"]
    [found] = contents([above | {"sub_events": below}]).events
    assert (found.key, len(found.occasions)) == ("fest:series", 2)


def test_the_events_below_an_umbrella_are_events():
    above, *below = series()
    found = contents([above | {"super_event_type": "umbrella"}, *below]).events
    assert sorted(event.key for event in found) == ["fest:day28", "fest:day29", "fest:series"]


def test_a_series_without_its_occasions_is_reported_and_not_gone():
    found = contents([series()[0], event("tea", location=PARK, keywords=[])])
    assert [event.key for event in found.events] == ["fest:tea"]
    assert [(problem.where, problem.what) for problem in found.problems] == [
        (
            "Jazz i parken (fest:series)",
            "left out, because the file does not hold the occasions of this series",
        )
    ]
    assert found.unread_keys == {"fest:series"}


def test_events_above_each_other_come_to_an_end():
    one = event("one", super_event={"@id": f"{API}/event/fest:two/"}, super_event_type="recurring")
    two = event("two", super_event={"@id": f"{API}/event/fest:one/"}, super_event_type="recurring")
    assert contents([one, two, PARK, MUSIC]).events is not None


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"start_time": "2026-07-28", "end_time": None}, "28 04:00–28 23:59"),
        ({"start_time": "2026-07-28", "end_time": "2026-07-29"}, "28 04:00–29 23:59"),
        ({"start_time": "2026-07-28", "end_time": "2026-07-28T15:00:00Z"}, "28 04:00–28 18:00"),
        ({"end_time": "2026-07-28"}, "28 18:00–28 23:59"),
        ({"end_time": None}, "28 18:00–28 18:30"),
    ],
)
def test_days_without_times(more, expected):
    [found] = contents([JAZZ | more]).events
    start, end = (HELSINKI.local(moment) for moment in (found.occasions[0].start, found.occasions[0].end))
    assert f"{start:%d %H:%M}–{end:%d %H:%M}" == expected


def test_cancelled_postponed_deleted_and_drafts():
    found = contents(
        [
            event("off", event_status="EventCancelled"),
            event("later", event_status="EventPostponed", start_time=None, end_time=None),
            event("gone", deleted=True),
            event("draft", publication_status="draft"),
            PARK,
            MUSIC,
        ]
    )
    assert [(event.key, event.cancelled) for event in found.events] == [("fest:off", True)]
    assert {(problem.where, problem.what) for problem in found.problems} == {
        ("Jazz i parken (fest:later)", "left out, because it is postponed and has no time yet"),
        ("Jazz i parken (fest:draft)", "left out, because it is a draft there"),
    }
    assert all(problem.left_out for problem in found.problems)
    assert found.unread_keys == {"fest:later", "fest:draft"}


def test_finnish_alone_gives_the_title_and_no_texts():
    finnish = {
        "name": {"fi": "Jatsia"},
        "short_description": {"fi": "Neljä tuntia."},
        "description": {"fi": "Kahvia."},
    }
    found = contents([JAZZ | finnish | {"location_extra_info": None}, PARK, MUSIC])
    assert [(event.title, event.more.get("intro_sv")) for event in found.events] == [("Jatsia", None)]
    assert [problem.what for problem in found.problems] == [
        "its texts are neither in Swedish nor in English, and left out"
    ]


def test_of_two_versions_the_later_counts():
    old = JAZZ | {"last_modified_time": "2026-01-01T00:00:00Z", "name": {"sv": "Blues"}}
    new = JAZZ | {"last_modified_time": "2026-02-01T00:00:00Z"}
    assert [event.title for event in contents([new, old]).events] == ["Jazz i parken"]


@pytest.mark.parametrize(
    ("offer", "price"), [({"is_free": True}, "Gratis"), ({"price": "9 €"}, "9 €"), ({}, "")]
)
def test_prices(offer, price):
    [found] = contents([JAZZ | {"offers": [offer]}]).events
    assert found.more.get("price", "") == price


odd = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["", " ", "<p>", "\ud800", "a\x00b"])
    | st.sampled_from([JAZZ["@id"], "fest:jazz", "2026-07-28"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["sv", "id", "@id", "name", "url"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(sorted({*JAZZ, "audience", "audience_min_age", "enrolment_url"})), odd, max_size=8
    )
)
def test_whatever_the_values_are_the_file_is_read(values):
    found = contents([page(event("tea"), event("odd") | values)])
    assert "fest:tea" in {each.key for each in found.events} | found.unread_keys


def test_a_file_that_is_cut_off_is_refused():
    with pytest.raises(UnreadableFileError, match="cut off"):
        read_linked_events(json.dumps([JAZZ]).encode()[:-5], ImportDefaults(HELSINKI))


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"audience": [{"@id": CHILDREN["@id"]}], "keywords": [{"name": {"en": "Seniors"}}, {"@id": MUSIC["@id"]}]},
         {"audience": "children seniors"}),
        ({"audience_min_age": 7, "audience_max_age": None}, {"age": "7-"}),
        ({"audience_min_age": 12, "audience_max_age": 6}, {}),
        ({"offers": [{"is_free": True}, {"is_free": True, "price": {"sv": "Ta med kaffe"}}]}, {"free": "true"}),
        ({"offers": [{"is_free": True}, {"is_free": False}]}, {}),
        ({"enrolment_url": {"sv": "https://a.example/"}, "enrolment_start_time": "2026-07-01T09:00:00Z"},
         {"booking": "needed", "booking_url": "https://a.example/", "booking_from": datetime(2026, 7, 1, 9, tzinfo=UTC)}),
    ],
)  # fmt: skip
def test_facts(more, expected):
    [found] = contents([JAZZ | more, MUSIC, CHILDREN]).events
    facts = {*(fact.name for fact in facts_of("event")), "booking_url", "booking_from"}
    assert {name: value for name, value in found.more.items() if name in facts} == expected
