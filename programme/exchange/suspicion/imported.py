"""The programme that a file would make, as a person would look at it."""

from collections.abc import Collection
from datetime import date, datetime
from typing import NamedTuple

import msgspec

from feeds.festival_time import FestivalTime
from programme.exchange.readers.entries import NO_END, NO_LENGTH
from programme.exchange.values import Contents, ScheduledEvent, ScheduledOccasion


class ImportedOccasion(NamedTuple):
    """An occasion of the file as it would be stored, in the room or location that it `takes`, '' if none."""

    event: ScheduledEvent
    stated: ScheduledOccasion
    start: datetime
    end: datetime
    location: str
    place: str
    takes: str

    @property
    def order(self) -> tuple[datetime, datetime, int]:
        return self.start, self.end, self.stated.row

    @property
    def has_assumed_end(self) -> bool:
        return any(str(each) in self.stated.note for each in (NO_END, NO_LENGTH))


class FormerOccasion(NamedTuple):
    """An occasion that an earlier version of the file has brought, and whether it is gone from the file."""

    name: str
    day: date
    is_gone: bool


class ImportedProgramme(msgspec.Struct, frozen=True):
    """The occasions of a file, and the names that are made along with them, by kind.

    `written` are the `id()` of the file's events and occasions that are new or changed: others are not odd.
    `former` is what its source has brought before.
    """

    contents: Contents
    time: FestivalTime
    occasions: Collection[ImportedOccasion]
    written: Collection[int]
    names: Collection[Collection[str]]
    former: Collection[FormerOccasion]

    def clock(self, each: ImportedOccasion) -> tuple[datetime, datetime]:
        """Return the times of an occasion as the wall clock shows them."""
        return self.time.local(each.start), self.time.local(each.end)
