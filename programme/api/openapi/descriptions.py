"""Descriptions of the fields of the JSON tables, with an example of a value."""

from typing import Any, NamedTuple

DATE, TIME, MOMENT, URL, COLOUR = "date", "time-local", "date-time", "iri", "color"


class Field(NamedTuple):
    """What a field holds; `format` is JSON Schema's, or one of the registry of OpenAPI."""

    text: str
    example: Any = None
    format: str = ""


def _instant(text: str, written: str = "2026-07-28T14:03:12.483000") -> Field:
    return Field(text, f"{written}+02:00", MOMENT)


def _pages(of: str) -> dict[str, str]:
    return {
        "en": f"https://program.example/en/occasion/{of}",
        "sv": f"https://program.example/tillfalle/{of}",
    }


TEXTS = {"en": "In the middle of town.", "sv": "Mitt i stan."}
_LEFT_OUT = "{}; null with texts=intro."

# By field, or by table and field where tables differ.
DESCRIPTIONS: dict[str, Field] = {
    "en": Field("English text.", "In the middle of town."),
    "sv": Field("Swedish text.", "Mitt i stan."),
    # Areas, sub areas and their days
    "Area.id": Field("Area ID.", 1001),
    "SubArea.id": Field("Sub area ID.", 2001),
    "Area.name": Field("Name (short).", "Ångtorget"),
    "SubArea.name": Field("Name (short).", "Scenen"),
    "fullName": Field("Full name.", "Stora Ångtorget"),
    "color": Field("HTML colour code.", "#2f6f4e", COLOUR),
    "location": Field("Location name, where it is one location only.", "Ångtorget 1"),
    "address": Field("Address of the location, where it is one location only.", "Torggatan 1, Åsunda"),
    "info": Field("Short description.", TEXTS),
    "ProgrammeArea.info": Field(_LEFT_OUT.format("Short description"), TEXTS),
    "ProgrammeSubArea.info": Field(_LEFT_OUT.format("Short description"), TEXTS),
    "externalUrl": Field("Web page with more information.", "https://angtorget.example/", URL),
    "Area.eventCount": Field("Number of events in the area.", 18),
    "SubArea.eventCount": Field("Number of events in the sub area.", 3),
    "Area.occationCount": Field("Number of occasions in the area.", 31),
    "SubArea.occationCount": Field("Number of occasions in the sub area.", 7),
    "price": Field("Pricing information.", "100 kr, barn gratis"),
    "ticketUrl": Field("Where to buy a ticket.", "https://biljetter.example/angtorget", URL),
    "subAreaEventCount": Field("Number of events in its sub areas.", 3),
    "subAreaOccationCount": Field("Number of occasions in its sub areas.", 7),
    "days": Field("The days that have occasions or entered opening times, by date."),
    "ProgrammeArea.days": Field("The days with entered opening times, by date."),
    "streams": Field("Streams from there, viewable online."),
    "areaID": Field("ID of the area.", 1001),
    "subAreaID": Field("ID of the sub area, if any.", 2001),
    "dayID": Field("ID of the festival day.", 20260729),
    "date": Field("The day.", "2026-07-29", DATE),
    "AreaDay.name": Field("The day's name, in the language.", "onsdag 29 juli"),
    "opens": Field("Opening time.", "10:00:00", TIME),
    "closes": Field("Closing time.", "18:00:00", TIME),
    "openTimeSpan": Field("Opening span as text.", "10:00–18:00"),
    "ticketOpens": Field("Ticket sales open.", "09:30:00", TIME),
    "ticketCloses": Field("Ticket sales close.", "18:00:00", TIME),
    "ticketOpenTimespan": Field("Ticket span as text.", "09:30–18:00"),
    "AreaDay.title": Field("Title of the day.", "Premiär"),
    "ProgrammeDay.title": Field("Title of the day.", "Premiär"),
    "priceInfo": Field("Price information for the day.", "Fri entré före 12"),
    "AreaDay.occationCount": Field("Number of occasions on the day.", 12),
    # Streams, organizers, languages and types
    "Stream.name": Field("Stream name.", "Torget live"),
    "Stream.url": Field("Stream URL.", "https://video.example/torget", URL),
    "source": Field("Where it is: 0 other, 1 YouTube, 2 Vimeo, 3 Twitch, 4 Facebook, 5 SVT Play.", 1),
    "Organizer.id": Field("Organizer ID.", 3001),
    "Organizer.name": Field("Name.", "Föreningen Jazz"),
    "ProgrammeOrganizer.info": Field(_LEFT_OUT.format("Short description"), TEXTS),
    "Organizer.externalUrl": Field("Web page.", "https://jazz.example/", URL),
    "Organizer.eventCount": Field("Number of events.", 4),
    "Organizer.occationCount": Field("Number of occasions.", 9),
    "offerCount": Field("Number of offers.", 3),
    "organizerID": Field("ID of the organizer.", 3001),
    "code": Field("Language code.", "sv"),
    "Language.name": Field("Name of the language.", {"en": "Swedish", "sv": "svenska"}),
    "EventType.id": Field("Type ID.", 4001),
    "EventType.name": Field("Name of the type.", {"en": "Concert", "sv": "Konsert"}),
    "EventType.color": Field("HTML colour code.", "#aa0000", COLOUR),
    "typeID": Field("ID of the type.", 4001),
    "typeIDs": Field("IDs of all types, that one first.", [4001]),
    # Places
    "ProgrammeLocation.id": Field("Location ID.", 5001),
    "Location.name": Field("Location name.", "Biblioteket"),
    "isOnline": Field("Whether the location is online.", False),
    "Location.address": Field("Address.", "Storgatan 1, Åsunda"),
    "room": Field("Room.", "Sal 2"),
    "Location.fullName": Field("Location name and room joined by a comma and a space.", "Biblioteket, Sal 2"),
    "floor": Field("Floor.", "2 tr"),
    "accessibilityInfo": Field("Accessibility of the location.", TEXTS),
    "roomAccessibilityInfo": Field("Accessibility of the room.", TEXTS),
    "publicTransportStation": Field("Nearest public transport station.", "Stortorget"),
    "latitude": Field("Latitude in degrees (WGS 84).", 57.70887),
    "longitude": Field("Longitude in degrees (WGS 84).", 11.97456),
    "ProgrammeLocation.facts": Field(
        "What is known of the location, by the parameter's name.",
        {"access": ["step-free", "no-hearing-loop"]},
    ),
    "locationID": Field("ID of the location.", 5001),
    "ProgrammeRoom.id": Field("Room ID.", 6001),
    "ProgrammeRoom.name": Field("Room name.", "Sal 2"),
    "ProgrammeRoom.accessibilityInfo": Field("Accessibility of the room.", TEXTS),
    "ProgrammeRoom.facts": Field(
        "What is known of the room, by the parameter's name.", {"access": ["no-step-free"]}
    ),
    "roomID": Field("ID of the room.", 6001),
    # Occasions
    "id": Field("Occasion ID.", 8001),
    "eventID": Field("ID of the event.", 7001),
    "Occation.date": Field("Date.", "2026-07-29", DATE),
    "startTime": Field("Start, in the festival's time zone.", "16:00:00", TIME),
    "endTime": Field("End; at or before the start it is on the next day.", "17:00:00", TIME),
    "stream": Field("Stream of the occasion."),
    "start": Field("Start as short clock text.", "16:00"),
    "timeSpan": Field("The span as text in the language, with relative day words.", "idag 16:00–17:00"),
    "Occation.url": Field("URL of the occasion, per language.", _pages("8001")),
    "startsAt": _instant("Start, in the festival's time zone.", "2026-07-29T16:00:00"),
    "endsAt": _instant("End, in the festival's time zone.", "2026-07-29T17:00:00"),
    "cancelled": Field("This occasion of the event has been cancelled.", False),
    "updated": Field("Was marked as changed within the last 36 hours.", True),
    "changeInfo": Field("What the last change was, of this occasion or of the whole event.", "Ny sal"),
    "changeNote": Field("The same in both languages."),
    "changeTimestamp": _instant(
        "When this occasion or the whole event was last marked as changed.", "2026-07-28T08:00:00.123456"
    ),
    "previousStart": _instant(
        "The start before the occasion was moved, where that is marked.", "2026-07-29T15:00:00"
    ),
    "previousPlace": Field(
        "The place before the occasion was moved, where that is marked.", "Ångparken, Stora scenen"
    ),
    "facts": Field(
        "What holds for the occasion, by the parameter's name; no- before what is not there.",
        {"audience": ["children"], "age": ["6-12"], "free": ["true"], "access": ["step-free"]},
    ),
    "bookingUrl": Field("Address to book at.", format=URL),
    "bookingFrom": _instant("When booking opens.", "2026-07-29T10:00:00"),
    "ProgrammeOccasion.url": Field("The occasion's page, where the festival's occasionUrl is null."),
    # Events
    "Event.id": Field("Event ID.", 7001),
    "area": Field("The physical area where the event is held."),
    "subArea": Field("Optional sub area."),
    "title": Field("Event title.", "Jazz i parken"),
    "organizer": Field("The organizer."),
    "signInterpreted": Field("Event is sign language interpreted.", True),
    "highlighted": Field("Event is highlighted (of special interest).", False),
    "production": Field(
        "How it is produced: 0 not stated, 1 by the festival, 2 together with others, 3 by others.", 2
    ),
    "recurring": Field("Event has more than one occasion.", True),
    "language": Field("Language in which the event is held."),
    "ProgrammeEvent.language": Field("Code of the language.", "sv"),
    "type": Field("Event type."),
    "Event.location": Field("Physical location of this occasion."),
    "occation": Field("The occasion that was selected."),
    "Event.price": Field("Pricing information.", "50 kr; barn 0 kr"),
    "intro": Field("Short intro text.", TEXTS),
    "description": Field("Longer description.", TEXTS),
    "ProgrammeEvent.description": Field(_LEFT_OUT.format("Longer description"), TEXTS),
    "imageUrl": Field("URL of an image.", "https://bilder.example/jazz.jpg", URL),
    "imageCaption": Field("Caption for the image.", "Bild: Åsa"),
    "imageAlt": Field("What the image shows, for those who do not see it.", "En trumpetare på en brygga."),
    "Event.externalUrl": Field("Web page with more information.", "https://jazz.example/fest", URL),
    "Event.ticketUrl": Field("Where to buy a ticket.", "https://biljetter.example/jazz", URL),
    "allOccations": Field("All occasions, one or more."),
    "Event.lastModified": _instant("When the event was modified, even if not marked as changed."),
    # What is gone
    "Tombstone.id": Field("Event ID.", 7001),
    "Tombstone.occation": Field("The occasion to drop."),
    "removed": Field(
        "gone: deleted or withdrawn; unselected: there still, but not in the selection.", "gone"
    ),
    "lastModified": _instant("When the occasion or its event was last modified."),
    # The programme as one document
    "festival": Field("The festival."),
    "areas": Field("Areas, in order; unfiltered, empty ones too."),
    "subAreas": Field("Sub areas that the events name."),
    "locations": Field("Locations that the occasions name."),
    "rooms": Field("Rooms that the occasions name."),
    "organizers": Field("Organizers that the events name."),
    "types": Field("Types that the events name."),
    "languages": Field("Languages that the events name."),
    "lists": Field("Published lists that the editors have made."),
    "events": Field("Events, in the order of their first occasions."),
    "occasions": Field("Occasions, in the order of every format."),
    "Programme.removed": Field("With modified_since: occasions that have left the selection."),
    "edition": Field("The edition that all of this is of; absent if the festival has no editions.", "2026"),
    "editions": Field("All editions, in order; absent if there are none."),
    "slug": Field("The value of edition=.", "2026"),
    "ProgrammeEdition.name": Field("Name.", {"en": "Culture Night 2026", "sv": "Kulturnatten 2026"}),
    "firstDay": Field("The first festival day.", "2026-07-29", DATE),
    "lastDay": Field("The last festival day.", "2026-08-01", DATE),
    "ProgrammeFestival.name": Field("Name of the festival.", {"en": "Culture Night", "sv": "Kulturnatten"}),
    "subtitle": Field("Subtitle.", TEXTS),
    "website": Field("Website.", "https://kulturnatten.example/", URL),
    "occasionUrl": Field(
        "The addresses of occasions' pages, with {id} in place of the occasion's ID; null where the"
        " festival's own website has the pages: then each occasion has its url.",
        _pages("{id}"),
    ),
    "timeZone": Field("Time zone.", "Europe/Stockholm"),
    "dayBegins": Field("When a festival day begins.", "05:00:00", TIME),
    "ProgrammeList.id": Field("List ID.", 12),
    "ProgrammeList.title": Field("Title.", {"en": "For families", "sv": "För familjer"}),
    "text": Field("What the list is for.", TEXTS),
    "occasionIDs": Field(
        "The occasions on the list, of the selection, in the order of every format.", [8001, 8002]
    ),
    # What readers were told
    "NewsEntry.id": Field("Identity, which never changes.", "urn:uuid:0d5cdd0b-8f0c-4d8e-9a47-6a8f5b0b7c11"),
    "kind": Field("What happened.", "moved"),
    "toldAt": _instant("When readers were told.", "2026-07-29T14:00:00.000000"),
    "NewsEntry.title": Field(
        "All in one sentence.", "Flyttad: Jazz i parken, från ons 29 jul 16:00 till 18:00"
    ),
    "NewsEntry.url": Field(
        "The occasion's page; of several, that with all of them.",
        "https://program.example/tillfalle/8001",
        URL,
    ),
    "NewsEntry.occasions": Field("The occasion, or all of several that are one entry."),
    "before": Field("What readers knew."),
    "after": Field("What holds now."),
    "note": Field("The note.", {"en": "Rain is expected.", "sv": "Det väntas regn."}),
    "NewsOccasion.url": Field("The occasion's page."),
    "place": Field("The location's name, with the room.", "Stora scenen"),
}


def describe(table: str, field: str) -> Field | None:
    """Return the description of a field; tables of `/api/programme` share those of the interface's own."""
    keys = (f"{table}.{field}", f"{table.removeprefix('Programme')}.{field}", field)
    return next((DESCRIPTIONS[key] for key in keys if key in DESCRIPTIONS), None)
