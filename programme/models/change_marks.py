"""Which mark of change holds for an occasion: its own or its event's (decisions, "Selection")."""

from datetime import datetime
from typing import NamedTuple


class ChangeMark(NamedTuple):
    """When something was marked as changed, and the note; a note may have been entered without a mark."""

    at: datetime | None = None
    note: str = ""


def resolve_mark(own: ChangeMark, event: ChangeMark) -> ChangeMark:
    """Return the later mark, with its note; of the same moment, the occasion's own."""
    if own.at is None:
        return own if own.note and event.at is None else event
    return own if event.at is None or own.at >= event.at else event
