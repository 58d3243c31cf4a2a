"""What the demo's files hold, read and checked.

Texts are as in the model; names stand for the rows that bear them. A wrapped line goes on, an empty
line begins a paragraph. Days are numbers, `TODAY` being the one on which the demo is made.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple

import msgspec

from feeds.festival_time import FestivalTime

FOLDER = Path(__file__).parent
FIRST_DAY, TODAY, LAST_DAY = 1, 3, 5


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the files; a misspelt key is refused."""


class Festival(Entry, frozen=True):
    name_sv: str
    name_en: str
    subtitle_sv: str
    subtitle_en: str
    website: str


class Language(Entry, frozen=True):
    code: str
    name_sv: str
    name_en: str


class EventType(Entry, frozen=True):
    name_sv: str
    name_en: str
    color: str = ""


class Organizer(Entry, frozen=True):
    name: str
    info_sv: str = ""
    info_en: str = ""
    external_url: str = ""
    offer_count: int = 0


class Room(Entry, frozen=True):
    name: str
    floor: str = ""
    accessibility_sv: str = ""
    accessibility_en: str = ""


class Location(Entry, frozen=True):
    name: str
    address: str = ""
    online: bool = False
    accessibility_sv: str = ""
    accessibility_en: str = ""
    public_transport_station: str = ""
    rooms: list[Room] = []


class Stream(Entry, frozen=True):
    name: str
    url: str
    source: int = 0


class AreaDay(Entry, frozen=True):
    day: int
    opens: time | None = None
    closes: time | None = None
    ticket_opens: time | None = None
    ticket_closes: time | None = None
    title: str = ""
    price_info: str = ""


class AreaEntry(Entry, frozen=True, kw_only=True):
    """What areas and sub areas have in common."""

    name: str
    full_name: str = ""
    color: str
    location_name: str = ""
    address: str = ""
    info_sv: str = ""
    info_en: str = ""
    external_url: str = ""
    streams: list[Stream] = []


class SubArea(AreaEntry, frozen=True, kw_only=True):
    physical: bool = True


class Area(AreaEntry, frozen=True, kw_only=True):
    price: str = ""
    ticket_url: str = ""
    sub_areas: list[SubArea]
    days: list[AreaDay] = []


class Change(Entry, frozen=True):
    """That an event is marked as changed, so many hours before the demo is made."""

    note: str
    hours_ago: int


class Times(NamedTuple):
    """An occasion on a numbered day; an end day only where it lasts longer than to the next day."""

    day: int
    start: time
    end: time
    end_day: int | None

    def span(self, today: date, festival_time: FestivalTime) -> tuple[datetime, datetime]:
        """Return the instants of start and end, in UTC."""
        end_date = None if self.end_day is None else date_of(self.end_day, today)
        return festival_time.occasion_span(date_of(self.day, today), self.start, self.end, end_date)


_TIMES = re.compile(
    r"(?P<days>[1-5](?:[-,][1-5])*) (?P<start>\d\d:\d\d)-(?:(?P<end_day>[1-5]) )?(?P<end>\d\d:\d\d)"
)


class Occasions(Entry, frozen=True):
    """One occasion or the same on several days: `3 18:00-19:00`, `1-5 …`, `2,4 …`, `1 20:00-3 04:00`."""

    at: str
    cancelled: bool = False
    room: str = ""
    stream: str = ""

    def times(self) -> Iterator[Times]:
        found = _TIMES.fullmatch(self.at)
        if not found:
            raise ValueError(f"no times of an occasion: {self.at!r}")
        start, end = time.fromisoformat(found["start"]), time.fromisoformat(found["end"])
        end_day = int(found["end_day"]) if found["end_day"] else None
        for day in _days(found["days"]):
            yield Times(day, start, end, end_day)


class Event(Entry, frozen=True):
    title: str
    type: str
    status: str = "published"
    sub_area: str = ""
    organizer: str = ""
    language: str = ""
    location: str = ""
    room: str = ""
    intro_sv: str = ""
    intro_en: str = ""
    description_sv: str = ""
    description_en: str = ""
    sign_interpreted: bool = False
    highlighted: bool = False
    production: int = 0
    cancelled: bool = False
    price: str = ""
    ticket_url: str = ""
    external_url: str = ""
    # One of `pictures.MOTIFS`, or none.
    picture: str = ""
    image_caption: str = ""
    change: Change | None = None
    occasions: list[str | Occasions] = []

    def occasion_entries(self) -> Iterator[Occasions]:
        """The event's entries, the short form written out."""
        for entry in self.occasions:
            yield Occasions(at=entry) if isinstance(entry, str) else entry


class Content(Entry, frozen=True):
    """`festival.toml`: the festival and what its events name."""

    festival: Festival
    languages: list[Language]
    types: list[EventType]
    organizers: list[Organizer]
    locations: list[Location]
    areas: list[Area]
    streams: list[Stream]


class AreaEvents(Entry, frozen=True):
    """A file of `events/`: the events of one area."""

    area: str
    events: list[Event]


def date_of(day: int, today: date) -> date:
    """Return the date of a numbered day."""
    return today + timedelta(days=day - TODAY)


def read_content() -> Content:
    return msgspec.toml.decode((FOLDER / "festival.toml").read_bytes(), type=Content)


def read_events() -> list[AreaEvents]:
    files = sorted((FOLDER / "events").glob("*.toml"))
    return [msgspec.toml.decode(file.read_bytes(), type=AreaEvents) for file in files]


def unwrapped(text: str) -> str:
    """Return a text with each paragraph on one line, an empty line between paragraphs."""
    # Not str.splitlines: U+2028 belongs to the text.
    paragraphs = text.strip("\n").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)


def _days(text: str) -> list[int]:
    if "-" in text:
        first, last = map(int, text.split("-"))
        return list(range(first, last + 1))
    return [int(day) for day in text.split(",")]
