"""The words of the page on which the programme is taken away."""

from pages.words.word import Spoken, Word


class SubscribeWords(Spoken):
    """What is told of feeds, calendars and lists."""

    several_days = Word(
        "Listan säger klockslag men inte dag: välj en dag i taget.",
        "The list tells times but no day: choose one day at a time.",
    )
    subscribe = Word("Prenumerera", "Subscribe")
    subscribe_heading = Word("Ta programmet med dig", "Take the programme with you")
    subscribe_intro = Word(
        "Välj vad du vill ha: hela programmet, en scen eller allt för barn. Kalendrar, flöden och listor"
        " nedan gäller det du väljer, och följer med när programmet ändras.",
        "Choose what you want: the whole programme, one stage, or everything for children. The calendars,"
        " feeds and lists below are of what you choose, and follow when the programme changes.",
    )
    choose = Word("Välj", "Choose")
    any_day = Word("Alla dagar", "All days")
    day_field = Word("Dag", "Day")
    choose_button = Word("Visa urvalet", "Show the selection")
    your_selection = Word("Ditt urval", "Your selection")
    whole_programme = Word("Hela programmet", "The whole programme")
    see_all = Word("Se dem i programmet", "See them in the programme")

    # --- Calendars
    calendar = Word("I kalendern", "In your calendar")
    calendar_intro = Word(
        "Kalendern hämtar programmet från oss, så ändringar kommer in av sig själva.",
        "Your calendar fetches the programme from us, so that changes arrive by themselves.",
    )
    add_to_calendar = Word("Lägg till i kalendern", "Add to calendar")
    calendar_address = Word("Kalenderns adress", "Address of the calendar")
    qr_hint = Word("Läs av med telefonen", "Scan with your phone")
    qr_picture = Word("QR-kod till kalendern", "QR code of the calendar")
    google_calendar = Word("Google Kalender", "Google Calendar")
    google_how = Word(
        "Lägg till från en dator; sedan syns kalendern i telefonen också. Google hämtar ändringar var"
        " 8:e till 24:e timme, och visar inte det som är inställt.",
        "Add it on a computer, and it will be on your phone too. Google fetches changes every 8 to 24 hours,"
        " and does not show what is cancelled.",
    )
    apple_calendar = Word("Apple Kalender", "Apple Calendar")
    apple_how = Word(
        "Öppna länken på din iPhone eller Mac. På Mac väljer du själv hur ofta den hämtar, från var femte"
        " minut; en iPhone hämtar som under Inställningar, Hämta nya data.",
        "Open the link on your iPhone or Mac. On a Mac you choose how often it fetches, from every five"
        " minutes; an iPhone fetches as set under Settings, Fetch New Data.",
    )
    outlook = Word("Outlook", "Outlook")
    outlook_com = Word("Outlook.com", "Outlook.com")
    outlook_how = Word(
        "Outlook.com och nya Outlook hämtar ungefär var tredje timme, ibland en gång om dygnet. I klassiska"
        " Outlook: Arkiv, Kontoinställningar, Internetkalendrar, och klistra in adressen.",
        "Outlook.com and the new Outlook fetch about every three hours, at times once a day. In classic"
        " Outlook: File, Account Settings, Internet Calendars, and paste the address.",
    )
    thunderbird = Word("Thunderbird", "Thunderbird")
    thunderbird_how = Word(
        "Ny kalender, På nätverket, och klistra in adressen. Hämtar var trettionde minut om du inte väljer"
        " annat.",
        "New Calendar, On the Network, and paste the address. It fetches every thirty minutes unless you"
        " choose otherwise.",
    )

    # --- Feeds
    feeds = Word("Som flöde", "As a feed")
    feeds_intro = Word(
        "Samma urval i alla format. Varje adress kan delas och sparas.",
        "The same selection in every format. Each address can be shared and kept.",
    )

    # --- Websites
    website = Word("På din webbplats", "On your website")
    website_intro = Word(
        "En lista över det som inte är slut än. Den sköter sig själv.",
        "A list of what is not over yet. It looks after itself.",
    )
    as_frame = Word("Som ram", "As a frame")
    frame_hint = Word(
        "Färgerna kan bytas i adressen, med hexadecimala siffror:",
        "The colours can be changed in the address, in hexadecimal digits:",
    )
    preview = Word("Så här ser den ut", "What it looks like")
    in_page = Word("I sidan själv, utan ram och skript", "In the page itself, without frame or script")
    in_page_hint = Word(
        "Låt din server hämta listan och sätta in den i sidan, helst en gång i minuten eller mer sällan."
        " Utseendet ändras med egna variabler.",
        "Let your server fetch the list and put it into the page, preferably once a minute or less often."
        " Its looks change with variables of your own.",
    )
    list_to_paste = Word("Listan som den är nu, att klistra in", "The list as it is now, to paste")
    list_to_paste_hint = Word(
        "Den följer inte med när programmet ändras.", "It does not follow when the programme changes."
    )

    # --- Forums and programs
    forum = Word("I ett forum", "In a forum")
    forum_intro = Word("Urvalet som BBCode, att klistra in.", "The selection as BBCode, to paste.")
    too_much = Word(
        "Urvalet är för stort att klistra in. Välj färre, eller hämta filen.",
        "The selection is too large to paste. Choose fewer, or fetch the file.",
    )
    program = Word("I ett program", "In a program")
    program_intro = Word(
        "Allt hämtas utan nyckel, från vilken webbplats som helst.",
        "Everything can be fetched without a key, from any website.",
    )
    copy = Word("Kopiera", "Copy")
    copied = Word("Kopierat", "Copied")
    feeds_json = Word("för appar och egna program", "for apps and programs of your own")
    feeds_atom = Word(
        "för flödesläsare, med allt om varje tillfälle", "for feed readers, with everything told"
    )
    feeds_rss = Word("för flödesläsare och chattrobotar", "for feed readers and chat bots")
    feeds_rss_wp = Word("för WordPress, som inlägg", "for WordPress, as posts")
    feeds_ics = Word("för kalendrar", "for calendars")
    feeds_ics_text = Word(
        "samma kalender, att läsa i webbläsaren", "the same calendar, to read in the browser"
    )
    feeds_bbcode = Word("för forum", "for forums")
    feeds_qx1 = Word("för webbsidor, ett stycke HTML", "for web pages, a piece of HTML")
    framed_heading = Word("Program", "Programme")
    framed_none = Word("Inget i programmet just nu.", "Nothing in the programme right now.")
    framed_all = Word("Hela programmet", "The whole programme")

    def purpose(self, extension: str) -> str:
        """Return what a format is for; '' for one that nothing has been written of."""
        return getattr(self, f"feeds_{extension.replace('-', '_')}", "")

    def more_occasions(self, count: int) -> str:
        return f"{count} more" if self.language == "en" else f"{count} till"
