"""Moving occasions: what is typed."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from feeds.festival_time import Length
from programme.backoffice.forms.shifts import ShiftField


def minutes(number: int) -> Length:
    return Length(0, dt.timedelta(minutes=number))


@pytest.mark.parametrize(
    ("typed", "shift"),
    [
        ("+2 h", minutes(120)),
        ("90", minutes(90)),
        ("-15 min", minutes(-15)),
        ("−15", minutes(-15)),
        ("–1 dag", Length(-1)),
        ("-2:30", minutes(-150)),
        ("+0.45", minutes(45)),
        ("1 day 2 hours", Length(1, dt.timedelta(hours=2))),
        ("18:00", dt.time(18)),
        ("6 pm", dt.time(18)),
        ("1800", dt.time(18)),
        ("kl 18", dt.time(18)),
        ("kl. 9.15", dt.time(9, 15)),
        ("00:00", dt.time(0)),
        ("0", Length()),
        ("24 h", minutes(1440)),
        ("1,5 dygn", Length(1, dt.timedelta(hours=12))),
        ("-1,5 d", Length(-1, dt.timedelta(hours=-12))),
        ("366 d", Length(366)),
        ("  ", None),
    ],
)
def test_what_editors_type_is_understood(typed: str, shift: object) -> None:
    assert ShiftField(required=False).clean(typed) == shift


@pytest.mark.parametrize(
    "typed",
    ["x", "+", "h", "2 x", "25:00", "18:60", "2 h -30", "1e3", "+18:00:00", "٣", "2 h 3 h", "1,5", "+1830"],
)
def test_what_is_not_understood_says_how_to_write_it(typed: str) -> None:
    with override("en"), pytest.raises(ValidationError, match=r"such as \+2 h|Write it as 19:00"):
        ShiftField().clean(typed)


@pytest.mark.parametrize("typed", ["367 d", "-9000 h", "366 d 1 min"])
def test_nothing_is_moved_by_more_than_a_year(typed: str) -> None:
    with override("en"), pytest.raises(ValidationError, match="At most 366 days"):
        ShiftField().clean(typed)
