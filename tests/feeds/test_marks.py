"""A mark is what readers were last told of an occasion, and never says what is not so."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.marks import NO_MARK, Mark, find_mark
from feeds.news import News, NewsFacts, NewsState
from feeds.vocabulary import Text
from tests.conftest import NOW

HOUR = timedelta(hours=1)
ID = UUID(int=0)
NOTE = Text("Regn")


def held(start: datetime = NOW, place: int = 1, *, cancelled: bool = False) -> NewsState:
    return NewsState(start, start + HOUR, cancelled, place, None, f"Plats {place}")


def told(
    kind: Any, before: NewsState | None, after: NewsState | None, at: datetime = NOW, note: Text = NOTE
) -> News:
    return News(ID, ID, kind, 1, 1, 1, at, at, before, after, NewsFacts(), note)


LATER, ELSEWHERE, OFF = held(NOW + HOUR), held(place=2), held(cancelled=True)


@pytest.mark.parametrize(
    ("news", "now", "expected"),
    [
        ([], held(), NO_MARK),
        # What neither gives a mark nor clears one.
        ([told("new", None, held())], held(), NO_MARK),
        (
            [told("changed", held(), held()), told("withdrawn", held(), None, NOW + HOUR)],
            held(),
            Mark(NOW, NOTE),
        ),
        ([told("moved", held(), LATER)], LATER, Mark(NOW, NOTE, NOW)),
        ([told("moved", held(), ELSEWHERE)], ELSEWHERE, Mark(NOW, NOTE, None, "Plats 1")),
        # It is back where it was, untold: what was said of the move is not so any more.
        ([told("moved", held(), LATER)], held(), Mark(NOW)),
        # Readers were told that it is back, and why.
        (
            [told("moved", held(), LATER, note=Text("Åska")), told("moved", LATER, held(), NOW + HOUR)],
            held(),
            Mark(NOW + HOUR, NOTE),
        ),
        # Seconds are not seen.
        ([told("moved", held(NOW + timedelta(seconds=5)), held())], held(), Mark(NOW, NOTE)),
        ([told("cancelled", held(), OFF)], OFF, Mark(NOW, NOTE)),
        # It is held after all, or not, and nobody was told.
        ([told("cancelled", held(), OFF)], held(), NO_MARK),
        ([told("cancelled", held(), OFF), told("reinstated", OFF, held(), NOW + HOUR)], OFF, Mark(NOW, NOTE)),
        ([told("reinstated", OFF, held(), NOW, Text())], held(), Mark(NOW)),
        # What is cancelled was not moved, and why it was moved is no reason.
        ([told("moved", held(), LATER), told("changed", LATER, LATER, NOW + HOUR)], OFF, Mark(NOW + HOUR)),
        (
            [told("cancelled", held(), OFF), told("changed", OFF, OFF, NOW + HOUR)],
            OFF,
            Mark(NOW + HOUR, NOTE),
        ),
    ],
)
def test_a_mark_is_of_the_latest_row_that_is_so(news: list[News], now: NewsState, expected: Mark) -> None:
    assert find_mark(news, now, {}) == expected


@pytest.mark.parametrize(("gap", "start"), [(35, NOW), (36, NOW + HOUR)])
def test_of_several_moves_the_first_is_said_while_each_was_told_within_36_hours(
    gap: int, start: datetime
) -> None:
    again = held(NOW + 2 * HOUR)
    news = [told("moved", held(), LATER), told("moved", LATER, again, NOW + gap * HOUR)]
    assert find_mark(news, again, {}).previous_start == start
    # Whatever was told between them.
    between = told("changed", LATER, LATER, NOW + 10 * HOUR)
    news = [*news[:1], between, told("moved", LATER, again, NOW + 45 * HOUR)]
    assert find_mark(news, again, {}).previous_start == NOW


def test_a_location_that_was_merged_into_another_is_no_other_place() -> None:
    news = [told("moved", held(NOW - HOUR, 2), held())]
    assert find_mark(news, held(), {}) == Mark(NOW, NOTE, NOW - HOUR, "Plats 2")
    assert find_mark(news, held(), {"location": {2: 1}}) == Mark(NOW, NOTE, NOW - HOUR)


states = st.builds(
    held, st.integers(0, 3).map(lambda hours: NOW + hours * HOUR), st.integers(1, 2), cancelled=st.booleans()
)
kinds = st.sampled_from(["new", "moved", "cancelled", "reinstated", "withdrawn", "changed"])
moments = st.integers(0, 200).map(lambda hours: NOW + hours * HOUR)
histories = st.lists(
    st.builds(told, kinds, states, states, moments, st.sampled_from([NOTE, Text()])), max_size=6
)


@given(histories, states)
def test_a_mark_never_says_what_is_not_so(news: list[News], now: NewsState) -> None:
    mark = find_mark(news, now, {})
    notes = {mark.change_info, Text()}
    given_by = [each for each in news if each.told_at == mark.changed_at and {each.note, Text()} >= notes]
    kinds = {each.kind for each in given_by}
    wrong = {"new", "withdrawn", "reinstated" if now.cancelled else "cancelled"}
    assert mark == NO_MARK or kinds - wrong
    assert mark.previous_start != now.start
    assert mark.previous_place != now.place
    if now.cancelled or mark == NO_MARK:
        assert mark[2:] == (None, "")
    # The order in which rows are read says nothing.
    if len({each.told_at for each in news}) == len(news):
        assert find_mark(reversed(news), now, {}) == mark
