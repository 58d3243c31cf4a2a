"""The words of the page that documents the API. English ones of parameters are those of the description."""

from pages.words.word import Spoken, Word


class ApiWords(Spoken):
    """What stands around forms, tables and examples."""

    api = Word("Programmets API", "The programme's API")
    api_intro = Word(
        "Hela programmet som data, för alla och utan nyckel. Formatet väljs med filändelse, med format eller"
        " med huvudet Accept. Olika parametrar ska alla stämma, upprepade är alternativ.",
        "All of the programme as data, for everybody and without a key. An extension, format or the Accept"
        " header chooses the format. Different parameters must all hold, repeated ones are alternatives.",
    )
    api_description = Word("Beskrivning i OpenAPI 3.1", "Description in OpenAPI 3.1")
    on_this_page = Word("På den här sidan", "On this page")
    addition = Word("tillägg", "addition")
    addition_because = Word(
        "Det som är märkt som tillägg har kommit till utöver gränssnittet. Den som inte frågar efter det får"
        " samma svar som förut.",
        "What is marked as an addition has come to the interface later. Who does not ask for it gets the same"
        " answers as before.",
    )
    ask = Word("Hämta", "Send")
    answer = Word("Svar", "Answer")
    copy = Word("Kopiera", "Copy")
    copied = Word("Kopierat", "Copied")
    cut = Word("Resten visas inte här.", "The rest is not shown here.")
    failed = Word("Inget svar.", "No answer.")
    examples = Word("Exempel", "Examples")
    answers = Word("Format", "Formats")
    format = Word("Format", "Format")
    extension = Word("Ändelse", "Extension")
    media_types = Word("Medietyper", "Media types")
    headers = Word("Huvuden i svaret", "Headers of the answer")
    errors = Word("Fel", "Errors")
    errors_intro = Word(
        "Fel är application/problem+json (RFC 9457) i alla format; 400 har dessutom errors, med vad som är"
        " fel med varje parameter.",
        "Errors are application/problem+json (RFC 9457) in every format; 400 has errors beside, with what is"
        " wrong with each parameter.",
    )
    status = Word("Status", "Status")
    meaning = Word("Betydelse", "Meaning")
    tables = Word("Fält", "Fields")
    field = Word("Fält", "Field")
    type_of_field = Word("Typ", "Type")
    or_null = Word("eller null", "or null")
    list_of = Word("lista av", "list of")
    example = Word("Exempel", "Example")
    not_chosen = Word("som Accept säger", "as Accept says")


OPERATIONS = {
    "areas": Word("Alla områden.", "All areas."),
    "events": Word(
        "Tillfällena i ett urval: ett element för varje, i alla format.",
        "The occasions of a selection: one element for each, in every format.",
    ),
    "occasion": Word("Ett tillfälle, i alla format.", "One occasion, in every format."),
    "schema": Word("Beskrivningen av allt det här.", "The description of all this."),
}

# By the parameter, in Swedish.
PARAMETERS = {
    "date": "En festivaldag (åååå-mm-dd), flera (åååå-mm-dd/åååå-mm-dd), eller today, tomorrow, now (pågår),"
    " upcoming (har inte börjat).",
    "area": "Ett områdes namn eller fullständiga namn.",
    "subarea": "Ett delområdes namn eller fullständiga namn; none: i inget delområde.",
    "room": "Lokalens namn.",
    "organizer": "En arrangörs ID eller namn.",
    "type": "En typs ID eller namn, på svenska eller engelska.",
    "spoken": "Kod för språket som programpunkten hålls på.",
    "q": "Ord som alla finns i programpunktens texter, namn eller plats.",
    "highlighted": "Bara framhävda programpunkter.",
    "signinterpreted": "Bara teckenspråkstolkade programpunkter.",
    "occation": "Tillfällens ID, med punkt eller komma emellan; högst 500.",
    "language": "sv (om inget annat sägs) eller en: språket i texterna.",
    "limit": "Högst så många element, från 1 till 1 000.",
    "offset": "Tillsammans med limit: hur många element som hoppas över.",
    "modified_since": "En tidpunkt med förskjutning (RFC 3339): bara det som har ändrats sedan dess, och"
    " gravstenar över det som inte längre finns i urvalet. Nästa gång skickas det som huvudet Modified-Until"
    " säger.",
    "format": "Formatet, som dess ändelse.",
    "id": "Tillfällets ID.",
}

ERRORS = {
    "400": "En parameter går inte att förstå.",
    "404": "Det finns inget sådant format, eller inget på adressen.",
    "405": "Annan metod än GET, HEAD och OPTIONS.",
    "406": "Det finns inget format som Accept godtar.",
    "410": "Tillfället har funnits men är borta: borttaget, eller dess programpunkt återkallad.",
    "412": "If-Match eller If-Unmodified-Since anger en annan version.",
    "503": "Det finns inget program att svara med: databasen är borta.",
}

HEADERS = {
    "ETag": "Just det här svaret. Skicka tillbaka det som If-None-Match.",
    "Last-Modified": "När svaret senast ändrades, av en ändring eller av klockan.",
    "Cache-Control": "Hur länge svaret stämmer.",
    "Vary": "Vad som avgjorde: Accept, om inte adressen angav formatet, och Accept-Encoding.",
    "Content-Disposition": "Kalendrar: ett filnamn efter titeln.",
    "Link": "Med limit: sidorna first, prev, next och last (RFC 8288).",
    "X-Total-Count": "Med limit: hur många element urvalet har.",
    "Modified-Until": "Med modified_since: vad som skickas som modified_since nästa gång.",
}
