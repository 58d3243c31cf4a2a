"""Sheets in which every row has its own ID while titles repeat: whose the IDs are is asked."""

import pytest

from feeds.festival_time import FestivalTime
from programme.exchange.questions import Choice, Question
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.values import Contents, ImportDefaults

SHOWINGS = (
    *(
        "11;Fanny;2026-09-11;18;20",
        "12;Sv;2026-09-11;21;22",
        "13;Fanny;2026-09-12;18;20",
        "14;Fanny;2026-09-13;18;20",
    ),
)
TEXT = "“ID” differs in every row, while titles repeat. What does it identify?"


def read(*rows: str, headings: str = "ID;Titel;Datum;Start;Slut", **answers: str) -> Contents:
    content = "\n".join([headings, *rows]).encode()
    return read_sheet(content, ImportDefaults(FestivalTime("Europe/Stockholm"), answers=answers))


def events(contents: Contents) -> list[tuple[str, str, list[str]]]:
    return [(each.key, each.title, [each.guid for each in each.occasions]) for each in contents.events]


def test_nothing_holds_without_an_answer():
    contents = read(*SHOWINGS)
    choices = (
        Choice(
            "occasion", "The occasion, which is found again by it: each title is one event (2 events in all)"
        ),
        Choice("event", "The event: each row is an event of its own (4 events in all)"),
        Choice("row", "Only the row, which may get another: each title is one event (2 events in all)"),
    )
    assert contents.questions == (Question("ids", TEXT, choices, answer=""),)
    assert len(contents.events) == 2


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("occasion", [("fanny", "Fanny", ["11", "13", "14"]), ("sv", "Sv", ["12"])]),
        ("row", [("fanny", "Fanny", ["", "", ""]), ("sv", "Sv", [""])]),
        ("event", [("11", "Fanny", [""]), ("12", "Sv", [""]), ("13", "Fanny", [""]), ("14", "Fanny", [""])]),
    ],
)
def test_an_answer_says_what_the_ids_identify(answer, expected):
    contents = read(*SHOWINGS, ids=answer)
    assert [each.answer for each in contents.questions] == [answer]
    assert events(contents) == expected
    assert contents.problems == ()


def test_an_id_of_the_occasion_that_is_there_stays():
    rows = ("11;101;Fanny;2026-09-11;18;20", "12;102;Fanny;2026-09-12;18;20")
    found = read(*rows, headings="Nr;Visningsnr;Titel;Datum;Start;Slut", ids="occasion")
    assert events(found) == [("fanny", "Fanny", ["101", "102"])]


def test_a_column_beside_the_ids_is_named_with_them():
    found = read(
        "11;a;Fanny;2026-09-11;18;20", "12;b;Fanny;2026-09-12;18;20", headings="ID;Kod;Titel;Datum;Start;Slut"
    )
    assert [each.what for each in found.problems if each.whole] == ["columns that are left alone: Kod"]


@pytest.mark.parametrize(
    "rows",
    [
        # No title repeats.
        ("11;Fanny;2026-09-11;18;20", "12;Sv;2026-09-11;21;22"),
        # An ID that repeats is an event's.
        ("11;Fanny;2026-09-11;18;20", "12;Sv;2026-09-11;21;22", "11;Fanny;2026-09-12;18;20", "13;Fanny;2026-09-13;18;20"),
        # A row with its ID and no title is one more of its occasions.
        ("11;Fanny;2026-09-11;18;20", "11;;2026-09-12;18;20", "12;Fanny;2026-09-11;21;22"),
        # A row that is there twice.
        ("11;Fanny;2026-09-11;18;20", "11;Fanny;2026-09-11;18;20"),
    ],
)  # fmt: skip
def test_nothing_is_asked_where_it_is_clear(rows):
    assert read(*rows).questions == ()


def test_others_with_the_same_title_are_no_reason_to_ask():
    rows = ("11;Fika;Ada;2026-09-11;18;20", "12;Fika;Bo;2026-09-11;18;20")
    assert read(*rows, headings="ID;Titel;Arrangör;Datum;Start;Slut").questions == ()


@pytest.mark.parametrize("row", ["12;Sv;2026-09-11;21;22", "11;Fanny;2026-09-12;18;20"])
def test_an_answer_holds_for_a_file_that_would_not_raise_the_question(row):
    """No title repeats, or an ID does: the second row with it is one more occasion."""
    found = read("11;Fanny;2026-09-11;18;20", row, ids="occasion")
    assert [(each.text, each.answer) for each in found.questions] == [
        ("What does “ID” identify?", "occasion")
    ]
    guids = [each.guid for event in found.events for each in event.occasions]
    assert guids == ["11", row[:2]]
