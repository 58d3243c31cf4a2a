"""A schedule as its file states it: frozen values that the readers of all kinds of files make."""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

import msgspec

from feeds.festival_time import FestivalTime

# Gives back the steps that it is handed, showing progress on the way.
Progress = Callable[[list[Any]], Iterable[Any]]


class UnreadableFileError(Exception):
    """A file cannot be read as a schedule; the message says why, in one sentence."""


class Conference(msgspec.Struct, frozen=True):
    """What a file says about the conference as a whole; '' where it says nothing."""

    title: str = ""
    acronym: str = ""
    venue: str = ""
    language: str = ""
    time_zone_name: str = ""
    day_change: str = ""


class Entry(msgspec.Struct, frozen=True):
    """One event element: an occasion of an event, with all that is said about the event.

    Everything is text as it stands in the file, '' where nothing stands there. `day` is the date of the
    day that the element stands in; `end` stands in files that state an end instead of a duration.
    `place` is where in the file it stands ("line 12"), for whoever has to look. `text_language` is that of
    its texts, where it may be another than the event's. `more` are further fields of the event, by their
    names in the model: texts, and an area or a sub area by its name.
    """

    place: str = ""

    code: str = ""
    id: str = ""
    guid: str = ""
    slug: str = ""
    title: str = ""
    subtitle: str = ""
    abstract: str = ""
    description: str = ""
    track: str = ""
    type: str = ""
    language: str = ""
    text_language: str = ""
    url: str = ""
    logo: str = ""
    state: str = ""
    room: str = ""
    location: str = ""
    address: str = ""
    persons: tuple[str, ...] = ()
    day: str = ""
    date: str = ""
    start: str = ""
    end: str = ""
    duration: str = ""
    more: tuple[tuple[str, Any], ...] = ()


class Problem(msgspec.Struct, frozen=True):
    """Something in a file that was mended, left out or needs a person to look at it.

    `whole` is what is wrong with the file as a whole.
    """

    where: str
    what: str
    row: int = 0
    left_out: bool = False
    whole: bool = False


class Schedule(msgspec.Struct, frozen=True):
    """A file's conference and event elements, in the file's order, and what its reader had to say."""

    conference: Conference
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()
    # Those that could not be read at all, as far as they can be told; why is among the problems.
    unread: tuple[Entry, ...] = ()


class ScheduledOccasion(msgspec.Struct, frozen=True):
    """When and where an event takes place; instants are aware and in UTC, `guid` may be ''.

    `location` is '' for the schedule's own venue; `address` is that of a location that is not known yet.
    `note` is what had to be assumed.
    """

    guid: str
    start: datetime
    end: datetime
    cancelled: bool
    room: str
    location: str = ""
    address: str = ""
    # Stated for this occasion alone: kept with it even where it is the event's.
    own_place: bool = False
    row: int = 0
    note: str = ""


class ScheduledEvent(msgspec.Struct, frozen=True):
    """An event with its occasions, in their order, as it would be stored.

    `key` is the identifier that the file gives it. `source_id` is the key too, unless several events
    in the file bear the same. `more` are other fields that this kind of file states, by their names in the
    model: texts, numbers and yes or no as they are stored, an area or a sub area by its name, and as `place`
    the names of location, address and room, where they are not those of the first occasion. `row` is the
    first row of a sheet that it stands in, and `seen` when one of our own sheets says it was last modified.
    """

    key: str
    source_id: str
    title: str
    cancelled: bool
    intro: str
    description: str
    text_language: Literal["sv", "en"]
    language: str
    type: str
    organizer: str
    external_url: str
    image_url: str
    occasions: tuple[ScheduledOccasion, ...]
    more: dict[str, Any] = {}
    row: int = 0
    seen: str = ""


class Contents(msgspec.Struct, frozen=True):
    """What a schedule says, ready to be compared with the programme.

    `stated` are the fields that the file states for any event: the others are not the file's to
    change. The keys and guids of entries that could not be read are still in the file. `ours` is a sheet that
    this service has written: its guids are the occasions' own identities. `doubtful` is a sheet of whose
    columns fewer than half were understood by their headings.
    """

    events: tuple[ScheduledEvent, ...]
    problems: tuple[Problem, ...] = ()
    stated: frozenset[str] = frozenset()
    unread_keys: frozenset[str] = frozenset()
    unread_guids: frozenset[str] = frozenset()
    ours: bool = False
    doubtful: bool = False


class ImportDefaults(msgspec.Struct, frozen=True):
    """What a reader may need beside the file: how the festival reckons time, and the language of texts.

    `language` is '' unless one was asked for. `days` are the festival's days, none where none are known:
    what recurs is taken on these alone. `mappings` are those of sheets that were saved
    (programme.exchange.readers.sheet.mapping.Mapping).
    """

    time: FestivalTime
    language: Literal["", "sv", "en"] = ""
    progress: Progress = iter
    days: frozenset[date] = frozenset()
    mappings: Any = ()

    @property
    def zone(self) -> ZoneInfo:
        return self.time.zone


class ReadResult(msgspec.Struct, frozen=True):
    """What a reader has found in a file; a `schedule` is of a conference: one area at one place."""

    conference: Conference
    contents: Contents
    schedule: bool = False


class Permits(Protocol):
    """What somebody may do: see programme/backoffice/rights.py. Refusals are sentences by the field."""

    @property
    def publishes(self) -> bool: ...

    def refusals(self, before: Any, after: Any) -> dict[str, Any]: ...

    def holds(self, permission: str) -> bool: ...


class ImportOptions(msgspec.Struct, frozen=True):
    """What an import is asked to do, beside the file's contents.

    `area` is '' unless one was asked for; then the area and the location are those that the source's
    events have already, else `otherwise`, else those named by the conference's title and venue. `venue`
    is '' where the file names the location of each occasion, or none. `overwrite` lets the file win over
    what was edited here; `decided`
    are the keys of single conflicts (programme.exchange.merge.three_way) in which it does.
    """

    source: str
    area: str
    title: str
    venue: str
    otherwise: str = ""
    draft: bool = False
    withdraw_missing: bool = False
    overwrite: bool = False
    decided: frozenset[str] = frozenset()
    # What the person who imports may do; None may do everything.
    rights: Permits | None = None
