"""Descriptions of the fields of the JSON tables, in Swedish and English, with an example of a value."""

from typing import Any, NamedTuple

from feeds.vocabulary import Text

DATE, TIME, MOMENT, URL, COLOUR = "date", "time-local", "date-time", "iri", "color"


class FieldDescription(NamedTuple):
    """`format` is JSON Schema's, or one of the registry of OpenAPI."""

    text: Text
    example: Any
    format: str = ""


def _describe(sv: str, en: str, example: Any, of: str = "") -> FieldDescription:
    return FieldDescription(Text(sv, en), example, of)


TEXTS = {"en": "In the middle of town.", "sv": "Mitt i stan."}

# What areas and sub areas have in common.
_PLACE = {
    "fullName": _describe("Fullständigt namn.", "Full name.", "Stora Ångtorget"),
    "color": _describe("Färg som HTML-kod.", "HTML colour code.", "#2f6f4e", COLOUR),
    "location": _describe(
        "Platsens namn, om det bara är en plats.",
        "Location name, where it is one location only.",
        "Ångtorget 1",
    ),
    "address": _describe(
        "Platsens adress, om det bara är en plats.",
        "Address of the location, where it is one location only.",
        "Torggatan 1, Åsunda",
    ),
    "info": _describe("Kort beskrivning.", "Short description.", TEXTS),
    "externalUrl": _describe(
        "Webbsida med mer information.", "Web page with more information.", "https://angtorget.example/", URL
    ),
    "days": _describe(
        "Dagarna med tillfällen eller inlagda öppettider, i datumordning.",
        "The days that have occasions or entered opening times, by date.",
        [],
    ),
    "streams": _describe("Sändningar därifrån på nätet.", "Streams from there, viewable online.", []),
}

DESCRIPTIONS: dict[str, dict[str, FieldDescription]] = {
    "Translatable": {
        "en": _describe("Texten på engelska.", "English text.", "In the middle of town."),
        "sv": _describe("Texten på svenska.", "Swedish text.", "Mitt i stan."),
    },
    "AreaDay": {
        "date": _describe("Dagen.", "The day.", "2026-07-29", DATE),
        "name": _describe("Dagens namn, på språket.", "The day's name, in the language.", "onsdag 29 juli"),
        "opens": _describe("Öppnar.", "Opening time.", "10:00:00", TIME),
        "closes": _describe("Stänger.", "Closing time.", "18:00:00", TIME),
        "openTimeSpan": _describe("Öppettiden som text.", "Opening span as text.", "10:00–18:00"),
        "ticketOpens": _describe("Biljettförsäljningen öppnar.", "Ticket sales open.", "09:30:00", TIME),
        "ticketCloses": _describe("Biljettförsäljningen stänger.", "Ticket sales close.", "18:00:00", TIME),
        "ticketOpenTimespan": _describe(
            "Biljettförsäljningens tid som text.", "Ticket span as text.", "09:30–18:00"
        ),
        "title": _describe("Dagens rubrik.", "Title of the day.", "Premiär"),
        "priceInfo": _describe("Dagens priser.", "Price information for the day.", "Fri entré före 12"),
        "occationCount": _describe("Antal tillfällen den dagen.", "Number of occasions on the day.", 12),
    },
    "Stream": {
        "name": _describe("Sändningens namn.", "Stream name.", "Torget live"),
        "url": _describe("Sändningens adress.", "Stream URL.", "https://video.example/torget", URL),
        "source": _describe(
            "Var den sänds: 0 annat, 1 YouTube, 2 Vimeo, 3 Twitch, 4 Facebook, 5 SVT Play.",
            "Where it is: 0 other, 1 YouTube, 2 Vimeo, 3 Twitch, 4 Facebook, 5 SVT Play.",
            1,
        ),
    },
    "SubArea": {
        "id": _describe("Delområdets ID.", "Sub area ID.", 2001),
        "name": _describe("Namn (kort).", "Name (short).", "Scenen"),
        **_PLACE,
        "eventCount": _describe("Antal programpunkter i delområdet.", "Number of events in the sub area.", 3),
        "occationCount": _describe(
            "Antal tillfällen i delområdet.", "Number of occasions in the sub area.", 7
        ),
    },
    "Area": {
        "id": _describe("Områdets ID.", "Area ID.", 1001),
        "name": _describe("Namn (kort).", "Name (short).", "Ångtorget"),
        **_PLACE,
        "eventCount": _describe("Antal programpunkter i området.", "Number of events in the area.", 18),
        "occationCount": _describe("Antal tillfällen i området.", "Number of occasions in the area.", 31),
        "price": _describe("Priser.", "Pricing information.", "100 kr, barn gratis"),
        "ticketUrl": _describe(
            "Där biljetter köps.", "Where to buy a ticket.", "https://biljetter.example/angtorget", URL
        ),
        "subAreaEventCount": _describe(
            "Antal programpunkter i områdets delområden.", "Number of events in its sub areas.", 3
        ),
        "subAreaOccationCount": _describe(
            "Antal tillfällen i områdets delområden.", "Number of occasions in its sub areas.", 7
        ),
    },
    "Organizer": {
        "id": _describe("Arrangörens ID.", "Organizer ID.", 3001),
        "name": _describe("Namn.", "Name.", "Föreningen Jazz"),
        "info": _describe("Kort beskrivning.", "Short description.", TEXTS),
        "externalUrl": _describe("Webbsida.", "Web page.", "https://jazz.example/", URL),
        "eventCount": _describe("Antal programpunkter.", "Number of events.", 4),
        "occationCount": _describe("Antal tillfällen.", "Number of occasions.", 9),
        "offerCount": _describe("Antal erbjudanden.", "Number of offers.", 3),
    },
    "Language": {
        "code": _describe("Språkkod.", "Language code.", "sv"),
        "name": _describe("Språkets namn.", "Name of the language.", {"en": "Swedish", "sv": "svenska"}),
    },
    "EventType": {
        "id": _describe("Typens ID.", "Type ID.", 4001),
        "name": _describe("Typens namn.", "Name of the type.", {"en": "Concert", "sv": "Konsert"}),
        "color": _describe("Färg som HTML-kod.", "HTML colour code.", "#aa0000", COLOUR),
    },
    "Location": {
        "name": _describe("Platsens namn.", "Location name.", "Biblioteket"),
        "isOnline": _describe("Om platsen är på nätet.", "Whether the location is online.", False),
        "address": _describe("Adress.", "Address.", "Storgatan 1, Åsunda"),
        "room": _describe("Lokal.", "Room.", "Sal 2"),
        "fullName": _describe(
            "Platsens namn och lokalen, med komma emellan.",
            "Location name and room joined by a comma and a space.",
            "Biblioteket, Sal 2",
        ),
        "floor": _describe("Våning.", "Floor.", "2 tr"),
        "accessibilityInfo": _describe("Platsens tillgänglighet.", "Accessibility of the location.", TEXTS),
        "roomAccessibilityInfo": _describe("Lokalens tillgänglighet.", "Accessibility of the room.", TEXTS),
        "publicTransportStation": _describe(
            "Närmaste hållplats.", "Nearest public transport station.", "Stortorget"
        ),
    },
    "Occation": {
        "id": _describe("Tillfällets ID.", "Occasion ID.", 8001),
        "dayID": _describe("Festivaldagens ID.", "ID of the festival day.", 20260729),
        "date": _describe("Datum.", "Date.", "2026-07-29", DATE),
        "startTime": _describe(
            "Början, i festivalens tidszon.", "Start, in the festival's time zone.", "16:00:00", TIME
        ),
        "endTime": _describe(
            "Slut; vid eller före början är det nästa dag.",
            "End; at or before the start it is on the next day.",
            "17:00:00",
            TIME,
        ),
        "stream": _describe("Tillfällets sändning.", "Stream of the occasion.", None),
        "start": _describe("Början som kort text.", "Start as short clock text.", "16:00"),
        "timeSpan": _describe(
            "Tiden som text på språket, med idag, imorgon och igår.",
            "The span as text in the language, with relative day words.",
            "idag 16:00–17:00",
        ),
        "url": _describe(
            "Tillfällets sida på varje språk.",
            "URL of the occasion, per language.",
            {
                "en": "https://program.example/en/occasion/8001",
                "sv": "https://program.example/tillfalle/8001",
            },
        ),
    },
    "Event": {
        "id": _describe("Programpunktens ID.", "Event ID.", 7001),
        "area": _describe("Området.", "The physical area where the event is held.", None),
        "subArea": _describe("Delområdet, om det finns ett.", "Optional sub area.", None),
        "title": _describe("Titel.", "Event title.", "Jazz i parken"),
        "organizer": _describe("Arrangören.", "The organizer.", None),
        "signInterpreted": _describe("Teckenspråkstolkas.", "Event is sign language interpreted.", True),
        "highlighted": _describe(
            "Framhävs (av särskilt intresse).", "Event is highlighted (of special interest).", False
        ),
        "production": _describe(
            "Hur den arrangeras: 0 ej angivet, 1 av festivalen, 2 tillsammans med andra, 3 av andra.",
            "How it is produced: 0 not stated, 1 by the festival, 2 together with others, 3 by others.",
            2,
        ),
        "cancelled": _describe(
            "Programpunkten eller det här tillfället är inställt.",
            "The event, or this occasion of it, has been cancelled.",
            False,
        ),
        "recurring": _describe("Har mer än ett tillfälle.", "Event has more than one occasion.", True),
        "language": _describe("Språket som den hålls på.", "Language in which the event is held.", None),
        "type": _describe("Typen av programpunkt.", "Event type.", None),
        "location": _describe("Platsen för det här tillfället.", "Physical location of this occasion.", None),
        "occation": _describe("Tillfället som valdes ut.", "The occasion that was selected.", None),
        "price": _describe("Priser.", "Pricing information.", "50 kr; barn 0 kr"),
        "intro": _describe("Kort ingress.", "Short intro text.", TEXTS),
        "description": _describe("Längre beskrivning.", "Longer description.", TEXTS),
        "imageUrl": _describe("Bildens adress.", "URL of an image.", "https://bilder.example/jazz.jpg", URL),
        "imageCaption": _describe("Bildtext.", "Caption for the image.", "Bild: Åsa"),
        "externalUrl": _describe(
            "Webbsida med mer information.",
            "Web page with more information.",
            "https://jazz.example/fest",
            URL,
        ),
        "ticketUrl": _describe(
            "Där biljetter köps.", "Where to buy a ticket.", "https://biljetter.example/jazz", URL
        ),
        "allOccations": _describe("Alla tillfällen, ett eller flera.", "All occasions, one or more.", []),
        "updated": _describe(
            "Märktes som ändrad de senaste 36 timmarna.",
            "Was marked as changed within the last 36 hours.",
            True,
        ),
        "changeInfo": _describe(
            "Vad som ändrades, för tillfället eller hela programpunkten.",
            "What the last change was, of this occasion or of the whole event.",
            "Ny sal",
        ),
        "changeTimestamp": _describe(
            "När tillfället eller hela programpunkten senast märktes som ändrad.",
            "When this occasion or the whole event was last marked as changed.",
            "2026-07-28T08:00:00.123456+02:00",
            MOMENT,
        ),
        "lastModified": _describe(
            "När den senast ändrades, även utan att märkas.",
            "When the event was modified, even if not marked as changed.",
            "2026-07-28T14:03:12.483000+02:00",
            MOMENT,
        ),
    },
    "RemovedOccation": {
        "id": _describe("Tillfällets ID.", "Occasion ID.", 8001),
    },
    "Tombstone": {
        "id": _describe("Programpunktens ID.", "Event ID.", 7001),
        "occation": _describe("Tillfället att ta bort.", "The occasion to drop.", None),
        "removed": _describe(
            "gone: borttaget eller återkallat; unselected: finns kvar, men inte i urvalet.",
            "gone: deleted or withdrawn; unselected: there still, but not in the selection.",
            "gone",
        ),
        "lastModified": _describe(
            "När tillfället eller programpunkten senast ändrades.",
            "When the occasion or its event was last modified.",
            "2026-07-28T14:03:12.483000+02:00",
            MOMENT,
        ),
    },
}
