"""A snapshot: the span of time in which the clock changes no answer, no longer and no shorter."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from feeds.formats import FORMATS
from feeds.json_parts import build_areas, encode
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot
from tests.conftest import NOW
from tests.feeds.strategies import NOONS, programmes

A_YEAR = timedelta(days=365)
MICROSECOND = timedelta(microseconds=1)


def selections(programme: Programme) -> Iterator[Selection]:
    for language in ("sv", "en"):
        yield Selection(language=language)
        yield Selection(areas=(programme.areas[0].name,), highlighted=True, language=language)
        for moment in DateKeyword:
            yield Selection(moments=(moment,), language=language)


def write_all(programme: Programme, now: datetime) -> list[bytes]:
    """Return all responses at an instant."""
    snapshot = Snapshot(programme, now)
    listings = [Listing(snapshot, selection) for selection in selections(programme)]
    events = [each().write_events(listing) for each in FORMATS for listing in listings]
    return [*events, encode(build_areas(programme))]


@settings(max_examples=10)
@given(programme=programmes(), data=st.data())
def test_all_instants_of_a_span_have_the_same_answers_and_the_next_has_others(programme, data):
    now = data.draw(st.sampled_from([NOW, *sorted(programme.transitions.reasons)]))
    snapshot = Snapshot(programme, now)
    begins, ends = snapshot.begins or now - A_YEAR, snapshot.ends or now + A_YEAR
    microseconds = (ends - begins) // timedelta(microseconds=1)
    within = begins + timedelta(microseconds=data.draw(st.integers(0, microseconds - 1)))
    same = write_all(programme, begins if snapshot.begins else now)
    assert write_all(programme, within) == same
    assert write_all(programme, ends - MICROSECOND) == same
    if snapshot.ends:
        assert write_all(programme, ends) != same


def suspects(programme: Programme) -> set[datetime]:
    """Return all instants at which an answer might change, without knowing which of them do."""
    festival = programme.site.time
    found: set[datetime] = set()
    for occasion in programme.occasions:
        found |= {occasion.start, occasion.end}
        if changed_at := occasion.changed_at:
            found |= {changed_at, changed_at + timedelta(hours=36)}
        for instant in (occasion.start, occasion.end):
            day = festival.day_of(instant)
            days = {day + timedelta(days=offset) for offset in range(-3, 4)}
            new_years = {date(year, 1, 1) for year in range(day.year - 1, day.year + 3)}
            found |= {festival.day_begins(each) for each in days | new_years}
            found |= {festival.instant(each, time.min) for each in days | new_years}
    return found


def facts(programme: Programme, now: datetime) -> list[object]:
    snapshot = Snapshot(programme, now)
    json = FORMATS[0]().write_events
    shown = [json(Listing(snapshot, Selection(language=language))) for language in ("sv", "en")]
    return [*shown, *(snapshot.find(Selection(moments=(moment,))) for moment in DateKeyword)]


@given(programme=programmes())
def test_the_clock_changes_answers_at_the_turns_and_nowhere_else(programme):
    changing = {
        instant
        for instant in suspects(programme)
        if facts(programme, instant - MICROSECOND) != facts(programme, instant)
    }
    assert changing == set(programme.transitions.reasons)


@given(programme=programmes(), now=st.sampled_from(NOONS))
def test_spans_follow_each_other_without_a_gap(programme, now):
    transitions = sorted(programme.transitions.reasons)
    assert list(transitions) == sorted(set(transitions))
    for begins, ends in pairwise(transitions):
        first, last = Snapshot(programme, begins), Snapshot(programme, ends - MICROSECOND)
        assert (first.begins, first.ends) == (last.begins, last.ends) == (begins, ends)


def test_an_empty_programme_has_one_span_without_end(sample_programme):
    empty = msgspec.structs.replace(sample_programme, occasions=())
    snapshot = Snapshot(empty, NOW)
    assert (snapshot.begins, snapshot.ends) == (None, None)


@settings(max_examples=15)
@given(programme=programmes(), data=st.data())
def test_what_holds_nothing_of_the_clock_is_the_same_at_any_instant(programme, data):
    instants = data.draw(
        st.lists(st.sampled_from([NOW, *sorted(programme.transitions.reasons)]), min_size=2, max_size=2)
    )
    timeless = [each for each in selections(programme) if not each.moments]
    written = [
        [
            each().write_events(Listing(snapshot, selection))
            for each in FORMATS
            if not each.depends_on_time
            for selection in timeless
        ]
        + [encode(build_areas(programme))]
        for snapshot in (Snapshot(programme, instant) for instant in instants)
    ]
    assert written[0] == written[1]
