"""Descriptions of the fields of the JSON tables, in Swedish and English, with an example of a value."""

from typing import Any, NamedTuple

from feeds.vocabulary import Text

DATE, TIME, MOMENT, URL, COLOUR = "date", "time-local", "date-time", "iri", "color"


class FieldDescription(NamedTuple):
    """`format` is JSON Schema's, or one of the registry of OpenAPI."""

    text: Text
    example: Any
    format: str = ""


def describe(sv: str, en: str, example: Any, of: str = "") -> FieldDescription:
    return FieldDescription(Text(sv, en), example, of)


TEXTS = {"en": "In the middle of town.", "sv": "Mitt i stan."}

# What areas and sub areas have in common.
_PLACE = {
    "fullName": describe("Fullständigt namn.", "Full name.", "Stora Ångtorget"),
    "color": describe("Färg som HTML-kod.", "HTML colour code.", "#2f6f4e", COLOUR),
    "location": describe(
        "Platsens namn, om det bara är en plats.",
        "Location name, where it is one location only.",
        "Ångtorget 1",
    ),
    "address": describe(
        "Platsens adress, om det bara är en plats.",
        "Address of the location, where it is one location only.",
        "Torggatan 1, Åsunda",
    ),
    "info": describe("Kort beskrivning.", "Short description.", TEXTS),
    "externalUrl": describe(
        "Webbsida med mer information.", "Web page with more information.", "https://angtorget.example/", URL
    ),
    "days": describe(
        "Dagarna med tillfällen eller inlagda öppettider, i datumordning.",
        "The days that have occasions or entered opening times, by date.",
        [],
    ),
    "streams": describe("Sändningar därifrån på nätet.", "Streams from there, viewable online.", []),
}

DESCRIPTIONS: dict[str, dict[str, FieldDescription]] = {
    "Translatable": {
        "en": describe("Texten på engelska.", "English text.", "In the middle of town."),
        "sv": describe("Texten på svenska.", "Swedish text.", "Mitt i stan."),
    },
    "AreaDay": {
        "date": describe("Dagen.", "The day.", "2026-07-29", DATE),
        "name": describe("Dagens namn, på språket.", "The day's name, in the language.", "onsdag 29 juli"),
        "opens": describe("Öppnar.", "Opening time.", "10:00:00", TIME),
        "closes": describe("Stänger.", "Closing time.", "18:00:00", TIME),
        "openTimeSpan": describe("Öppettiden som text.", "Opening span as text.", "10:00–18:00"),
        "ticketOpens": describe("Biljettförsäljningen öppnar.", "Ticket sales open.", "09:30:00", TIME),
        "ticketCloses": describe("Biljettförsäljningen stänger.", "Ticket sales close.", "18:00:00", TIME),
        "ticketOpenTimespan": describe(
            "Biljettförsäljningens tid som text.", "Ticket span as text.", "09:30–18:00"
        ),
        "title": describe("Dagens rubrik.", "Title of the day.", "Premiär"),
        "priceInfo": describe("Dagens priser.", "Price information for the day.", "Fri entré före 12"),
        "occationCount": describe("Antal tillfällen den dagen.", "Number of occasions on the day.", 12),
    },
    "Stream": {
        "name": describe("Sändningens namn.", "Stream name.", "Torget live"),
        "url": describe("Sändningens adress.", "Stream URL.", "https://video.example/torget", URL),
        "source": describe(
            "Var den sänds: 0 annat, 1 YouTube, 2 Vimeo, 3 Twitch, 4 Facebook, 5 SVT Play.",
            "Where it is: 0 other, 1 YouTube, 2 Vimeo, 3 Twitch, 4 Facebook, 5 SVT Play.",
            1,
        ),
    },
    "SubArea": {
        "id": describe("Delområdets ID.", "Sub area ID.", 2001),
        "name": describe("Namn (kort).", "Name (short).", "Scenen"),
        **_PLACE,
        "eventCount": describe("Antal programpunkter i delområdet.", "Number of events in the sub area.", 3),
        "occationCount": describe(
            "Antal tillfällen i delområdet.", "Number of occasions in the sub area.", 7
        ),
    },
    "Area": {
        "id": describe("Områdets ID.", "Area ID.", 1001),
        "name": describe("Namn (kort).", "Name (short).", "Ångtorget"),
        **_PLACE,
        "eventCount": describe("Antal programpunkter i området.", "Number of events in the area.", 18),
        "occationCount": describe("Antal tillfällen i området.", "Number of occasions in the area.", 31),
        "price": describe("Priser.", "Pricing information.", "100 kr, barn gratis"),
        "ticketUrl": describe(
            "Där biljetter köps.", "Where to buy a ticket.", "https://biljetter.example/angtorget", URL
        ),
        "subAreaEventCount": describe(
            "Antal programpunkter i områdets delområden.", "Number of events in its sub areas.", 3
        ),
        "subAreaOccationCount": describe(
            "Antal tillfällen i områdets delområden.", "Number of occasions in its sub areas.", 7
        ),
    },
    "Organizer": {
        "id": describe("Arrangörens ID.", "Organizer ID.", 3001),
        "name": describe("Namn.", "Name.", "Föreningen Jazz"),
        "info": describe("Kort beskrivning.", "Short description.", TEXTS),
        "externalUrl": describe("Webbsida.", "Web page.", "https://jazz.example/", URL),
        "eventCount": describe("Antal programpunkter.", "Number of events.", 4),
        "occationCount": describe("Antal tillfällen.", "Number of occasions.", 9),
        "offerCount": describe("Antal erbjudanden.", "Number of offers.", 3),
    },
    "Language": {
        "code": describe("Språkkod.", "Language code.", "sv"),
        "name": describe("Språkets namn.", "Name of the language.", {"en": "Swedish", "sv": "svenska"}),
    },
    "EventType": {
        "id": describe("Typens ID.", "Type ID.", 4001),
        "name": describe("Typens namn.", "Name of the type.", {"en": "Concert", "sv": "Konsert"}),
        "color": describe("Färg som HTML-kod.", "HTML colour code.", "#aa0000", COLOUR),
    },
    "Location": {
        "name": describe("Platsens namn.", "Location name.", "Biblioteket"),
        "isOnline": describe("Om platsen är på nätet.", "Whether the location is online.", False),
        "address": describe("Adress.", "Address.", "Storgatan 1, Åsunda"),
        "room": describe("Lokal.", "Room.", "Sal 2"),
        "fullName": describe(
            "Platsens namn och lokalen, med komma emellan.",
            "Location name and room joined by a comma and a space.",
            "Biblioteket, Sal 2",
        ),
        "floor": describe("Våning.", "Floor.", "2 tr"),
        "accessibilityInfo": describe("Platsens tillgänglighet.", "Accessibility of the location.", TEXTS),
        "roomAccessibilityInfo": describe("Lokalens tillgänglighet.", "Accessibility of the room.", TEXTS),
        "publicTransportStation": describe(
            "Närmaste hållplats.", "Nearest public transport station.", "Stortorget"
        ),
    },
    "Occation": {
        "id": describe("Tillfällets ID.", "Occasion ID.", 8001),
        "dayID": describe("Festivaldagens ID.", "ID of the festival day.", 20260729),
        "date": describe("Datum.", "Date.", "2026-07-29", DATE),
        "startTime": describe(
            "Början, i festivalens tidszon.", "Start, in the festival's time zone.", "16:00:00", TIME
        ),
        "endTime": describe(
            "Slut; vid eller före början är det nästa dag.",
            "End; at or before the start it is on the next day.",
            "17:00:00",
            TIME,
        ),
        "stream": describe("Tillfällets sändning.", "Stream of the occasion.", None),
        "start": describe("Början som kort text.", "Start as short clock text.", "16:00"),
        "timeSpan": describe(
            "Tiden som text på språket, med idag, imorgon och igår.",
            "The span as text in the language, with relative day words.",
            "idag 16:00–17:00",
        ),
        "url": describe(
            "Tillfällets sida på varje språk.",
            "URL of the occasion, per language.",
            {
                "en": "https://program.example/en/occasion/8001",
                "sv": "https://program.example/tillfalle/8001",
            },
        ),
    },
    "Event": {
        "id": describe("Programpunktens ID.", "Event ID.", 7001),
        "area": describe("Området.", "The physical area where the event is held.", None),
        "subArea": describe("Delområdet, om det finns ett.", "Optional sub area.", None),
        "title": describe("Titel.", "Event title.", "Jazz i parken"),
        "organizer": describe("Arrangören.", "The organizer.", None),
        "signInterpreted": describe("Teckenspråkstolkas.", "Event is sign language interpreted.", True),
        "highlighted": describe(
            "Framhävs (av särskilt intresse).", "Event is highlighted (of special interest).", False
        ),
        "production": describe(
            "Hur den arrangeras: 0 ej angivet, 1 av festivalen, 2 tillsammans med andra, 3 av andra.",
            "How it is produced: 0 not stated, 1 by the festival, 2 together with others, 3 by others.",
            2,
        ),
        "cancelled": describe(
            "Programpunkten eller det här tillfället är inställt.",
            "The event, or this occasion of it, has been cancelled.",
            False,
        ),
        "recurring": describe("Har mer än ett tillfälle.", "Event has more than one occasion.", True),
        "language": describe("Språket som den hålls på.", "Language in which the event is held.", None),
        "type": describe("Typen av programpunkt.", "Event type.", None),
        "location": describe("Platsen för det här tillfället.", "Physical location of this occasion.", None),
        "occation": describe("Tillfället som valdes ut.", "The occasion that was selected.", None),
        "price": describe("Priser.", "Pricing information.", "50 kr; barn 0 kr"),
        "intro": describe("Kort ingress.", "Short intro text.", TEXTS),
        "description": describe("Längre beskrivning.", "Longer description.", TEXTS),
        "imageUrl": describe("Bildens adress.", "URL of an image.", "https://bilder.example/jazz.jpg", URL),
        "imageCaption": describe("Bildtext.", "Caption for the image.", "Bild: Åsa"),
        "externalUrl": describe(
            "Webbsida med mer information.",
            "Web page with more information.",
            "https://jazz.example/fest",
            URL,
        ),
        "ticketUrl": describe(
            "Där biljetter köps.", "Where to buy a ticket.", "https://biljetter.example/jazz", URL
        ),
        "allOccations": describe("Alla tillfällen, ett eller flera.", "All occasions, one or more.", []),
        "updated": describe(
            "Märktes som ändrad de senaste 36 timmarna.",
            "Was marked as changed within the last 36 hours.",
            True,
        ),
        "changeInfo": describe(
            "Vad som ändrades, för tillfället eller hela programpunkten.",
            "What the last change was, of this occasion or of the whole event.",
            "Ny sal",
        ),
        "changeTimestamp": describe(
            "När tillfället eller hela programpunkten senast märktes som ändrad.",
            "When this occasion or the whole event was last marked as changed.",
            "2026-07-28T08:00:00.123456+02:00",
            MOMENT,
        ),
        "lastModified": describe(
            "När den senast ändrades, även utan att märkas.",
            "When the event was modified, even if not marked as changed.",
            "2026-07-28T14:03:12.483000+02:00",
            MOMENT,
        ),
    },
    "RemovedOccation": {
        "id": describe("Tillfällets ID.", "Occasion ID.", 8001),
    },
    "Tombstone": {
        "id": describe("Programpunktens ID.", "Event ID.", 7001),
        "occation": describe("Tillfället att ta bort.", "The occasion to drop.", None),
        "removed": describe(
            "gone: borttaget eller återkallat; unselected: finns kvar, men inte i urvalet.",
            "gone: deleted or withdrawn; unselected: there still, but not in the selection.",
            "gone",
        ),
        "lastModified": describe(
            "När tillfället eller programpunkten senast ändrades.",
            "When the occasion or its event was last modified.",
            "2026-07-28T14:03:12.483000+02:00",
            MOMENT,
        ),
    },
}
