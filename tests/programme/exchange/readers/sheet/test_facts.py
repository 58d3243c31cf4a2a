"""Facts in sheets: which columns state them, what is the event's and what an occasion's own, and what is asked."""

from datetime import UTC, datetime

import pytest

from programme.exchange.readers.sheet.columns import find_fields
from programme.exchange.values import Contents
from tests.programme.exchange.readers.sheet.sheets import read_facts as read


def stated(contents: Contents) -> list[dict]:
    """Return what each event states, and after each what its occasions do."""
    return [
        {name: value for name, value in each.more.items() if value}
        for event in contents.events
        for each in (event, *event.occasions)
    ]


def stated_of_places(contents: Contents) -> list[dict[str, str]]:
    return [each.place_facts for event in contents.events for each in event.occasions]


def reported(contents: Contents) -> list[tuple[str, str]]:
    return [(each.where, each.what) for each in contents.problems]


@pytest.mark.parametrize(
    ("headings", "cells", "expected"),
    [
        ("Målgrupp;Ålder;Gratis", "Barn, familjer;6–12 år;ja",
         {"audience": "children families", "age": "6-12", "free": "true"}),
        ("Audience;Age group;isFree", "seniors / Adults;All ages;FALSE",
         {"audience": "adults seniors", "age": "0-", "free": "false"}),
        ("isForChildren;is_family_friendly;För seniorer", "true;x;nej", {"audience": "children families"}),
    ],
)  # fmt: skip
def test_columns_state_facts_of_events_in_the_words_of_offices(headings, cells, expected):
    found = read(headings, f"Jazz;{cells}")
    assert (stated(found), found.problems, found.questions) == ([expected, {}], (), ())


@pytest.mark.parametrize(
    ("headings", "cells", "expected"),
    [
        ("Teckenspråk;Textat;Teleslinga (x)", "x;nej;", {"access": "sign-language no-captions"}),
        ("Booking;Registration link;Booking opens", "sold out;fest.example/a;2026-08-01 12.00",
         {"booking": "full", "booking_url": "https://fest.example/a", "booking_from": datetime(2026, 8, 1, 10, tzinfo=UTC)}),
        ("Anmälan", "https://fest.example/a", {"booking": "needed", "booking_url": "https://fest.example/a"}),
        ("Bokning", "Fullbokat! www.fest.example/kö", {"booking": "full", "booking_url": "https://www.fest.example/kö"}),
        ("Requires ticket", "False", {"booking": "not-needed"}),
    ],
)  # fmt: skip
def test_columns_state_facts_of_occasions_in_the_words_of_offices(headings, cells, expected):
    found = read(headings, f"Jazz;{cells}")
    assert (stated(found), found.problems, found.questions) == ([{}, expected], (), ())


@pytest.mark.parametrize(
    ("headings", "cells", "own", "place"),
    [
        ("Hörslinga;Rullstol;Teleslinga (x)", "x;nej;", "", "no-step-free hearing-loop"),
        ("Access;RWC", "wheelchair, flashing-lights;ja", "strobe-light", "step-free accessible-toilet"),
    ],
)
def test_a_cell_may_state_facts_of_the_occasion_and_of_its_place(headings, cells, own, place):
    found = read(headings, f"Jazz;{cells}")
    assert [each.more["access"] for each in found.events[0].occasions] == [own]
    assert stated_of_places(found) == [{"access": place}]


@pytest.mark.parametrize(
    ("heading", "cells", "expected"),
    [
        ("Barn", ["50 kr", "60 kr"], ""),
        ("Sittplatser", ["120", "80"], ""),
        ("Publik", ["1200", "900"], ""),
        ("Bokning", ["120 kr", "Fri entré"], "price"),
        ("Anmälan", ["Ring eller mejla oss senast två veckor före kursens första tillfälle"], ""),
        ("Tillgänglig", ["Hissen är på baksidan, och ledsagare går in där genom den gröna porten"], ""),
        ("Teckenspråk", ["ja"], "access:sign-language"),
        ("Pris", ["Gratis"], "price"),
        # Nothing says what these may be.
        ("Hörslinga", [], ""),
    ],
)
def test_ordinary_columns_are_not_taken_for_facts(heading, cells, expected):
    assert find_fields([heading], [[cell] for cell in cells]) == [expected]


def test_a_row_states_facts_of_its_own_occasion():
    found = read(
        "Bokning;Tillgänglighet i korthet;Bokningslänk;Målgrupp",
        "Jazz;behövs;hörslinga, textat;a.example;barn",
        "Jazz;fullt;;;",
        "Jazz;väntelista;hörslinga;;vuxna",
        "Kör;fullt;;;",
    )
    assert stated(found) == [
        {"audience": "children"},
        {"booking": "needed", "access": "captions", "booking_url": "https://a.example"},
        {"booking": "full"},
        {"booking": "waiting-list"},
        {},
        {"booking": "full"},
    ]
    assert [each["access"] for each in stated_of_places(found)] == ["hearing-loop", "", "hearing-loop", ""]
    differs = "differs from the event's first occasion (“barn”), which is taken"
    assert reported(found) == [("row 4, Målgrupp", differs)]


def test_unknown_words_are_asked_about_once_and_numbers_alone_by_column():
    rows = ("Jazz;Hundägare, vuxna;18", "Kör;hundägare;15")
    found = read("Målgrupp;Ålder", *rows)
    assert [(each.key, each.text, [choice.label for choice in each.choices], each.answer) for each in found.questions] == [
        (
            "fact:audience:hundägare",
            "“Hundägare” is none of the values of “For” that are known here. Which one is it?",
            ["children", "families", "youth", "adults", "seniors", "professionals", "leave it out"],
            "",
        ),
        (
            "fact:age:",
            "“Age” has numbers alone, such as 18. What do they mean?",
            ["from age 18", "age 18", "up to age 18", "leave it out"],
            "",
        ),
    ]  # fmt: skip
    answers = {"fact:audience:hundägare": "seniors", "fact:age:": "{}-"}
    expected = [{"audience": "adults seniors", "age": "18-"}, {"audience": "seniors", "age": "15-"}]
    assert stated(read("Målgrupp;Ålder", *rows, answers=answers))[::2] == expected
    answers = {"fact:audience:hundägare": "-", "fact:age:": "-"}
    assert stated(read("Målgrupp;Ålder", *rows, answers=answers))[::2] == [{"audience": "adults"}, {}]


@pytest.mark.parametrize(
    ("heading", "cell", "expected", "said"),
    [
        ("Ålder", "Sällskap av vuxen krävs", {}, "“Sällskap av vuxen krävs” is none of the values that are known here; left out"),
        ("Ålder", "12–6 år", {}, "“12–6 år” is none of the values that are known here; left out"),
        ("Anmälan", "anna@fest.example", {"booking": "needed"}, "“anna@fest.example”: only “needed” is taken"),
        ("Anmälan", "Senast 3/9 på a.example, eller https://a.example/b.", {"booking": "needed", "booking_url": "https://a.example/b"},
         "“Senast 3/9 på a.example, eller https://a.example/b.”: only “needed, https://a.example/b” is taken"),
        ("Bokning öppnar", "snart", {}, "“snart” is no date: write it in figures, like 2026-09-12"),
        ("Bokningslänk", "på plats", {}, "no usable web address: “på plats”"),
    ],
)  # fmt: skip
def test_what_is_not_taken_is_said_by_cell_in_its_own_words(heading, cell, expected, said):
    found = read(heading, f"Jazz;{cell}")
    assert (stated(found), reported(found)) == ([{}, expected], [(f"row 2, {heading}", said)])
