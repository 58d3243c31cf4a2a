"""The mark of change that holds for an occasion: its own or its event's, whichever is later."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.models.change_marks import ChangeMark, resolve_mark
from tests.conftest import NOW

LATER = NOW + timedelta(microseconds=1)
marks = st.builds(
    ChangeMark,
    st.none() | st.integers(0, 2).map(lambda hours: NOW + timedelta(hours=hours)),
    st.sampled_from(["", "Ny sal", "Ny tid"]),
)


@pytest.mark.parametrize(
    ("own", "event", "holds"),
    [
        (ChangeMark(NOW, "Ny sal"), ChangeMark(LATER, "Ny tid"), "event"),
        (ChangeMark(LATER, "Ny sal"), ChangeMark(NOW, "Ny tid"), "own"),
        # The note of that mark: none of the other one's.
        (ChangeMark(LATER), ChangeMark(NOW, "Ny tid"), "own"),
        (ChangeMark(NOW), ChangeMark(), "own"),
        (ChangeMark(None, "Ny sal"), ChangeMark(NOW), "event"),
        # Of the same moment; and notes without a mark.
        (ChangeMark(NOW), ChangeMark(NOW, "Ny tid"), "own"),
        (ChangeMark(None, "Ny sal"), ChangeMark(None, "Ny tid"), "own"),
        (ChangeMark(), ChangeMark(None, "Ny tid"), "event"),
    ],
)
def test_the_later_mark_holds_with_its_note(own: ChangeMark, event: ChangeMark, holds: str) -> None:
    assert resolve_mark(own, event) is (own if holds == "own" else event)


@given(marks, marks)
def test_no_mark_is_later_than_the_one_that_holds(own: ChangeMark, event: ChangeMark) -> None:
    holds = resolve_mark(own, event)
    assert holds in (own, event)
    assert holds.at == max((each.at for each in (own, event) if each.at), default=None)
