"""Descriptions of the fields of `/api/programme`: the interface's own where it has such a field."""

from feeds.vocabulary import Text
from programme.api.openapi.descriptions import DATE, MOMENT, TEXTS, TIME, URL, FieldDescription, describe
from programme.api.openapi.descriptions import DESCRIPTIONS as INTERFACE

Fields = dict[str, FieldDescription]


def _fields_of(table: str, *names: str) -> Fields:
    return {name: INTERFACE[table][name] for name in names}


def _left_out(table: str, name: str) -> Fields:
    """Return the description of a field that `texts=intro` leaves out."""
    of_interface = INTERFACE[table][name]
    sv, en = (text.rstrip(".") for text in (of_interface.text.sv, of_interface.text.en))
    text = Text(f"{sv}; null med texts=intro.", f"{en}; null with texts=intro.")
    return {name: of_interface._replace(text=text)}


def _instant(sv: str, en: str, clock: str) -> FieldDescription:
    return describe(sv, en, f"2026-07-29T{clock}:00+02:00", MOMENT)


def _id(sv: str, en: str, example: int | str | None) -> FieldDescription:
    return describe(sv, f"ID of {en}.", example)


def _list(sv: str, en: str) -> FieldDescription:
    return describe(sv, en, [])


_DAY = INTERFACE["Occation"]["dayID"]
_AREA = ("id", "name", "fullName", "color", "location", "address", "externalUrl")

PROGRAMME_DESCRIPTIONS: dict[str, Fields] = {
    "Programme": {
        "festival": describe("Festivalen.", "The festival.", None),
        "areas": _list(
            "Områden, i ordning; utan urval även tomma.", "Areas, in order; unfiltered, empty ones too."
        ),
        "subAreas": _list("Delområden som programpunkterna har.", "Sub areas that the events name."),
        "locations": _list("Platser som tillfällena har.", "Locations that the occasions name."),
        "rooms": _list("Lokaler som tillfällena har.", "Rooms that the occasions name."),
        "organizers": _list("Arrangörer av programpunkterna.", "Organizers that the events name."),
        "types": _list("Typer av programpunkterna.", "Types that the events name."),
        "languages": _list("Språk som programpunkterna hålls på.", "Languages that the events name."),
        "lists": _list(
            "Publicerade listor som redaktionen har gjort.", "Published lists that the editors have made."
        ),
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
        "edition": describe(
            "Upplagan som allt detta är av; saknas om festivalen inte har några upplagor.",
            "The edition that all of this is of; absent if the festival has no editions.",
            "2026",
        ),
        "editions": _list(
            "Alla upplagor, i ordning; saknas om det inte finns några.",
            "All editions, in order; absent if there are none.",
        ),
    },
    "ProgrammeEdition": {
        "slug": describe("Värdet på edition=.", "The value of edition=.", "2026"),
        "name": describe("Namn.", "Name.", {"en": "Culture Night 2026", "sv": "Kulturnatten 2026"}),
        "firstDay": describe("Första festivaldagen.", "The first festival day.", "2026-07-29", DATE),
        "lastDay": describe("Sista festivaldagen.", "The last festival day.", "2026-08-01", DATE),
    },
    "ProgrammeFestival": {
        "name": describe(
            "Festivalens namn.", "Name of the festival.", {"en": "Culture Night", "sv": "Kulturnatten"}
        ),
        "subtitle": describe("Underrubrik.", "Subtitle.", TEXTS),
        "website": describe("Webbplats.", "Website.", "https://kulturnatten.example/", URL),
        "occasionUrl": describe(
            "Adresserna till tillfällenas sidor, med {id} i stället för tillfällets ID; null om festivalens"
            " egen webbplats har sidorna: då har varje tillfälle sin url.",
            "The addresses of occasions' pages, with {id} in place of the occasion's ID; null where the"
            " festival's own website has the pages: then each occasion has its url.",
            {
                "en": "https://program.example/en/occasion/{id}",
                "sv": "https://program.example/tillfalle/{id}",
            },
        ),
        "timeZone": describe("Tidszon.", "Time zone.", "Europe/Stockholm"),
        "dayBegins": describe("När en festivaldag börjar.", "When a festival day begins.", "05:00:00", TIME),
    },
    "ProgrammeDay": {
        "dayID": _DAY,
        **_fields_of(
            "AreaDay", "date", "opens", "closes", "ticketOpens", "ticketCloses", "title", "priceInfo"
        ),
    },
    "ProgrammeArea": {
        **_fields_of("Area", *_AREA, "price", "ticketUrl"),
        **_left_out("Area", "info"),
        "days": _list(
            "Dagar med inlagda öppettider, i datumordning.", "The days with entered opening times, by date."
        ),
        **_fields_of("Area", "streams"),
    },
    "ProgrammeSubArea": {
        **_fields_of("SubArea", *_AREA, "streams"),
        **_left_out("SubArea", "info"),
        "areaID": _id("Områdets ID.", "the area", 1001),
    },
    "ProgrammeLocation": {
        "id": describe("Platsens ID.", "Location ID.", 5001),
        **_fields_of(
            "Location", "name", "isOnline", "address", "accessibilityInfo", "publicTransportStation"
        ),
        "latitude": describe("Latitud i grader (WGS 84).", "Latitude in degrees (WGS 84).", 57.70887),
        "longitude": describe("Longitud i grader (WGS 84).", "Longitude in degrees (WGS 84).", 11.97456),
        "facts": describe(
            "Vad som är känt om platsen, efter parameterns namn.",
            "What is known of the location, by the parameter's name.",
            {"access": ["step-free", "no-hearing-loop"]},
        ),
    },
    "ProgrammeRoom": {
        "id": describe("Lokalens ID.", "Room ID.", 6001),
        "locationID": _id("Platsens ID.", "the location", 5001),
        "name": describe("Lokalens namn.", "Room name.", "Sal 2"),
        **_fields_of("Location", "floor"),
        "accessibilityInfo": INTERFACE["Location"]["roomAccessibilityInfo"],
        "facts": describe(
            "Vad som är känt om lokalen, efter parameterns namn.",
            "What is known of the room, by the parameter's name.",
            {"access": ["no-step-free"]},
        ),
    },
    "ProgrammeOrganizer": {
        **_fields_of("Organizer", "id", "name", "externalUrl", "offerCount"),
        **_left_out("Organizer", "info"),
    },
    "ProgrammeEvent": {
        **_fields_of(
            *("Event", "id", "title", "signInterpreted", "highlighted", "production", "price", "intro"),
            *("imageUrl", "imageCaption", "externalUrl", "ticketUrl", "lastModified"),
        ),
        "areaID": _id("Områdets ID.", "the area", 1001),
        "subAreaID": _id("Delområdets ID, om det finns ett.", "the sub area, if any", 2001),
        "organizerID": _id("Arrangörens ID.", "the organizer", 3001),
        "language": describe("Språkets kod.", "Code of the language.", "sv"),
        "typeID": _id("Typens ID.", "the type", 4001),
        "imageAlt": describe(
            "Vad bilden visar, för den som inte ser den.",
            "What the image shows, for those who do not see it.",
            "En trumpetare på en brygga.",
        ),
        "typeIDs": describe(
            "Alla typers ID:n, med typens först.", "IDs of all types, that one first.", [4001]
        ),
        **_left_out("Event", "description"),
    },
    "ProgrammeOccasion": {
        **_fields_of("Occation", "id", "dayID", "stream"),
        "eventID": _id("Programpunktens ID.", "the event", 7001),
        "startsAt": _instant(
            "Början, i festivalens tidszon.", "Start, in the festival's time zone.", "16:00"
        ),
        "endsAt": _instant("Slut, i festivalens tidszon.", "End, in the festival's time zone.", "17:00"),
        **_fields_of("Event", "cancelled"),
        "locationID": _id("Platsens ID.", "the location", 5001),
        "roomID": _id("Lokalens ID.", "the room", 6001),
        **_fields_of("Event", "changeInfo"),
        "changeNote": describe("Detsamma på båda språken.", "The same in both languages.", None),
        **_fields_of("Event", "changeTimestamp"),
        "previousStart": _instant(
            "Början innan tillfället flyttades, om det är märkt.",
            "The start before the occasion was moved, where that is marked.",
            "15:00",
        ),
        "previousPlace": describe(
            "Platsen innan tillfället flyttades, om det är märkt.",
            "The place before the occasion was moved, where that is marked.",
            "Ångparken, Stora scenen",
        ),
        "facts": describe(
            "Vad som gäller för tillfället, efter parameterns namn; no- framför det som inte finns.",
            "What holds for the occasion, by the parameter's name; no- before what is not there.",
            {"audience": ["children"], "age": ["6-12"], "free": ["true"], "access": ["step-free"]},
        ),
        "bookingUrl": describe("Adress att boka på.", "Address to book at.", None, URL),
        "bookingFrom": _instant("När bokningen öppnar.", "When booking opens.", "10:00"),
        "url": describe(
            "Tillfällets sida, där festivalens occasionUrl är null.",
            "The occasion's page, where the festival's occasionUrl is null.",
            None,
        ),
    },
    "ProgrammeList": {
        "id": describe("Listans ID.", "List ID.", 12),
        "title": describe("Titel.", "Title.", {"en": "For families", "sv": "För familjer"}),
        "text": describe("Vad listan är till för.", "What the list is for.", TEXTS),
        "occasionIDs": describe(
            "Tillfällena på listan, av urvalet, i samma ordning som i alla format.",
            "The occasions on the list, of the selection, in the order of every format.",
            [8001, 8002],
        ),
    },
    "RemovedOccasion": {
        "id": INTERFACE["RemovedOccation"]["id"],
        "eventID": _id("Programpunktens ID.", "the event", 7001),
        **_fields_of("Tombstone", "removed", "lastModified"),
    },
}

_OCCASION = PROGRAMME_DESCRIPTIONS["ProgrammeOccasion"]
# What readers were told; beside what was told, nothing of it is ever changed.
PROGRAMME_DESCRIPTIONS |= {
    "NewsEntry": {
        "id": describe(
            "Identitet, som aldrig ändras.",
            "Identity, which never changes.",
            "urn:uuid:0d5cdd0b-8f0c-4d8e-9a47-6a8f5b0b7c11",
        ),
        "kind": describe("Vad som hände.", "What happened.", "moved"),
        "toldAt": describe(
            "När läsare fick veta det.",
            "When readers were told.",
            "2026-07-29T14:00:00.000000+02:00",
            MOMENT,
        ),
        "title": describe(
            "Allt i en mening.",
            "All in one sentence.",
            "Flyttad: Jazz i parken, från ons 29 jul 16:00 till 18:00",
        ),
        "url": describe(
            "Tillfällets sida; av fler än tio, sidan med alla.",
            "The occasion's page; of more than ten, that with all of them.",
            "https://program.example/tillfalle/8001",
            URL,
        ),
        "occasions": _list(
            "Tillfället, eller alla när en ändring gällde fler än tio.",
            "The occasion, or all where one edit was of more than ten.",
        ),
    },
    "NewsOccasion": {
        "id": _OCCASION["id"],
        "eventID": _OCCASION["eventID"],
        "title": INTERFACE["Event"]["title"],
        "before": describe("Vad läsare visste.", "What readers knew.", None),
        "after": describe("Vad som gäller nu.", "What holds now.", None),
        "note": describe("Notisen.", "The note.", {"en": "Rain is expected.", "sv": "Det väntas regn."}),
        "url": describe("Tillfällets sida.", "The occasion's page.", None),
    },
    "NewsState": {
        "startsAt": _OCCASION["startsAt"],
        "endsAt": _OCCASION["endsAt"],
        "place": describe(
            "Platsens namn, med lokalen.", "The location's name, with the room.", "Stora scenen"
        ),
        "cancelled": _OCCASION["cancelled"],
    },
}
