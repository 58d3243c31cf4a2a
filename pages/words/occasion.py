"""The words of an occasion and its page."""

from pages.words.word import Spoken, Word


class OccasionWords(Spoken):
    """What is told of an occasion."""

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
    facts = Word("Mer om tillfället", "More about this occasion")
    when_and_where = Word("När och var", "When and where")
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
    buy_tickets = Word("Köp biljett", "Buy tickets")
    by_festival = Word("av festivalen", "by the festival")
    together = Word("tillsammans med andra", "together with others")
    by_others = Word("av andra", "by others")
    stream = Word("Sänds på nätet", "Streamed online")
    more = Word("Läs mer", "Read more")
    website = Word("Webbplats", "Website")
    interpretation = Word("Tolkning", "Interpretation")
    area_open = Word("Området öppet den dagen", "Area open that day")
    area_ticket_office = Word("Biljettförsäljning den dagen", "Ticket sales that day")
    area_price = Word("Pris i området", "Price in the area")
    area_tickets = Word("Biljetter till området", "Tickets for the area")
    published = Word("Publicerat", "Published")
    last_modified = Word("Senast uppdaterat", "Last updated")
    other_occasions = Word("Fler tillfällen", "Other occasions")
    same_place = Word("Samma plats, samma dag", "Same place, same day")
    whole_day = Word("Hela dagen: {}", "The whole day: {}")
    going_on = Word("Pågår nu", "On now")
    over = Word("Har varit", "Is over")
    opens = Word("från {}", "from {}")
    closes = Word("till {}", "until {}")

    # --- To take along
    add_to_calendar = Word("Lägg i kalendern", "Add to calendar")
    calendar_file = Word("Kalenderfil (.ics)", "Calendar file (.ics)")
    google_calendar = Word("Google Kalender", "Google Calendar")
    outlook = Word("Outlook.com", "Outlook.com")
    office = Word("Outlook, arbete och skola", "Outlook for work and school")
    share = Word("Dela", "Share")
    share_by_mail = Word("Tipsa via e-post", "Share by e-mail")
