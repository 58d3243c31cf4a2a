"""Times of occasions in the demo's files."""

from datetime import time

import pytest

from programme.demo.files import parse_times


@pytest.mark.parametrize(
    ("at", "times"),
    [
        ("3 18:00-19:00", [(3, time(18), time(19), None)]),
        ("2,4 22:00-03:00", [(2, time(22), time(3), None), (4, time(22), time(3), None)]),
        ("1-3 09:00-09:30", [(day, time(9), time(9, 30), None) for day in (1, 2, 3)]),
        ("1 20:00-5 23:00", [(1, time(20), time(23), 5)]),
    ],
)
def test_times_of_occasions_are_read(at, times):
    assert list(parse_times(at)) == times


@pytest.mark.parametrize("at", ["", "6 10:00-11:00", "3 10-11", "3 10:00–11:00", "3 10:00-11:00 "])
def test_times_that_cannot_be_read_are_refused(at):
    with pytest.raises(ValueError, match="not the times of an occasion"):
        list(parse_times(at))
