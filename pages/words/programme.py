"""The words of the programme's page."""

from pages.words.word import Spoken, Word


class ProgrammeWords(Spoken):
    """What stands around the programme."""

    empty = Word("Programmet är inte publicerat än", "The programme is not published yet")
    empty_hint = Word(
        "Kom tillbaka om en tid. Du som skriver det: lägg in det första evenemanget i redaktionen, eller kör"
        " kommandot nedan för att fylla en tom databas med en påhittad festival.",
        "Come back in a while. You who write it: enter the first event in the back office, or run the command"
        " below to fill an empty database with an invented festival.",
    )

    all_over = Word(
        "Programmet är slut för den här gången. Här är allt som var.",
        "The programme is over for this time. Here is all that was.",
    )

    # --- Days
    days = Word("Dagar", "Days")
    all_days = Word("Alla dagar", "All days")
    earlier_days = Word("Tidigare dagar", "Earlier days")
    later_days = Word("Senare dagar", "Later days")

    # --- Ways to look at it
    views = Word("Visning", "View")
    as_list = Word("Lista", "List")
    as_grid = Word("Schema", "Timetable")
    now = Word("Pågår nu", "On now")
    upcoming = Word("Härnäst", "Next")
    show_all = Word("Visa alla", "Show all")
    earlier_today = Word("Tidigare idag", "Earlier today")
    still_on = Word("Pågår sedan tidigare", "Going on since before")
    jump = Word("Hoppa till en timme", "Jump to an hour")
    no_place = Word("Utan plats", "No location")
    long = Word("Långa tillfällen", "Long occasions")
    until = Word("till {}", "until {}")

    # --- Filters
    search = Word("Sök", "Search")
    search_hint = Word("Titel, artist, plats …", "Title, artist, place …")
    filters = Word("Filter", "Filters")
    areas = Word("Områden", "Areas")
    all_areas = Word("Alla områden", "All areas")
    every = Word("Alla", "All")
    whole_name = Word("Hela namnet, eller en del", "The whole name, or part of it")
    nothing_called = Word("Inget i programmet heter ”{}”.", "Nothing in the programme is called “{}”.")
    did_you_mean = Word("Menade du något av det här?", "Did you mean one of these?")
    spoken_language = Word("Språk", "Language")
    only = Word("Bara", "Only")
    only_highlighted = Word("Höjdpunkt", "Highlight")
    show = Word("Visa", "Show")
    remove = Word("Ta bort", "Remove")
    clear = Word("Rensa alla", "Clear all")
    found_nothing = Word("Inget i programmet passar in på det.", "Nothing in the programme matches this.")
    nothing_that_day = Word("Inget den här dagen. Prova en annan.", "Nothing on this day. Try another one.")
    earlier_page = Word("Tidigare", "Earlier")
    later_page = Word("Senare", "Later")
    pages = Word("Sidor", "Pages")
