"""Events and occasions of a newer file are matched, whatever was corrected in it."""

from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from programme.exchange.merge.matching import find_events, find_occasions, parse_event_key, parse_guid
from programme.exchange.readers.grouping import build_split_id
from programme.exchange.values import ScheduledEvent, ScheduledOccasion


class Known(NamedTuple):
    pk: int
    source_id: str
    title: str


class KnownOccasion(NamedTuple):
    pk: int
    source_id: str
    event_id: int
    start: datetime


def at(hour: int) -> datetime:
    return datetime(2026, 7, 29, hour, tzinfo=UTC)


def occasion(guid: str = "", hour: int = 10) -> ScheduledOccasion:
    return ScheduledOccasion(guid=guid, start=at(hour), end=at(hour + 1), cancelled=False, room="")


def event(key: str, title: str, *guids: str, split: bool = False) -> ScheduledEvent:
    return ScheduledEvent(
        key=key, source_id=build_split_id(key, title.lower()) if split else key, title=title,
        language="", type="", organizer="", occasions=tuple(map(occasion, guids)) or (occasion(),),
    )  # fmt: skip


def found(events, known, occasions=()):
    return {place: row.pk for place, row in find_events(events, known, occasions).items()}


TEA, COFFEE = Known(1, "7", "Tea"), Known(2, "8", "Coffee")
TEA_AT_TEN, COFFEE_AT_TEN = KnownOccasion(11, "g1", 1, at(10)), KnownOccasion(12, "g2", 2, at(10))
BOTH = [TEA_AT_TEN, COFFEE_AT_TEN]


def test_the_identifier_finds_an_event_whose_title_was_corrected():
    assert found([event("7", "Green tea"), event("9", "Tea")], [TEA, COFFEE]) == {0: 1}


def test_events_whose_titles_were_exchanged_stay_what_their_identifiers_say():
    assert found([event("7", "Coffee"), event("8", "Tea")], [TEA, COFFEE]) == {0: 1, 1: 2}


def test_the_guid_finds_an_event_whose_identifier_was_changed():
    assert found([event("T", "Tea", "g1"), event("8", "Coffee", "g2")], [TEA, COFFEE], BOTH) == {0: 1, 1: 2}


def test_an_event_is_not_taken_over_by_one_that_got_its_occasion():
    events = [event("9", "Coffee", "g1"), event("7", "Tea", "g3")]
    assert found(events, [TEA], [TEA_AT_TEN]) == {1: 1}


SPLIT_TEA = Known(1, build_split_id("7", "tea"), "Tea")
SPLIT_COFFEE = Known(2, build_split_id("7", "coffee"), "Coffee")


def test_events_that_share_an_identifier_are_distinguished_by_title():
    events = [event("7", "Coffee", split=True), event("7", "Tea", split=True)]
    assert found(events, [SPLIT_TEA, SPLIT_COFFEE]) == {0: 2, 1: 1}


def test_a_shared_identifier_that_comes_to_be_one_events_own_leaves_it_what_it_was():
    assert found([event("7", "Coffee")], [SPLIT_TEA, SPLIT_COFFEE]) == {0: 2}
    assert found([event("7", "Coffee"), event("9", "Tea", "g1")], [SPLIT_TEA, SPLIT_COFFEE], BOTH) == {
        0: 2,
        1: 1,
    }


def test_an_identifier_that_comes_to_be_shared_leaves_the_event_that_had_it():
    events = [event("7", "Coffee", split=True), event("7", "Tea", split=True)]
    assert found(events, [TEA]) == {1: 1}


def test_of_several_events_with_one_identifier_one_may_be_corrected():
    events = [event("7", "Espresso", split=True), event("7", "Tea", split=True)]
    assert found(events, [SPLIT_TEA, SPLIT_COFFEE]) == {0: 2, 1: 1}


def test_guids_go_before_titles_among_events_that_share_an_identifier():
    events = [event("7", "Tea", "g2", split=True), event("7", "Coffee", "g1", split=True)]
    assert found(events, [SPLIT_TEA, SPLIT_COFFEE], BOTH) == {0: 2, 1: 1}


def places(occasions, known):
    return {place: row.pk for place, row in find_occasions(occasions, known).items()}


def test_an_occasion_is_its_guid_whatever_event_and_time():
    assert places([(2, occasion("g1", hour=18)), (None, occasion("g2"))], BOTH) == {0: 11, 1: 12}


def test_an_occasion_of_another_guid_is_another_occasion():
    assert places([(1, occasion("g9"))], BOTH) == {}


TWICE = [KnownOccasion(11, "g", 1, at(10)), KnownOccasion(12, "g #2", 1, at(14))]


@pytest.mark.parametrize(
    ("hours", "pks"),
    [((10, 14), {0: 11, 1: 12}), ((14, 10), {0: 12, 1: 11}), ((14, 16), {0: 12, 1: 11}),
     ((9, 15), {0: 11, 1: 12}), ((14,), {0: 12}), ((10, 12, 14), {0: 11, 2: 12})],
)  # fmt: skip
def test_occasions_of_one_guid_are_distinguished_by_start_else_by_order(hours, pks):
    assert places([(1, occasion("g", hour)) for hour in hours], TWICE) == pks


NUMBERED = [KnownOccasion(11, "7 @1", 1, at(10)), KnownOccasion(12, "7 @2", 1, at(14))]


@pytest.mark.parametrize(
    ("hours", "pks"),
    [((10, 14), {0: 11, 1: 12}), ((9, 14), {0: 11, 1: 12}), ((14,), {0: 12}), ((8, 9, 10), {0: 12, 2: 11})],
)
def test_occasions_without_guids_are_distinguished_by_start_else_by_order(hours, pks):
    assert places([(1, occasion("", hour)) for hour in hours], NUMBERED) == pks


def test_occasions_without_guids_are_their_own_events_only():
    assert places([(2, occasion()), (None, occasion())], NUMBERED) == {}


def test_occasions_that_get_guids_in_a_newer_file_stay_what_they_were():
    assert places([(1, occasion("new", 14)), (1, occasion("other", 10))], NUMBERED) == {0: 12, 1: 11}


def test_occasions_that_lose_their_guids_stay_what_they_were():
    assert places([(1, occasion("", 14)), (1, occasion("", 10))], TWICE) == {0: 12, 1: 11}


def test_stored_identifiers_give_back_key_and_guid():
    assert [
        parse_event_key("7"),
        parse_event_key(build_split_id("7", "tea")),
        parse_event_key(build_split_id("7", "tea") + "~"),
    ] == ["7"] * 3
    assert [parse_guid("g"), parse_guid("g #2"), parse_guid("7 @1")] == ["g", "g", ""]
