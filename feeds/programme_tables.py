"""The JSON tables of the programme as one document, an addition to the interface, in whose spelling they are.

Everything stands once, and is referred to by its ID. `Raw` members are encoded separately.
"""

from typing import Literal

from msgspec import Raw

from feeds.interface import EventType, JsonTable, Language, Stream, Translatable


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


class ProgrammeArea(JsonTable):
    id: int
    name: str
    fullName: str
    color: str | None
    location: str | None
    address: str | None
    info: Translatable | None
    externalUrl: str | None
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


class ProgrammeRoom(JsonTable):
    id: int
    locationID: int
    name: str
    floor: str | None
    accessibilityInfo: Translatable


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
    signInterpreted: bool
    highlighted: bool
    production: int
    language: str | None
    typeID: int
    imageUrl: str | None
    externalUrl: str | None
    ticketUrl: str | None
    lastModified: str
    # Texts stand together, where compression finds more in common.
    title: str
    price: str | None
    imageCaption: str | None
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
    changeTimestamp: str | None
    previousStart: str | None
    url: Translatable | None


class RemovedOccasion(JsonTable):
    """An occasion that has left the selection, with `modified_since`."""

    id: int
    eventID: int
    removed: Literal["gone", "unselected"]
    lastModified: str


class Programme(JsonTable):
    festival: ProgrammeFestival
    areas: list[ProgrammeArea]
    subAreas: list[ProgrammeSubArea]
    locations: list[ProgrammeLocation]
    rooms: list[ProgrammeRoom]
    organizers: list[ProgrammeOrganizer]
    types: list[EventType]
    languages: list[Language]
    events: list[ProgrammeEvent | Raw]
    occasions: list[ProgrammeOccasion | Raw]
    removed: list[RemovedOccasion]
