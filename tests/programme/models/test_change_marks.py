"""The mark of change that holds for an occasion: its own or its event's, whichever is later."""

from datetime import timedelta

import pytest

from programme.models.change_marks import ChangeMark, resolve_mark
from tests.conftest import NOW

LATER = NOW + timedelta(microseconds=1)


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
