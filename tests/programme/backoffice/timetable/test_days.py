"""Where a day opens: past what is left of the night, and as a list at what is on or comes next."""

import pytest

from feeds.day_layout import HOUR, MinuteSpan
from programme.backoffice.timetable.days import find_current_or_next, find_first_of_day


def timed(*hours: tuple[float, float]) -> list[tuple[int, MinuteSpan]]:
    return [
        (number, MinuteSpan(int(begins * HOUR), int(ends * HOUR)))
        for number, (begins, ends) in enumerate(hours)
    ]


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        ([(10, 11), (12, 13)], 0),
        # A party goes on until one, and the day begins at ten.
        ([(0, 1), (10, 11), (12, 13)], 1),
        # One after the other.
        ([(0, 1), (5.5, 6), (10, 11), (12, 13), (14, 15)], 2),
        # No long gap: until ten something goes on.
        ([(0, 7), (10, 11), (12, 13)], 0),
        ([(0, 1), (4.75, 5), (8, 9), (9, 10)], 0),
        # A day of the night.
        ([(0, 1), (10, 11)], 0),
        # A morning is no night, be it ever so lonely.
        ([(9, 10), (18, 19), (19, 20), (20, 21)], 0),
        # What began the evening before is not of the day.
        ([(-2, 3), (10, 11)], 1),
        ([(-2, 3)], None),
        # In any order.
        ([(12, 13), (10, 11), (0, 1)], 1),
    ],
)
def test_a_day_opens_past_the_empty_hours_after_the_night(
    hours: list[tuple[float, float]], expected: int | None
) -> None:
    assert find_first_of_day(timed(*hours), 0) == expected


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        # The list begins with what comes next, or is on.
        (9, None),
        (10.5, None),
        # Ends are not included.
        (11, 2),
        (18, 2),
        (20, 3),
        (22, None),
    ],
)
def test_a_list_opens_at_what_is_on_or_comes_next(now: float, expected: int | None) -> None:
    hours = [(10, 11), (10, 21), (18, 20), (20, 22)]
    assert find_current_or_next(timed(*hours), int(now * HOUR)) == expected


def test_what_goes_on_for_half_a_day_is_shown_if_nothing_else_is_left() -> None:
    assert find_current_or_next(timed((10, 11), (11, 20)), 15 * HOUR) == 1
    assert find_current_or_next([], 15 * HOUR) is None
