"""What offices call their columns, and columns whose heading leaves open what they are."""

import pytest

from programme.exchange.readers.sheet.columns import find_fields

SWEDISH = "Kom och se hur de som bor i staden lever, med musik för alla som vill ha det."
ENGLISH = "Come and see how the people of this city live, with music for all of you."


def fields(headings: str, *rows: str) -> list[str]:
    return find_fields(headings.split(";"), [row.split(";") for row in rows])


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        # A film festival, a theatre, a parish, a library, a municipality.
        ("Visningsnr;Filmtitel;Biograf;Salong;Visningsdatum;Tid;Längd (min)", "occasion_id title location room day start duration"),
        ("Föreställning;Speldatum;Klockan;Scen;Speltid;Biljettpris", "title day start location duration price"),
        ("Gudstjänst;Kyrka;Dag;Kl;Församling;Präst", "title location day start organizer "),
        ("Arrangemang;Bibliotek;Lokal;Datum;Tidpunkt;Föreläsare", "title location room day start organizer"),
        ("Evenemangets namn;Typ av evenemang;Spelplats;Stadsdel;När;Mer information", "title type location area day description_sv"),
        ("Screening no.;Film title;Cinema;Screen;Screening date;Show time;Running time", "occasion_id title location room day start duration"),
        ("Performance;Theatre;Auditorium;Date & Time;Running time (min);Ticket price", "title location room  duration price"),
        ("Film;Venue;Date/time;Section;Spoken language;Synopsis", "title location start type language description_sv"),
        # A heading is what no other column is.
        ("Titel;Lokal", "title location"),
        ("Titel;Lokal;Plats", "title room location"),
        ("Titel;Lokal;Biograf", "title room location"),
        ("Titel;Lokal;Sal", "title location room"),
        ("Titel;Lokal;Plats;Sal", "title  location room"),
    ],
)  # fmt: skip
def test_words_of_offices(headings, expected):
    assert fields(headings) == expected.split(" ")


@pytest.mark.parametrize(
    ("headings", "rows", "expected"),
    [
        ("Visning;Datum", ["Slottet runt;2026-09-12"], "title day"),
        ("Titel;Visning", ["Fanny;2026-09-12 18.30"], "title start"),
        ("Titel;Visning", ["Fanny;18.3", "Fanny;20"], "title start"),
        ("Titel;Visning", ["Fanny;18", "Sv;18"], "title "),
        ("Titel;Visning;Tid", ["Fanny;101;18", "Fanny;102;20"], "title occasion_id start"),
        ("Titel;Visning;Tid", ["Fanny;1;18", "Sv;1;20"], "title  start"),
        ("Filmtitel;Visningsnr", ["Fanny;1", "Fanny;2"], "title occasion_id"),
        # The first showing of each film: no identity.
        ("Filmtitel;Visningsnr", ["Fanny;1", "Fanny;2", "Sv;1"], "title "),
        # A row that repeats is taken once.
        ("Filmtitel;Visningsnr", ["Fanny;1", "Fanny;1"], "title occasion_id"),
        ("Titel;Speltid", ["Fanny;188", "Sv;1 h 40 min"], "title duration"),
        ("Titel;Speltid", ["Fanny;18:30", "Sv;20:00"], "title start"),
        ("Titel;Speltid;Tid", ["Fanny;18:30;18:30", "Sv;20:00;20:00"], "title  start"),
        ("Titel;Dag;Speldatum", ["Fanny;lördag;2026-09-12"], "title weekday day"),
        ("Titel;Dag", ["Fanny;lör 12/9"], "title day"),
        ("Titel;Veckodag;Datum", ["Fanny;lördag;2026-09-12"], "title weekday day"),
        ("Titel;Biljett", ["Fanny;https://bio.example/"], "title ticket_url"),
        ("Titel;Biljett", ["Fanny;biljetter.bio.example/fanny"], "title ticket_url"),
        ("Titel;Biljett", ["Fanny;120 kr", "Sv;Fri entré"], "title price"),
        ("Titel;Boka", ["Fanny;031-12 34 56"], "title "),
        ("Filmtitel;Originaltitel", ["Fanny;Fanny"], "title "),
        ("Originaltitel;Datum", ["Fanny;2026-09-12"], "title day"),
    ],
)
def test_the_cells_decide_what_an_ambiguous_heading_is(headings, rows, expected):
    assert fields(headings, *rows) == expected.split(" ")


@pytest.mark.parametrize(
    ("headings", "row", "expected"),
    [
        ("Description", SWEDISH, "description_sv"),
        ("Beskrivning", ENGLISH, "description_en"),
        ("Summary;Description", f"Kort.;{SWEDISH}", "intro_sv description_sv"),
        # Too short to tell: English headings say nothing of it, unless there is a Swedish one, too.
        ("Description", "Het", "description_sv"),
        ("Description;Beskrivning", "Hot;Het", "description_en description_sv"),
        # The heading states the language.
        ("English description", SWEDISH, "description_en"),
        ("Beskrivning (engelska);Description", f"{ENGLISH};{SWEDISH}", "description_en description_sv"),
        ("Beskrivning;Description", f"{SWEDISH};{SWEDISH}", "description_sv "),
    ],
)
def test_texts_are_in_the_language_that_they_look_like(headings, row, expected):
    assert fields(headings, row) == expected.split(" ")


@pytest.mark.parametrize("heading", ["Synopsis", "Plot", "Handling"])
def test_texts_are_swedish_where_nothing_says_their_language(heading):
    assert fields(heading) == ["description_sv"]
