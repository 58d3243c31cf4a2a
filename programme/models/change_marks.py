"""Which mark of change holds for an occasion (decisions, "Selection"): its own or its event's."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from feeds.transitions import UPDATED_FOR
from feeds.vocabulary import Text

NO_NOTE = Text()
# The columns of a note: the Swedish one is older than the other.
NOTE = ("change_info", "change_info_en")
MARK = {"changed_at", *NOTE}
# What an occasion has that was not moved.
NO_MOVE: dict[str, Any] = {"previous_start": None, "previous_place": "", "moved_at": None}


class ChangeMark(NamedTuple):
    """When something was marked as changed, and the note; a note may have been entered without a mark."""

    at: datetime | None = None
    note: Text = NO_NOTE

    @classmethod
    def of(cls, row: Any) -> "ChangeMark":
        """Return the mark of an event, or of an occasion by itself."""
        return cls(row.changed_at, Text(row.change_info, row.change_info_en))

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> "ChangeMark":
        return cls(row["changed_at"], Text(*(row[name] for name in NOTE)))


def build_note(note: Text) -> dict[str, Any]:
    return dict(zip(NOTE, (note.sv, note.en), strict=True))


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
