"""Plain values between the rooms of exchange: what readers return, and the options of an import."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Any, Literal, TypeVar

import msgspec

from feeds.festival_time import FestivalTime
from feeds.vocabulary import Text
from programme.changes.rights import EVERY_RIGHT, Rights
from programme.exchange.questions import Answers, Question
from programme.exchange.workbook import WorkbookSheet
from programme.models.coordinates import Coordinates
from programme.models.editions import Edition

# The names of a location, its address and a room, as a file states them.
PlaceNames = tuple[str, ...]
# Returns the steps that it is given, showing progress on the way.
Progress = Callable[[list[Any]], Iterable[Any]]
Row = TypeVar("Row")


def group_by(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


class UnreadableFileError(Exception):
    """A file cannot be imported; the message says why in one sentence, with what it names."""

    def __init__(self, message: object, **named: object) -> None:
        super().__init__(str(message) % named if named else str(message))


class Conference(msgspec.Struct, frozen=True):
    """The properties of the conference or calendar as a whole; '' for those that the file does not state."""

    title: str = ""
    acronym: str = ""
    venue: str = ""
    language: str = ""
    time_zone_name: str = ""
    day_change: str = ""


class Entry(msgspec.Struct, frozen=True):
    """One event element of a file: an occasion, with the properties of its event.

    All texts are as in the file, '' for those that it does not state. `place` is where in the file the
    element is ("line 12"). `day` is the date of the day that contains it; files state either `end` or
    `duration`. `uid` is what calendars call it, or its series. `text_language` is the language of its texts,
    where it may differ from the event's.
    """

    place: str = ""

    code: str = ""
    id: str = ""
    guid: str = ""
    uid: str = ""
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
    coordinates: str = ""
    persons: tuple[str, ...] = ()
    day: str = ""
    date: str = ""
    start: str = ""
    end: str = ""
    duration: str = ""


class Problem(msgspec.Struct, frozen=True):
    """A part of a file that was corrected or left out, or that a person should check.

    `whole` marks a problem of the file as a whole; one that `warns` is said again when it is imported.
    `event` is the title of the event, where `where` does not say it. `cells` are those of its row
    (`Contents.cells`), and `field` is that of the cell.
    """

    where: str
    what: str
    row: int = 0
    cells: int = 0
    field: str = ""
    left_out: bool = False
    whole: bool = False
    warns: bool = False
    event: str = ""

    @property
    def place(self) -> str:
        return f"{self.where} (“{self.event}”)" if self.event else self.where


class Schedule(msgspec.Struct, frozen=True):
    """A file's conference and entries, in the file's order, with what its reader found and asks."""

    conference: Conference
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()
    # Entries without a usable time or the like: they are in the file all the same.
    unread: tuple[Entry, ...] = ()
    questions: tuple[Question, ...] = ()


class ScheduledOccasion(msgspec.Struct, frozen=True):
    """When and where an event takes place; instants are in UTC, `guid` may be ''.

    `location` is '' for the conference's own venue; `address` is that of a location that is not known yet.
    Whether it is cancelled is None where the file does not state it. `note` says what had to be assumed.
    `row_id` is the ID that a new row gets, and `uid` what calendars call it, if the file states them and
    nothing else has them. `more` are further fields by their names in the model, `place_facts` are what it
    states of the facts of its place, and `told` is a note for readers.
    """

    guid: str
    start: datetime
    end: datetime
    cancelled: bool | None
    room: str
    location: str = ""
    address: str = ""
    row: int = 0
    cells: int = 0
    note: str = ""
    row_id: int = 0
    uid: str = ""
    more: dict[str, Any] = {}
    place_facts: dict[str, str] = {}
    told: Text | None = None

    @property
    def place(self) -> PlaceNames:
        return (self.location, self.address, self.room)


class ScheduledEvent(msgspec.Struct, frozen=True):
    """An event with its occasions, in their order, as it would be stored.

    `key` is its identifier in the file. `source_id` is the key too, unless several events of the file have
    the same. `more` are further fields by their names in the model, as they are stored; an area or a sub
    area by its name. `row` is its first row in a sheet, and `version` says which export of this service it
    is from. `row_id` is the ID that a new row gets, if the file states one and no other row has
    it.
    """

    key: str
    source_id: str
    title: str
    language: str
    type: str
    organizer: str
    occasions: tuple[ScheduledOccasion, ...]
    more: dict[str, Any] = {}
    row: int = 0
    cells: int = 0
    version: str = ""
    row_id: int = 0


class Contents(msgspec.Struct, frozen=True):
    """The events of a file, ready to be compared with the programme.

    `stated` are the fields that the file states for any event: it may change no others. The keys and guids of
    unread entries are in the file all the same. The guids of `is_own_export` are the identities of the
    occasions. Of the columns of a `doubtful` sheet fewer than half have known headings. `questions` are those
    that reading the file has raised. `sheets` are those of a workbook, also those that are not read, and
    `settled` which are read, and how.
    `cells` are those of the rows of sheets (programme.exchange.readers.sheet.corrections.SheetCells).
    `coordinates` are where its places are.
    """

    events: tuple[ScheduledEvent, ...]
    problems: tuple[Problem, ...] = ()
    stated: frozenset[str] = frozenset()
    unread_keys: frozenset[str] = frozenset()
    unread_guids: frozenset[str] = frozenset()
    is_own_export: bool = False
    doubtful: bool = False
    questions: tuple[Question, ...] = ()
    sheets: tuple[WorkbookSheet, ...] = ()
    shown: Sequence[dict[str, Any]] = ()
    settled: tuple[Question, ...] = ()
    cells: Any = None
    coordinates: dict[PlaceNames, Coordinates] = {}

    @property
    def choices(self) -> tuple[Question, ...]:
        """The questions that reading the file has raised, and what was chosen beside them."""
        return (*self.questions, *self.settled)


class ImportDefaults(msgspec.Struct, frozen=True):
    """What a reader may need beside the file: the festival's time, and the language of texts.

    `language` is '' unless an editor has chosen one. `days` are the festival's days, if any are known: what
    recurs is read for these alone. `today` is the festival day on which the file is read. `answers` include
    what was said of sheets (readers/sheet/said.py). `places` are the coordinates of the places
    that are here. `edition` is the one that the file is meant for, in which dates without a year are.
    """

    time: FestivalTime
    language: Literal["", "sv", "en"] = ""
    progress: Progress = iter
    days: frozenset[date] = frozenset()
    answers: Answers = {}
    today: date | None = None
    places: Any = ()
    edition: Edition | None = None


class ReadResult(msgspec.Struct, frozen=True):
    """The contents of a file; those of a conference have one area and one place."""

    conference: Conference
    contents: Contents
    is_conference: bool = False


class ImportOptions(msgspec.Struct, frozen=True):
    """What an import does with the contents of a file.

    Events without an area of their own get `area`, else the area of the source's events, else
    `default_area`, else one named by the conference's title; so with locations and `venue`, which is '' where
    the file states the location of each occasion, or none. `questions` ask for what it lacks. The file wins
    over edits made here only in the conflicts whose keys are `overwritten`
    (programme.exchange.merge.three_way).
    """

    source: str
    area: str
    title: str
    venue: str
    default_area: str = ""
    questions: tuple[Question, ...] = ()
    draft: bool = False
    withdraw_missing: bool = False
    overwritten: frozenset[str] = frozenset()
    answers: Answers = {}
    # When it is imported; without it readers are told nothing.
    instant: datetime | None = None
    # What the person who imports may do.
    rights: Rights = EVERY_RIGHT
