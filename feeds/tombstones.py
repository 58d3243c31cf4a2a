"""Tombstones of occasions that have left a selection, for clients that keep a copy of it."""

from datetime import UTC, datetime
from typing import Literal

from feeds import interface
from feeds.content_lines import escape_text, fold_line
from feeds.content_lines import format_instant as utc
from feeds.festival_time import FestivalTime
from feeds.vocabulary import Identity, Value

# The namespace of RFC 6721.
NAMESPACE = "http://purl.org/atompub/tombstones/1.0"

Reason = Literal["gone", "unselected"]


class RemovedOccasion(Value, frozen=True):
    """An occasion to drop, and when it or its event last changed.

    `start` is known if the occasion still exists, and is only not selected any more.
    """

    identity: Identity
    at: datetime
    start: datetime | None = None

    @property
    def reason(self) -> Reason:
        return "unselected" if self.start else "gone"


def build_table(removed: RemovedOccasion, festival: FestivalTime) -> interface.Tombstone:
    return interface.Tombstone(
        id=removed.identity.event_id,
        occation=interface.RemovedOccation(id=removed.identity.id),
        removed=removed.reason,
        lastModified=festival.local(removed.at).isoformat(timespec="microseconds"),
    )


def write_component(removed: RemovedOccasion, sequence: int) -> bytes:
    """Return a cancelled VEVENT, so that calendars drop the occasion."""
    lines = (
        "BEGIN:VEVENT",
        f"UID:{escape_text(removed.identity.calendar_uid)}",
        f"DTSTAMP:{utc(removed.at)}",
        # Required (RFC 5545, section 3.8.2.4); the start of a deleted occasion is not known.
        f"DTSTART:{utc(removed.start or removed.at)}",
        "STATUS:CANCELLED",
        f"SEQUENCE:{sequence}",
        f"LAST-MODIFIED:{utc(removed.at)}",
        "END:VEVENT",
    )
    return b"".join(map(fold_line, lines))


def format_timestamp(moment: datetime) -> str:
    """Return an instant in UTC, to the microsecond: `2026-07-29T12:00:00.000000Z`."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
