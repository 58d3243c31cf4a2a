"""The words of my programme, of stars, and of what a page says without the network."""

from pages.words.word import Spoken, Word


class MyProgrammeWords(Spoken):
    """What is told of occasions that a visitor has chosen."""

    mine_empty = Word("Inget är sparat än", "Nothing is saved yet")
    mine_how = Word(
        "Tryck på stjärnan vid det du vill se i programmet, så samlas det här. Inget konto behövs: det du"
        " väljer sparas i din webbläsare, och bara där.",
        "Press the star beside what you want to see in the programme, and it is gathered here. No account is"
        " needed: what you choose is kept in your browser, and only there.",
    )
    mine_without_script = Word(
        "Stjärnorna kräver JavaScript, som är avstängt här. En adress till ett program som någon har delat"
        " fungerar ändå.",
        "The stars need JavaScript, which is off here. The address of a programme that somebody has shared"
        " works all the same.",
    )
    mine_start = Word("Till programmet", "To the programme")
    mine_take = Word("Ta med det", "Take it along")
    mine_calendar_hint = Word(
        "Kalendern innehåller det som står på sidan och följer med när tiderna ändras. Sparar du mer får den"
        " en ny adress att lägga till.",
        "The calendar holds what is on this page and follows when times change. If you save more, it gets a"
        " new address to add.",
    )
    mine_share = Word("Dela", "Share")
    mine_address = Word("Programmets adress", "Address of this programme")
    mine_qr = Word("QR-kod till det här programmet", "QR code of this programme")
    mine_qr_hint = Word("Öppna på en annan telefon", "Open on another phone")
    take_over = Word("Spara alla i mitt program", "Save all in my programme")
    taken_over = Word("Allt är sparat i ditt program", "All is saved in your programme")
    not_yours = Word(
        "Någon har delat det här programmet med dig.", "Somebody has shared this programme with you."
    )
    drop_gone = Word("Ta bort ur mitt program", "Remove from my programme")
    stale = Word("Du har ändrat ditt program.", "You have changed your programme.")
    refresh = Word("Uppdatera sidan", "Update the page")
    long_clash_with_nothing = Word(
        "Det som pågår längre än fem timmar räknas inte som krock: dit går man när man vill.",
        "What goes on for more than five hours counts as no clash: one drops in on it.",
    )
    clashes_with = Word("Samtidigt:", "At the same time:")
    still_there_of_those = Word("Samma evenemang, andra tillfällen", "The same events, other occasions")
    chosen_not_understood = Word(
        "En del av adressen går inte att förstå. Här är det som går, högst 500 tillfällen.",
        "A part of the address cannot be understood. Here is what can be, at most 500 occasions.",
    )

    # --- Stars
    star = Word("Spara i mitt program", "Save in my programme")
    star_titled = Word("Spara {} i mitt program", "Save {} in my programme")
    starred = Word("Sparat i mitt program", "Saved in my programme")
    share_copied = Word("Adressen är kopierad", "The address has been copied")

    # --- Without the network
    offline = Word("Du är utan nät", "You are offline")
    offline_because = Word(
        "Den här sidan har inte sparats på din telefon eller dator. Dagarna i programmet, ditt eget program"
        " och de sidor du har öppnat tidigare går att läsa ändå.",
        "This page has not been kept on your phone or computer. The days of the programme, your own programme"
        " and the pages you have opened before can be read all the same.",
    )
    offline_kept = Word(
        "Utan nät: så här såg sidan ut {}. Något kan ha ändrats sedan dess.",
        "Offline: this is the page as it was {}. Something may have changed since.",
    )
    try_again = Word("Försök igen", "Try again")

    def clashing(self, count: int) -> str:
        if self.language == "en":
            return f"{count} of them clash: they go on at the same time."
        return f"{count} av dem krockar: de pågår samtidigt."

    def no_longer_there(self, count: int) -> str:
        if self.language == "en":
            be = "One occasion is" if count == 1 else f"{count} occasions are"
            return f"{be} no longer in the programme."
        be = "Ett tillfälle finns" if count == 1 else f"{count} tillfällen finns"
        return f"{be} inte längre i programmet."
