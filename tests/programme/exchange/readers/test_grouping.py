"""Entries are grouped to events, and problems are reported."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from feeds.festival_time import FestivalTime
from programme.exchange.readers.entries import build_split_id
from programme.exchange.readers.grouping import build_contents, choose_text_language
from programme.exchange.values import (
    Conference,
    Contents,
    Entry,
    ImportDefaults,
    Problem,
    Schedule,
    ScheduledEvent,
    ScheduledOccasion,
)

TEA = Entry(id="7", guid="g7", title="Tea", room="Kitchen", date="2026-07-29T15:00:00Z", duration="1:00")
LATER = "2026-07-30T15:00:00Z"


def contents(*entries: Entry, texts: str = "en") -> Contents:
    time = FestivalTime("Europe/Stockholm")
    return build_contents(Schedule(Conference(), entries), time.zone, texts, ImportDefaults(time))


def occasion(day: int = 29, **values: object) -> ScheduledOccasion:
    start, end = datetime(2026, 7, day, 15, tzinfo=UTC), datetime(2026, 7, day, 16, tzinfo=UTC)
    tea = ScheduledOccasion(guid="g7", start=start, end=end, cancelled=False, room="Kitchen")
    return replace(tea, **values)


def shape(found: Contents) -> list[tuple[str, str, list[int]]]:
    return [(e.source_id, e.title, [o.start.day for o in e.occasions]) for e in found.events]


def test_an_entry_is_an_event_with_an_occasion():
    entry = replace(
        TEA, subtitle="Sub", abstract="**One**.", description="<p>Two.</p>", track="Drinks", type="meeting",
        language="de_AT", persons=("Ada", " ", "Bo", "Ada"), url="https://fest.example/tea", logo="/logo.png",
    )  # fmt: skip
    assert contents(entry) == Contents(
        events=(
            ScheduledEvent(
                key="7", source_id="7", title="Tea", language="de-at", type="Drinks", organizer="Ada, Bo",
                occasions=(occasion(),), more={
                    "intro_en": "Sub", "description_en": "One.\n\nTwo.",
                    "external_url": "https://fest.example/tea", "image_url": "",
                },
            ),
        ),
        stated=frozenset({"title", "type", "room"})
        | {"intro_sv", "intro_en", "description_sv", "description_en", "language", "organizer", "external_url"},
    )  # fmt: skip


def test_an_event_is_its_code_else_its_id():
    first = replace(TEA, code="C", id="1")
    second = replace(TEA, code="C", id="2", guid="g8", date=LATER)
    third = replace(TEA, code="", id="1", guid="g9", date=LATER)
    assert shape(contents(first, second, third)) == [("C", "Tea", [29, 30]), ("1", "Tea", [30])]


def test_events_of_the_same_title_under_different_ids_are_different_events():
    assert shape(contents(TEA, replace(TEA, id="8", guid="g8"))) == [("7", "Tea", [29]), ("8", "Tea", [29])]


def test_the_title_decides_where_one_id_has_several():
    found = contents(
        TEA, replace(TEA, title="Coffee", guid="g8"), replace(TEA, title="TEA ", guid="g9", date=LATER)
    )
    assert shape(found) == [
        (build_split_id("7", "tea"), "Tea", [29, 30]),
        (build_split_id("7", "coffee"), "Coffee", [29]),
    ]
    assert found.problems == (Problem("7", "one identifier for several events: “Tea”, “Coffee”"),)


def test_title_and_state_say_of_an_occasion_that_it_is_cancelled_and_make_no_other_event():
    marked = replace(TEA, title="[CANCELLED] Tea", guid="g8", date=LATER)
    stated = replace(TEA, state="Canceled", guid="g9", date=LATER)
    found = contents(TEA, marked, stated)
    assert [(e.source_id, e.title) for e in found.events] == [("7", "Tea")]
    assert [each.cancelled for each in found.events[0].occasions] == [False, True, True]
    assert contents(replace(TEA, title="INSTÄLLT: Tea")).events[0].occasions == (occasion(cancelled=True),)


def test_a_repeated_guid_is_two_occasions_and_reported():
    found = contents(TEA, replace(TEA, date=LATER))
    assert found.events[0].occasions == (occasion(), occasion(30))
    assert found.problems == (Problem("Tea", "the guid g7 stands for several occasions"),)


def test_a_repeated_entry_is_read_once_and_reported():
    found = contents(TEA, TEA)
    assert found.events[0].occasions == (occasion(),)
    assert found.problems == (Problem("Tea", "stands twice in the file, word for word; taken once"),)


@pytest.mark.parametrize("duration", ["", "00:00", "0:00:00", "soon", "999:00:00"])
def test_no_usable_duration_becomes_half_an_hour_and_is_reported(duration):
    found = contents(replace(TEA, duration=duration))
    half_past = datetime(2026, 7, 29, 15, 30, tzinfo=UTC)
    problem = (
        f"no usable duration (“{duration}”): 30 minutes assumed" if duration else "no end: 30 minutes assumed"
    )
    assert found.events[0].occasions == (occasion(end=half_past, note=problem),)
    assert found.problems == (Problem("Tea", problem),)


def test_an_end_goes_before_a_duration():
    end = datetime(2026, 7, 29, 18, tzinfo=UTC)
    assert contents(replace(TEA, end="2026-07-29T18:00:00Z")).events[0].occasions == (occasion(end=end),)


def test_entries_without_title_or_start_are_left_out_and_reported():
    found = contents(
        replace(TEA, title=" "), replace(TEA, id="8", guid="", date="then"), replace(TEA, id="9", guid="g9")
    )
    assert shape(found) == [("9", "Tea", [29])]
    assert found.problems == (
        Problem("7", "left out, because it has no title", left_out=True),
        Problem("Tea", "left out, because its start cannot be read: “then”", left_out=True),
    )
    assert (found.unread_keys, found.unread_guids) == ({"7", "8"}, {"g7"})


def test_the_first_occasion_that_states_a_text_gives_it():
    found = contents(
        replace(TEA, guid="g8", date=LATER, abstract="Later", track="T"), replace(TEA, type="meeting")
    )
    assert [(e.more["intro_en"], e.type) for e in found.events] == [("Later", "T")]


def test_a_text_longer_than_its_field_is_cut_and_reported():
    found = contents(replace(TEA, title="word " * 80, room="r" * 300, persons=("Ada",) + ("Longname",) * 90))
    [event] = found.events
    assert (len(event.title), event.title[-6:]) == (300, " word…")
    assert event.occasions[0].room == "r" * 199 + "…"
    assert [problem.what[:14] for problem in found.problems] == ["cut to 300 cha", "cut to 200 cha"]


def test_a_description_longer_than_the_maximum_is_cut_and_reported():
    found = contents(replace(TEA, subtitle="Tea", description="word " * 5_000))
    [event] = found.events
    assert (len(text := event.more["description_en"]), text[-6:]) == (20_000, " word…")
    assert [problem.what[:16] for problem in found.problems] == ["cut to 20000 cha"]
    assert len(found.problems[0].what) < 600


def test_more_persons_than_fit_are_cut_between_names_and_reported():
    found = contents(replace(TEA, persons=tuple(f"Person {number}" for number in range(99))))
    assert found.events[0].organizer.endswith("Person 45, …")
    assert found.problems == (Problem("Tea", "too many names for one organizer, the last ones left out"),)


def test_addresses_that_are_no_web_addresses_are_not_taken():
    found = contents(replace(TEA, url="javascript:alert(1)", logo="ftp://fest.example/l.png"))
    assert [found.events[0].more[name] for name in ("external_url", "image_url")] == ["", ""]
    assert found.problems == (Problem("Tea", "no usable web address: “javascript:alert(1)”"),)


def test_an_identifier_that_is_too_long_is_shortened_by_its_digest():
    found = contents(replace(TEA, id="x" * 500 + "1"), replace(TEA, id="x" * 500 + "2", guid="g8"))
    assert len({event.key for event in found.events}) == 2
    assert all(len(event.source_id) < 400 for event in found.events)


@pytest.mark.parametrize(
    ("language", "default", "stored"),
    [("sv", "en", "sv"), ("sv-fi", "en", "sv"), ("en", "sv", "en"), ("de", "sv", "en"), ("", "sv", "sv")],
)
def test_texts_are_stored_as_swedish_or_else_as_english(language, default, stored):
    assert choose_text_language(language, default) == stored
    assert contents(replace(TEA, language=language), texts=default).events[0].more.keys() >= {
        f"intro_{stored}"
    }
