"""The words of every page, and of the pages of errors."""

from pages.words.word import Spoken, Word


class SharedWords(Spoken):
    """What all pages say."""

    twin_language = Word("English", "Svenska")
    twin_code = Word("en", "sv")
    locale = Word("sv_SE", "en_GB")
    twin_locale = Word("en_GB", "sv_SE")
    skip = Word("Till innehållet", "Skip to content")
    menu = Word("Meny", "Menu")
    programme = Word("Program", "Programme")
    my_programme = Word("Mitt program", "My programme")
    back_office = Word("Redaktionen", "The back office")
    namespace = Word("Namnrymden ext", "The ext namespace")
    for_developers = Word("API", "API")
    festival_site = Word("Festivalens webbplats", "The festival's website")
    nameless_festival = Word("Festivalprogram", "Festival programme")


class ErrorWords(Spoken):
    """What is not there, or went wrong, and ways on."""

    search_programme = Word("Sök i programmet", "Search the programme")
    try_again = Word("Försök igen", "Try again")
    whole_programme = Word("Hela programmet", "The whole programme")

    gone = Word("Tillfället finns inte längre", "This occasion is no longer there")
    gone_because = Word(
        "Det har funnits i programmet men är borttaget eller tillbakadraget.",
        "It was in the programme, but has been removed or withdrawn.",
    )
    still_there = Word("Samma evenemang, andra tillfällen", "The same event, other occasions")

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
