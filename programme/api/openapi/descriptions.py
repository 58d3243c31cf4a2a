"""What each field of the interface's tables means, in Swedish and English, with an example of a value."""

from typing import Any, NamedTuple

from feeds.vocabulary import Text

DATE, TIME, MOMENT, URL, COLOUR = "date", "time-local", "date-time", "iri", "color"


class FieldDescription(NamedTuple):
    """`format` is JSON Schema's, or one of the registry of OpenAPI."""

    text: Text
    example: Any
    format: str = ""


def _means(sv: str, en: str, example: Any, of: str = "") -> FieldDescription:
    return FieldDescription(Text(sv, en), example, of)


TEXTS = {"en": "In the middle of town.", "sv": "Mitt i stan."}

# What areas and sub areas have in common.
_PLACE = {
    "fullName": _means("Fullständigt namn.", "Full name.", "Stora Ångtorget"),
    "color": _means("Färg som HTML-kod.", "HTML colour code.", "#2f6f4e", COLOUR),
    "location": _means(
        "Platsens namn, om det bara är en plats.",
        "Location name, where it is one location only.",
        "Ångtorget 1",
    ),
    "address": _means(
        "Platsens adress, om det bara är en plats.",
        "Address of the location, where it is one location only.",
        "Torggatan 1, Åsunda",
    ),
    "info": _means("Kort beskrivning.", "Short description.", TEXTS),
    "externalUrl": _means(
        "Webbsida med mer information.", "Web page with more information.", "https://angtorget.example/", URL
    ),
    "days": _means(
        "Dagarna med tillfällen eller inlagda öppettider, i datumordning.",
        "The days that have occasions or entered opening times, by date.",
        [],
    ),
    "streams": _means("Sändningar därifrån på nätet.", "Streams from there, viewable online.", []),
}

DESCRIPTIONS: dict[str, dict[str, FieldDescription]] = {
    "Translatable": {
        "en": _means("Texten på engelska.", "English text.", "In the middle of town."),
        "sv": _means("Texten på svenska.", "Swedish text.", "Mitt i stan."),
    },
    "AreaDay": {
        "date": _means("Dagen.", "The day.", "2026-07-29", DATE),
        "name": _means("Dagens namn, på språket.", "The day's name, in the language.", "onsdag 29 juli"),
        "opens": _means("Öppnar.", "Opening time.", "10:00:00", TIME),
        "closes": _means("Stänger.", "Closing time.", "18:00:00", TIME),
        "openTimeSpan": _means("Öppettiden som text.", "Opening span as text.", "10:00–18:00"),
        "ticketOpens": _means("Biljettförsäljningen öppnar.", "Ticket sales open.", "09:30:00", TIME),
        "ticketCloses": _means("Biljettförsäljningen stänger.", "Ticket sales close.", "18:00:00", TIME),
        "ticketOpenTimespan": _means(
            "Biljettförsäljningens tid som text.", "Ticket span as text.", "09:30–18:00"
        ),
        "title": _means("Dagens rubrik.", "Title of the day.", "Premiär"),
        "priceInfo": _means("Dagens priser.", "Price information for the day.", "Fri entré före 12"),
        "occationCount": _means("Antal tillfällen den dagen.", "Number of occasions on the day.", 12),
    },
    "Stream": {
        "name": _means("Sändningens namn.", "Stream name.", "Torget live"),
        "url": _means("Sändningens adress.", "Stream URL.", "https://video.example/torget", URL),
        "source": _means(
            "Var den sänds: 0 annat, 1 YouTube, 2 Vimeo, 3 Twitch, 4 Facebook, 5 SVT Play.",
            "Where it is: 0 other, 1 YouTube, 2 Vimeo, 3 Twitch, 4 Facebook, 5 SVT Play.",
            1,
        ),
    },
    "SubArea": {
        "id": _means("Delområdets ID.", "Sub area ID.", 2001),
        "name": _means("Namn (kort).", "Name (short).", "Scenen"),
        **_PLACE,
        "eventCount": _means("Antal programpunkter i delområdet.", "Number of events in the sub area.", 3),
        "occationCount": _means("Antal tillfällen i delområdet.", "Number of occasions in the sub area.", 7),
    },
    "Area": {
        "id": _means("Områdets ID.", "Area ID.", 1001),
        "name": _means("Namn (kort).", "Name (short).", "Ångtorget"),
        **_PLACE,
        "eventCount": _means("Antal programpunkter i området.", "Number of events in the area.", 18),
        "occationCount": _means("Antal tillfällen i området.", "Number of occasions in the area.", 31),
        "price": _means("Priser.", "Pricing information.", "100 kr, barn gratis"),
        "ticketUrl": _means(
            "Där biljetter köps.", "Where to buy a ticket.", "https://biljetter.example/angtorget", URL
        ),
        "subAreaEventCount": _means(
            "Antal programpunkter i områdets delområden.", "Number of events in its sub areas.", 3
        ),
        "subAreaOccationCount": _means(
            "Antal tillfällen i områdets delområden.", "Number of occasions in its sub areas.", 7
        ),
    },
    "Organizer": {
        "id": _means("Arrangörens ID.", "Organizer ID.", 3001),
        "name": _means("Namn.", "Name.", "Föreningen Jazz"),
        "info": _means("Kort beskrivning.", "Short description.", TEXTS),
        "externalUrl": _means("Webbsida.", "Web page.", "https://jazz.example/", URL),
        "eventCount": _means("Antal programpunkter.", "Number of events.", 4),
        "occationCount": _means("Antal tillfällen.", "Number of occasions.", 9),
        "offerCount": _means("Antal erbjudanden.", "Number of offers.", 3),
    },
    "Language": {
        "code": _means("Språkkod.", "Language code.", "sv"),
        "name": _means("Språkets namn.", "Name of the language.", {"en": "Swedish", "sv": "svenska"}),
    },
    "EventType": {
        "id": _means("Typens ID.", "Type ID.", 4001),
        "name": _means("Typens namn.", "Name of the type.", {"en": "Concert", "sv": "Konsert"}),
        "color": _means("Färg som HTML-kod.", "HTML colour code.", "#aa0000", COLOUR),
    },
    "Location": {
        "name": _means("Platsens namn.", "Location name.", "Biblioteket"),
        "isOnline": _means("Om platsen är på nätet.", "Whether the location is online.", False),
        "address": _means("Adress.", "Address.", "Storgatan 1, Åsunda"),
        "room": _means("Lokal.", "Room.", "Sal 2"),
        "fullName": _means(
            "Platsens namn och lokalen, med komma emellan.",
            "Location name and room joined by a comma and a space.",
            "Biblioteket, Sal 2",
        ),
        "floor": _means("Våning.", "Floor.", "2 tr"),
        "accessibilityInfo": _means("Platsens tillgänglighet.", "Accessibility of the location.", TEXTS),
        "roomAccessibilityInfo": _means("Lokalens tillgänglighet.", "Accessibility of the room.", TEXTS),
        "publicTransportStation": _means(
            "Närmaste hållplats.", "Nearest public transport station.", "Stortorget"
        ),
    },
    "Occation": {
        "id": _means("Tillfällets ID.", "Occasion ID.", 8001),
        "dayID": _means("Festivaldagens ID.", "ID of the festival day.", 20260729),
        "date": _means("Datum.", "Date.", "2026-07-29", DATE),
        "startTime": _means(
            "Början, i festivalens tidszon.", "Start, in the festival's time zone.", "16:00:00", TIME
        ),
        "endTime": _means(
            "Slut; vid eller före början är det nästa dag.",
            "End; at or before the start it is on the next day.",
            "17:00:00",
            TIME,
        ),
        "stream": _means("Tillfällets sändning.", "Stream of the occasion.", None),
        "start": _means("Början som kort text.", "Start as short clock text.", "16:00"),
        "timeSpan": _means(
            "Tiden som text på språket, med idag, imorgon och igår.",
            "The span as text in the language, with relative day words.",
            "idag 16:00–17:00",
        ),
        "url": _means(
            "Tillfällets sida på varje språk.",
            "URL of the occasion, per language.",
            {
                "en": "https://program.example/en/occasion/8001",
                "sv": "https://program.example/tillfalle/8001",
            },
        ),
    },
    "Event": {
        "id": _means("Programpunktens ID.", "Event ID.", 7001),
        "area": _means("Området.", "The physical area where the event is held.", None),
        "subArea": _means("Delområdet, om det finns ett.", "Optional sub area.", None),
        "title": _means("Titel.", "Event title.", "Jazz i parken"),
        "organizer": _means("Arrangören.", "The organizer.", None),
        "signInterpreted": _means("Teckenspråkstolkas.", "Event is sign language interpreted.", True),
        "highlighted": _means(
            "Framhävs (av särskilt intresse).", "Event is highlighted (of special interest).", False
        ),
        "production": _means(
            "Hur den arrangeras: 0 ej angivet, 1 av festivalen, 2 tillsammans med andra, 3 av andra.",
            "How it is produced: 0 not stated, 1 by the festival, 2 together with others, 3 by others.",
            2,
        ),
        "cancelled": _means(
            "Programpunkten eller det här tillfället är inställt.",
            "The event, or this occasion of it, has been cancelled.",
            False,
        ),
        "recurring": _means("Har mer än ett tillfälle.", "Event has more than one occasion.", True),
        "language": _means("Språket som den hålls på.", "Language in which the event is held.", None),
        "type": _means("Typen av programpunkt.", "Event type.", None),
        "location": _means("Platsen för det här tillfället.", "Physical location of this occasion.", None),
        "occation": _means("Tillfället som valdes ut.", "The occasion that was selected.", None),
        "price": _means("Priser.", "Pricing information.", "50 kr; barn 0 kr"),
        "intro": _means("Kort ingress.", "Short intro text.", TEXTS),
        "description": _means("Längre beskrivning.", "Longer description.", TEXTS),
        "imageUrl": _means("Bildens adress.", "URL of an image.", "https://bilder.example/jazz.jpg", URL),
        "imageCaption": _means("Bildtext.", "Caption for the image.", "Bild: Åsa"),
        "externalUrl": _means(
            "Webbsida med mer information.",
            "Web page with more information.",
            "https://jazz.example/fest",
            URL,
        ),
        "ticketUrl": _means(
            "Där biljetter köps.", "Where to buy a ticket.", "https://biljetter.example/jazz", URL
        ),
        "allOccations": _means("Alla tillfällen, ett eller flera.", "All occasions, one or more.", []),
        "updated": _means(
            "Märktes som ändrad de senaste 36 timmarna.",
            "Was marked as changed within the last 36 hours.",
            True,
        ),
        "changeInfo": _means("Vad som ändrades.", "What the last change was.", "Ny sal"),
        "changeTimestamp": _means(
            "När den senast märktes som ändrad.",
            "When the event was last marked as changed.",
            "2026-07-28T08:00:00.123456+02:00",
            MOMENT,
        ),
        "lastModified": _means(
            "När den senast ändrades, även utan att märkas.",
            "When the event was modified, even if not marked as changed.",
            "2026-07-28T14:03:12.483000+02:00",
            MOMENT,
        ),
    },
    "RemovedOccation": {
        "id": _means("Tillfällets ID.", "Occasion ID.", 8001),
    },
    "Tombstone": {
        "id": _means("Programpunktens ID.", "Event ID.", 7001),
        "occation": _means("Tillfället att ta bort.", "The occasion to drop.", None),
        "removed": _means(
            "gone: borttaget eller återkallat; unselected: finns kvar, men inte i urvalet.",
            "gone: deleted or withdrawn; unselected: there still, but not in the selection.",
            "gone",
        ),
        "lastModified": _means(
            "När tillfället eller programpunkten senast ändrades.",
            "When the occasion or its event was last modified.",
            "2026-07-28T14:03:12.483000+02:00",
            MOMENT,
        ),
    },
}
