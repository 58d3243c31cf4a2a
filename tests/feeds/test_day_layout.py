"""Laying out: nothing lies on anything else, hours hold what goes on, and the wall clock is what counts."""

import datetime as dt
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds import day_layout
from feeds.festival_time import FestivalTime
from programme.backoffice.timetable.days import find_change
from tests.programmes import utc

NIGHTS = FestivalTime("Europe/Stockholm", 5)
SATURDAY = dt.date(2026, 8, 1)
NOON, EVENING = utc(2026, 8, 1, 10), utc(2026, 8, 1, 18)


class Held(NamedTuple):
    id: int
    start: dt.datetime = NOON
    end: dt.datetime = EVENING


def lanes(*spans: tuple[int, int]) -> list[day_layout.Lane]:
    column = [(Held(number), day_layout.MinuteSpan(*span)) for number, span in enumerate(spans)]
    return [
        block.lane for block in sorted(day_layout.lay_out_blocks(column), key=lambda block: block.occasion.id)
    ]


ALONE = day_layout.Lane(0, 1)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(600, 660)], [ALONE]),
        ([(600, 660), (660, 720)], [ALONE, ALONE]),
        ([(600, 660), (600, 660)], [day_layout.Lane(0, 2), day_layout.Lane(1, 2)]),
        (
            [(600, 720), (630, 660), (660, 700)],
            [day_layout.Lane(0, 2), day_layout.Lane(1, 2), day_layout.Lane(1, 2)],
        ),
        # The third hangs together with the first by the second.
        (
            [(600, 660), (630, 700), (660, 690), (700, 720)],
            [day_layout.Lane(0, 2), day_layout.Lane(1, 2), day_layout.Lane(0, 2), ALONE],
        ),
        # Five minutes are drawn as high as fifteen.
        ([(600, 605), (605, 660)], [day_layout.Lane(0, 2), day_layout.Lane(1, 2)]),
        ([(600, 605), (615, 660)], [ALONE, ALONE]),
    ],
)
def test_what_goes_on_at_once_stands_beside_each_other(spans, expected):
    assert lanes(*spans) == expected


SPANS = st.lists(
    st.tuples(st.integers(0, 1800), st.integers(1, 700)).map(lambda each: (each[0], sum(each))), max_size=25
)


@given(SPANS)
def test_no_block_lies_on_another(spans):
    column = [(Held(number), day_layout.MinuteSpan(*span)) for number, span in enumerate(spans)]
    laid = list(day_layout.lay_out_blocks(column))
    assert sorted(block.occasion.id for block in laid) == list(range(len(spans)))
    assert all(0 <= block.lane.number < block.lane.total for block in laid)
    for one in laid:
        for other in laid:
            if one.occasion.id < other.occasion.id and _together(one.span, other.span):
                assert one.lane.total == other.lane.total
                assert one.lane.number != other.lane.number


def _together(one: day_layout.MinuteSpan, other: day_layout.MinuteSpan) -> bool:
    ends = [max(span.ends, span.begins + day_layout.MIN_HEIGHT) for span in (one, other)]
    return max(one.begins, other.begins) < min(ends)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (utc(2026, 8, 1, 18), utc(2026, 8, 1, 19), day_layout.MinuteSpan(1200, 1260)),
        # 01:00 to 02:30 in the night after: the festival day goes on.
        (utc(2026, 8, 1, 23), utc(2026, 8, 2, 0, 30), day_layout.MinuteSpan(1500, 1590)),
        (utc(2026, 7, 31, 22), utc(2026, 8, 1, 8), day_layout.MinuteSpan(0, 600)),
    ],
)
def test_minutes_are_numbered_by_the_clock_that_the_day_begins_with(start, end, expected):
    assert day_layout.find_span(Held(1, start, end), SATURDAY, NIGHTS) == expected


def test_no_minute_comes_twice_and_none_is_left_out():
    # From 02:50 to 02:10, twenty minutes later, in the night when the clock goes back.
    held = Held(1, utc(2026, 10, 25, 0, 50), utc(2026, 10, 25, 1, 10))
    assert day_layout.find_span(held, dt.date(2026, 10, 24), NIGHTS) == day_layout.MinuteSpan(1610, 1630)


# The days that both changes of the clock are in, and those after.
CHANGING = st.sampled_from([dt.date(2026, *each) for each in ((3, 28), (3, 29), (10, 24), (10, 25))])


@given(day=CHANGING, first_hour=st.integers(0, 8), minute=st.integers(0, 2800))
def test_minutes_and_what_the_clock_shows_lead_to_each_other(day, first_hour, minute):
    festival = FestivalTime("Europe/Stockholm", first_hour)
    minute += first_hour * 60
    instant = day_layout.find_instant(minute, day, festival)
    assert day_layout.count_minutes(instant, day, festival) == minute
    begins, ends = day_layout.find_day(day, festival)
    assert (begins <= minute < ends) is (festival.day_of(instant) == day)
    # What scripts make of the change.
    changes, change = find_change(day, festival)
    shown = minute + change if change and minute >= changes else minute
    assert f"{festival.local(instant):%H:%M}" == f"{shown // 60 % 24:02}:{shown % 60:02}"
    if minute % 60 == 0:
        assert day_layout.list_hours(day_layout.MinuteSpan(minute, minute), day, festival) == [
            (minute, f"{festival.local(instant):%H:%M}")
        ]


@pytest.mark.parametrize(
    ("span", "long"), [((600, 1320), False), ((600, 1321), True), ((-60, 400), False), ((-400, 400), True)]
)
def test_only_what_is_long_stands_above_the_hours(span, long):
    assert day_layout.is_long(day_layout.MinuteSpan(*span)) is long


@pytest.mark.parametrize(
    ("span", "drawn"),
    [((300, 400), (300, 400)), ((-60, 400), (300, 400)), ((200, 300), (300, 301)), ((299, 301), (300, 301))],
)
def test_what_began_the_evening_before_is_drawn_from_the_days_beginning(span, drawn):
    assert day_layout.clip_to_day(day_layout.MinuteSpan(*span), first_hour=5) == day_layout.MinuteSpan(*drawn)


@pytest.mark.parametrize(
    ("spans", "around", "expected"),
    [
        ([], day_layout.HOUR, day_layout.MinuteSpan(540, 1140)),
        ([(615, 700)], day_layout.HOUR, day_layout.MinuteSpan(540, 780)),
        ([(615, 700)], 0, day_layout.MinuteSpan(600, 720)),
        # No hour before the day begins, none after it has ended unless something goes on then.
        ([(300, 1735)], day_layout.HOUR, day_layout.MinuteSpan(300, 1740)),
        ([(300, 1790)], day_layout.HOUR, day_layout.MinuteSpan(300, 1800)),
        ([(600, 660)], day_layout.DAY, day_layout.MinuteSpan(300, 1740)),
        ([(600, 1790)], day_layout.DAY, day_layout.MinuteSpan(300, 1800)),
    ],
)
def test_hours_hold_what_goes_on_and_as_many_around_as_are_asked_for(spans, around, expected):
    day = day_layout.MinuteSpan(300, 1740)
    assert (
        day_layout.find_visible_hours([day_layout.MinuteSpan(*span) for span in spans], day, around)
        == expected
    )


def test_a_column_is_as_wide_as_its_lanes_need_and_takes_no_half_of_the_screen():
    widths = [
        day_layout.compute_width(
            [day_layout.Block(None, day_layout.MinuteSpan(0, 60), day_layout.Lane(0, lanes))] * lanes, 0.7, 6
        )
        for lanes in (0, 1, 2, 5, 8, 9, 90)
    ]
    assert widths == pytest.approx([1, 1, 1.4, 3.5, 5.6, 6, 6])
