"""Descriptions of the fields of `/api/programme`: the interface's own where it has such a field."""

from feeds.vocabulary import Text
from programme.api.openapi.descriptions import DESCRIPTIONS as INTERFACE
from programme.api.openapi.descriptions import MOMENT, TEXTS, TIME, URL, FieldDescription

Fields = dict[str, FieldDescription]


def _describe(sv: str, en: str, example: object, of: str = "") -> FieldDescription:
    return FieldDescription(Text(sv, en), example, of)


def _fields_of(table: str, *names: str) -> Fields:
    return {name: INTERFACE[table][name] for name in names}


def _id(sv: str, en: str, example: int | str | None) -> FieldDescription:
    return _describe(f"ID: {sv}.", f"ID of {en}.", example)


def _list(sv: str, en: str) -> FieldDescription:
    return _describe(sv, en, [])


_DAY = INTERFACE["Occation"]["dayID"]
_AREA = ("id", "name", "fullName", "color", "location", "address", "info", "externalUrl")

PROGRAMME_DESCRIPTIONS: dict[str, Fields] = {
    "Programme": {
        "festival": _describe("Festivalen.", "The festival.", None),
        "areas": _list(
            "Områden, i ordning; utan urval även tomma.", "Areas, in order; unfiltered, empty ones too."
        ),
        "subAreas": _list("Delområden som programpunkterna har.", "Sub areas that the events name."),
        "locations": _list("Platser som tillfällena har.", "Locations that the occasions name."),
        "rooms": _list("Lokaler som tillfällena har.", "Rooms that the occasions name."),
        "organizers": _list("Arrangörer av programpunkterna.", "Organizers that the events name."),
        "types": _list("Typer av programpunkterna.", "Types that the events name."),
        "languages": _list("Språk som programpunkterna hålls på.", "Languages that the events name."),
        "events": _list(
            "Programpunkter, i ordning efter sitt första tillfälle.",
            "Events, in the order of their first occasions.",
        ),
        "occasions": _list(
            "Tillfällen, i samma ordning som i alla format.", "Occasions, in the order of every format."
        ),
        "removed": _list(
            "Med modified_since: tillfällen som har lämnat urvalet.",
            "With modified_since: occasions that have left the selection.",
        ),
    },
    "ProgrammeFestival": {
        "name": _describe(
            "Festivalens namn.", "Name of the festival.", {"en": "Culture Night", "sv": "Kulturnatten"}
        ),
        "subtitle": _describe("Underrubrik.", "Subtitle.", TEXTS),
        "website": _describe("Webbplats.", "Website.", "https://kulturnatten.example/", URL),
        "timeZone": _describe("Tidszon.", "Time zone.", "Europe/Stockholm"),
        "dayBegins": _describe("När en festivaldag börjar.", "When a festival day begins.", "05:00:00", TIME),
    },
    "ProgrammeDay": {
        "dayID": _DAY,
        **_fields_of(
            "AreaDay", "date", "opens", "closes", "ticketOpens", "ticketCloses", "title", "priceInfo"
        ),
    },
    "ProgrammeArea": {
        **_fields_of("Area", *_AREA, "price", "ticketUrl"),
        "days": _list(
            "Dagar med inlagda öppettider, i datumordning.", "The days with entered opening times, by date."
        ),
        **_fields_of("Area", "streams"),
    },
    "ProgrammeSubArea": {
        **_fields_of("SubArea", *_AREA, "streams"),
        "areaID": _id("området", "the area", 1001),
    },
    "ProgrammeLocation": {
        "id": _describe("Platsens ID.", "Location ID.", 5001),
        **_fields_of(
            "Location", "name", "isOnline", "address", "accessibilityInfo", "publicTransportStation"
        ),
    },
    "ProgrammeRoom": {
        "id": _describe("Lokalens ID.", "Room ID.", 6001),
        "locationID": _id("platsen", "the location", 5001),
        "name": _describe("Lokalens namn.", "Room name.", "Sal 2"),
        **_fields_of("Location", "floor"),
        "accessibilityInfo": INTERFACE["Location"]["roomAccessibilityInfo"],
    },
    "ProgrammeOrganizer": _fields_of("Organizer", "id", "name", "info", "externalUrl", "offerCount"),
    "ProgrammeEvent": {
        **_fields_of(
            *("Event", "id", "title", "signInterpreted", "highlighted", "production", "price", "intro"),
            *("imageUrl", "imageCaption", "externalUrl", "ticketUrl", "lastModified"),
        ),
        "areaID": _id("området", "the area", 1001),
        "subAreaID": _id("delområdet, om det finns ett", "the sub area, if any", 2001),
        "organizerID": _id("arrangören", "the organizer", 3001),
        "language": _describe("Språkets kod.", "Code of the language.", "sv"),
        "typeID": _id("typen", "the type", 4001),
        **_fields_of("Event", "description"),
    },
    "ProgrammeOccasion": {
        **_fields_of("Occation", "id", "dayID", "stream", "url"),
        "eventID": _id("programpunkten", "the event", 7001),
        "startsAt": _describe(
            "Början, i festivalens tidszon.",
            "Start, in the festival's time zone.",
            "2026-07-29T16:00:00+02:00",
            MOMENT,
        ),
        "endsAt": _describe(
            "Slut, i festivalens tidszon.",
            "End, in the festival's time zone.",
            "2026-07-29T17:00:00+02:00",
            MOMENT,
        ),
        **_fields_of("Event", "cancelled"),
        "locationID": _id("platsen", "the location", 5001),
        "roomID": _id("lokalen", "the room", 6001),
        **_fields_of("Event", "changeInfo", "changeTimestamp"),
        "previousStart": _describe(
            "Början innan tillfället flyttades, om det är märkt.",
            "The start before the occasion was moved, where that is marked.",
            "2026-07-29T15:00:00+02:00",
            MOMENT,
        ),
    },
    "RemovedOccasion": {
        "id": INTERFACE["RemovedOccation"]["id"],
        "eventID": _id("programpunkten", "the event", 7001),
        **_fields_of("Tombstone", "removed", "lastModified"),
    },
}
