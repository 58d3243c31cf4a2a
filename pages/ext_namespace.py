"""What the twelve elements of the `ext` namespace mean: the words of the page that the namespace names."""

from feeds.vocabulary import Text

ELEMENTS = {
    "areaName": Text("Områdets fullständiga namn.", "The full name of the area."),
    "eventCancelled": Text(
        "true om evenemanget eller det här tillfället är inställt, annars false.",
        "true if the event or this occasion has been cancelled, else false.",
    ),
    "eventChangedInfo": Text(
        "Vad som senast har ändrats, med redaktionens ord. Tomt om inget är antecknat.",
        "What was changed last, in the editors' words. Empty if nothing was noted.",
    ),
    "eventHighlighted": Text(
        "true om evenemanget är framhävt, annars false.", "true if the event is highlighted, else false."
    ),
    "eventSignInterpreted": Text(
        "true om evenemanget är teckenspråkstolkat, annars false.",
        "true if the event is sign language interpreted, else false.",
    ),
    "eventTitle": Text(
        "Evenemangets titel. I flödets egen title står tiden före.",
        "The event's title. In the feed's own title the time stands before it.",
    ),
    "locationAccessability": Text(
        "Platsens tillgänglighet. Tomt om den inte är beskriven.",
        "The accessibility of the location. Empty if it is not described.",
    ),
    "locationAddress": Text("Platsens adress.", "The address of the location."),
    "locationName": Text(
        "Platsens namn. Tomt om ingen plats är angiven.",
        "The name of the location. Empty if no location is given.",
    ),
    "locationPublicTransportStation": Text(
        "Hållplatsen närmast platsen.", "The public transport station nearest to the location."
    ),
    "organizerName": Text(
        "Arrangörens namn. Tomt om ingen är angiven.", "The name of the organizer. Empty if none is given."
    ),
    "subAreaName": Text(
        "Delområdets fullständiga namn. Tomt utanför delområden.",
        "The full name of the sub area. Empty outside sub areas.",
    ),
}
