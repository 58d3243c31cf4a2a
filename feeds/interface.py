"""The JSON tables of the interface, in its own order and spelling (`occation`), and additions.

`Raw` members are parts that are encoded separately.
"""

from datetime import date, datetime, time
from typing import Literal

import msgspec
from msgspec import UNSET, Raw, UnsetType

from feeds.vocabulary import NewsKind


class JsonTable(msgspec.Struct, gc=False):
    """A JSON table. None can contain itself, so the garbage collector need not visit them."""


class Translatable(JsonTable):
    en: str | None
    sv: str | None


class AreaDay(JsonTable):
    date: str
    name: str
    opens: str | None
    closes: str | None
    openTimeSpan: str | None
    ticketOpens: str | None
    ticketCloses: str | None
    ticketOpenTimespan: str | None
    title: str | None
    priceInfo: str | None
    occationCount: int


class Stream(JsonTable):
    name: str
    url: str
    source: int


class AnyArea(JsonTable):
    """The common fields of areas and sub areas."""

    id: int
    name: str
    fullName: str
    color: str | None
    location: str | None
    address: str | None
    info: Translatable | None
    externalUrl: str | None


class SubArea(AnyArea):
    info: Translatable
    eventCount: int
    occationCount: int
    days: list[AreaDay]
    streams: list[Stream]


class Area(AnyArea):
    info: Translatable
    eventCount: int
    occationCount: int
    price: str | None
    ticketUrl: str | None
    subAreaEventCount: int
    subAreaOccationCount: int
    days: list[AreaDay]
    streams: list[Stream]


class Organizer(JsonTable):
    id: int
    name: str
    info: Translatable
    externalUrl: str | None
    eventCount: int
    occationCount: int
    offerCount: int


class Language(JsonTable):
    code: str
    name: Translatable


class EventType(JsonTable):
    id: int
    name: Translatable
    color: str | None


class Location(JsonTable):
    name: str
    isOnline: bool
    address: str | None
    room: str | None
    fullName: str
    floor: str | None
    accessibilityInfo: Translatable
    roomAccessibilityInfo: Translatable
    publicTransportStation: str | None


class Occation(JsonTable):
    id: int
    dayID: int
    date: date
    startTime: time
    endTime: time
    stream: Stream | None
    start: str
    timeSpan: str
    url: Translatable


class Event(JsonTable):
    id: int
    area: Area | Raw
    subArea: SubArea | Raw | None
    title: str
    organizer: Organizer | Raw | None
    signInterpreted: bool | Raw
    highlighted: bool
    production: int
    cancelled: bool | Raw
    recurring: bool
    language: Language | Raw | None
    type: EventType | Raw
    location: Location | Raw | None
    occation: Occation | Raw
    price: str | None
    intro: Translatable
    description: Translatable
    imageUrl: str | None
    imageCaption: str | None
    externalUrl: str | None
    ticketUrl: str | None
    allOccations: list[Occation] | Raw
    updated: bool | Raw
    changeInfo: str | None
    changeTimestamp: datetime | str | None
    lastModified: datetime | str


# --- An addition to the interface -----------------------------------------------------------


class RemovedOccation(JsonTable):
    id: int


class Tombstone(JsonTable):
    """The entry for an occasion that has left the selection, in place of an Event."""

    id: int
    occation: RemovedOccation
    removed: Literal["gone", "unselected"]
    lastModified: datetime | str


class ProgrammeFestival(JsonTable):
    name: Translatable
    subtitle: Translatable
    website: str | None
    occasionUrl: Translatable | None
    timeZone: str
    dayBegins: str


class ProgrammeDay(JsonTable):
    dayID: int
    date: str
    opens: str | None
    closes: str | None
    ticketOpens: str | None
    ticketCloses: str | None
    title: str | None
    priceInfo: str | None


class ProgrammeArea(AnyArea):
    price: str | None
    ticketUrl: str | None
    days: list[ProgrammeDay]
    streams: list[Stream]


class ProgrammeSubArea(JsonTable):
    id: int
    areaID: int
    name: str
    fullName: str
    color: str | None
    location: str | None
    address: str | None
    info: Translatable | None
    externalUrl: str | None
    streams: list[Stream]


class ProgrammeLocation(JsonTable):
    id: int
    name: str
    isOnline: bool
    address: str | None
    accessibilityInfo: Translatable
    publicTransportStation: str | None
    latitude: float | None
    longitude: float | None
    facts: dict[str, list[str]]


class ProgrammeRoom(JsonTable):
    id: int
    locationID: int
    name: str
    floor: str | None
    accessibilityInfo: Translatable
    facts: dict[str, list[str]]


class ProgrammeOrganizer(JsonTable):
    id: int
    name: str
    info: Translatable | None
    externalUrl: str | None
    offerCount: int


class ProgrammeEvent(JsonTable):
    id: int
    areaID: int
    subAreaID: int | None
    organizerID: int | None
    highlighted: bool
    production: int
    language: str | None
    typeID: int
    typeIDs: list[int]
    imageUrl: str | None
    externalUrl: str | None
    ticketUrl: str | None
    lastModified: str
    # Texts stand together, where compression finds more in common.
    title: str
    price: str | None
    imageCaption: str | None
    imageAlt: str | None
    intro: Translatable
    description: Translatable | None


class ProgrammeOccasion(JsonTable):
    id: int
    eventID: int
    dayID: int
    startsAt: str
    endsAt: str
    cancelled: bool
    locationID: int | None
    roomID: int | None
    stream: Stream | None
    changeInfo: str | None
    changeNote: Translatable | None
    changeTimestamp: str | None
    previousStart: str | None
    previousPlace: str | None
    facts: dict[str, list[str]]
    bookingUrl: str | None
    bookingFrom: str | None
    url: Translatable | None


class ProgrammeList(JsonTable):
    id: int
    title: Translatable
    text: Translatable
    occasionIDs: list[int]


class RemovedOccasion(JsonTable):
    """An occasion that has left the selection, with `modified_since`."""

    id: int
    eventID: int
    removed: Literal["gone", "unselected"]
    lastModified: str


class ProgrammeEdition(JsonTable):
    """An edition of the festival; it is asked for as `edition={slug}`."""

    slug: str
    name: Translatable
    firstDay: str
    lastDay: str


class Programme(JsonTable):
    festival: ProgrammeFestival
    areas: list[ProgrammeArea]
    subAreas: list[ProgrammeSubArea]
    locations: list[ProgrammeLocation]
    rooms: list[ProgrammeRoom]
    organizers: list[ProgrammeOrganizer]
    types: list[EventType]
    languages: list[Language]
    lists: list[ProgrammeList]
    events: list[ProgrammeEvent | Raw]
    occasions: list[ProgrammeOccasion | Raw]
    removed: list[RemovedOccasion]
    # Only where there are editions.
    edition: str | UnsetType = UNSET
    editions: list[ProgrammeEdition] | UnsetType = UNSET


class NewsState(JsonTable):
    """The time and place of an occasion as published."""

    startsAt: str
    endsAt: str
    place: str | None
    cancelled: bool


class NewsOccasion(JsonTable):
    id: int
    eventID: int
    title: str
    before: NewsState | None
    after: NewsState | None
    note: Translatable
    url: Translatable


class NewsEntry(JsonTable):
    """An entry of the news feed: one or several pieces of news."""

    id: str
    kind: NewsKind
    toldAt: str
    title: str
    url: str
    occasions: list[NewsOccasion]
