"""The Swedish and English words of the pages, side by side; days and spans are in `feeds.wording`."""

from datetime import date, datetime, time

from feeds.vocabulary import LanguageCode
from feeds.wording import EN_DASH, clock, day_name, open_span


class Word:
    """An attribute of `Words` that reads in the language of those words."""

    def __init__(self, sv: str, en: str) -> None:
        self.sv = sv
        self.en = en

    def __get__(self, words: "Words", owner: type) -> str:
        return self.en if words.language == "en" else self.sv


class Words:
    """The words of one language."""

    def __init__(self, language: LanguageCode) -> None:
        self.language = language

    # --- Every page
    twin_language = Word("English", "Svenska")
    twin_code = Word("en", "sv")
    skip = Word("Till innehållet", "Skip to content")
    to_start = Word("Till startsidan", "To the start page")
    nameless_festival = Word("Festivalprogram", "Festival programme")

    # --- An occasion
    cancelled = Word("Inställt", "Cancelled")
    event_cancelled = Word("Hela evenemanget är inställt.", "The whole event has been cancelled.")
    occasion_cancelled = Word(
        "Det här tillfället är inställt. Evenemangets andra tillfällen gäller om inget annat står.",
        "This occasion has been cancelled. The event's other occasions stand unless they say otherwise.",
    )
    only_occasion_cancelled = Word("Det här tillfället är inställt.", "This occasion has been cancelled.")
    changed = Word("Ändrat", "Changed")
    no_change_info = Word("Uppgifterna har ändrats.", "The details have changed.")
    highlighted = Word("Framhävt i programmet", "Highlighted in the programme")
    sign_interpreted = Word("Teckenspråkstolkat", "Sign language interpreted")
    online = Word("På nätet", "Online")
    facts = Word("Fakta", "Facts")
    when = Word("Tid", "Time")
    festival_day = Word("Festivaldag", "Festival day")
    place = Word("Plats", "Location")
    room = Word("Lokal", "Room")
    floor = Word("Våning", "Floor")
    address = Word("Adress", "Address")
    station = Word("Närmaste hållplats", "Nearest public transport")
    accessibility = Word("Tillgänglighet", "Accessibility")
    room_accessibility = Word("Tillgänglighet i lokalen", "Accessibility of the room")
    area = Word("Område", "Area")
    sub_area = Word("Delområde", "Sub area")
    type = Word("Typ", "Type")
    event_language = Word("Språk", "Language")
    organizer = Word("Arrangör", "Organizer")
    production = Word("Produktion", "Production")
    price = Word("Pris", "Price")
    tickets = Word("Biljetter", "Tickets")
    buy_tickets = Word("Köp biljett", "Buy tickets")
    by_festival = Word("av festivalen", "by the festival")
    together = Word("tillsammans med andra", "together with others")
    by_others = Word("av andra", "by others")
    stream = Word("Sänds på nätet", "Streamed online")
    more = Word("Läs mer", "Read more")
    area_open = Word("Området öppet den dagen", "Area open that day")
    area_ticket_office = Word("Biljettförsäljning den dagen", "Ticket sales that day")
    area_price = Word("Pris i området", "Price in the area")
    area_tickets = Word("Biljetter till området", "Tickets for the area")
    published = Word("Publicerat", "Published")
    last_modified = Word("Senast uppdaterat", "Last updated")
    other_occasions = Word("Fler tillfällen", "Other occasions")
    opens = Word("från {}", "from {}")
    closes = Word("till {}", "until {}")

    # --- What is not there, or not any more
    gone = Word("Tillfället finns inte längre", "This occasion is no longer there")
    gone_because = Word(
        "Det har funnits i programmet men är borttaget eller tillbakadraget.",
        "It was in the programme, but has been removed or withdrawn.",
    )
    still_there = Word("Samma evenemang, andra tillfällen", "The same event, other occasions")

    # --- Errors
    bad_request = Word("Förfrågan går inte att förstå", "The request cannot be understood")
    bad_request_because = Word(
        "Något i den är felaktigt. Kontrollera adressen och försök igen.",
        "Something in it is malformed. Check the address and try again.",
    )
    not_found = Word("Sidan finns inte", "There is no such page")
    not_found_because = Word(
        "Adressen kan vara felskriven. Hela programmet nås från startsidan.",
        "The address may be mistyped. The start page leads to the whole programme.",
    )
    away = Word("Programmet kan inte visas just nu", "The programme cannot be shown right now")
    away_because = Word(
        "Vi arbetar på det. Försök igen om en liten stund.",
        "We are working on it. Try again in a little while.",
    )
    server_error = Word("Något gick fel hos oss", "Something went wrong here")
    server_error_because = Word(
        "Felet är vårt, inte ditt. Försök igen om en stund.",
        "The fault is ours, not yours. Try again in a while.",
    )

    # --- The start page
    start_intro = Word(
        "Här publiceras programmet: för besökare, webbplatser, appar och kalendrar.",
        "This is where the programme is published: for visitors, websites, apps and calendars.",
    )
    website = Word("Festivalens webbplats", "The festival's website")
    empty = Word("Programmet är tomt", "The programme is empty")
    empty_hint = Word(
        "Lägg in det första evenemanget i redaktionen, eller kör kommandot nedan för att fylla en tom"
        " databas med en påhittad festival.",
        "Enter the first event in the back office, or run the command below to fill an empty database with"
        " an invented festival.",
    )
    now = Word("Pågår nu", "On now")
    nothing_now = Word("Inget pågår just nu.", "Nothing is on right now.")
    upcoming = Word("Härnäst", "Next")
    nothing_upcoming = Word("Inget mer är på gång.", "There is nothing more to come.")
    all_of_it = Word("Visa alla", "Show all")
    days = Word("Dagarna", "The days")
    formats = Word("Programmet i olika format", "The programme in many formats")
    formats_intro = Word(
        "Samma urval finns i alla format. Formatet väljs med filändelsen, eller med huvudet Accept på"
        " adressen /api/events.",
        "The same selection is there in every format. Choose the format by the extension, or by the Accept"
        " header at the address /api/events.",
    )
    areas = Word("Områden", "Areas")
    examples = Word("Exempel på urval", "Examples of selections")
    examples_intro = Word(
        "Villkoren kan kombineras och går att använda med alla format.",
        "Conditions can be combined, and work with every format.",
    )
    in_other_language = Word("texterna på engelska", "texts in Swedish")
    behind = Word("Bakom programmet", "Behind the programme")
    back_office = Word("Redaktionen", "The back office")
    back_office_for = Word("där programmet skrivs", "where the programme is written")
    namespace = Word("Namnrymden ext", "The ext namespace")
    namespace_for = Word("vad de tolv elementen i Atom och RSS betyder", "what the twelve elements mean")

    def occasions(self, count: int) -> str:
        if self.language == "en":
            return f"{count} occasion" if count == 1 else f"{count} occasions"
        return f"{count} tillfälle" if count == 1 else f"{count} tillfällen"

    def events(self, count: int) -> str:
        if self.language == "en":
            return f"{count} event" if count == 1 else f"{count} events"
        return f"{count} evenemang"

    def day(self, day: date) -> str:
        """Return `fredag 31 juli 2026`."""
        return f"{day_name(day, self.language)} {day.year}"

    def moment(self, local: datetime) -> str:
        """Return `fredag 31 juli 2026 kl. 14:00`."""
        at = ", " if self.language == "en" else " kl. "
        return f"{self.day(local.date())}{at}{clock(local)}"

    def ending(self, start: datetime, end: datetime) -> tuple[str, str]:
        """Return what joins an end to its start, and the end: its clock time alone on the same date."""
        if start.date() == end.date():
            return EN_DASH, clock(end)
        return (" to " if self.language == "en" else " till "), self.moment(end)

    def hours(self, opens: time | None, closes: time | None) -> str:
        """Return `10:00–18:00`, `från 10:00` or `till 18:00`; '' where neither is known."""
        if span := open_span(opens, closes):
            return span
        known = opens or closes
        return (self.opens if opens else self.closes).format(clock(known)) if known else ""

    def produced(self, production: int) -> str:
        """Return how an event is produced in words, '' where it is not stated (decisions, "Values")."""
        return {1: self.by_festival, 2: self.together, 3: self.by_others}.get(production, "")
