"""Which mark of change holds for an occasion (decisions, "Selection"): its own or its event's."""

from datetime import datetime
from typing import NamedTuple

from feeds.tallies import UPDATED_FOR


class ChangeMark(NamedTuple):
    """When something was marked as changed, and the note; a note may have been entered without a mark."""

    at: datetime | None = None
    note: str = ""


def resolve_mark(own: ChangeMark, event: ChangeMark) -> ChangeMark:
    """Return the later mark, with its note; of the same moment, the occasion's own."""
    if own.at is None:
        return own if own.note and event.at is None else event
    return own if event.at is None or own.at >= event.at else event


def tells_move(mark_at: datetime | None, moved_at: datetime | None) -> bool:
    """Return whether a mark is the news of a move: set with it or soon after, and not for something later.

    When an occasion was moved may not be known; then any mark is.
    """
    if moved_at is None:
        return True
    return mark_at is not None and moved_at <= mark_at < moved_at + UPDATED_FOR
