from datetime import UTC, datetime

import msgspec
import pytest
from msgspec.structs import replace

from feeds.festival_time import FestivalTime
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.values import (
    Contents,
    ImportDefaults,
    Problem,
    ScheduledEvent,
    ScheduledOccasion,
    UnreadableFileError,
)

STOCKHOLM = FestivalTime("Europe/Stockholm")
HEADINGS = "Titel;Område;Plats;Rum;Datum;Start;Slut;Arrangör;Beskrivning"


def contents(*rows: str, headings: str = HEADINGS, first_hour: int = 0, **given: object) -> Contents:
    text = "\n".join([headings, *rows]) if headings else "\n".join(rows)
    found = read_sheet(text.encode(), ImportDefaults(FestivalTime("Europe/Stockholm", first_hour), **given))
    # Which headings it had is another test's matter.
    return replace(found, settled=())


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 9, day, hour, minute, tzinfo=UTC)


def occasion(day: int, row: int, **values: object) -> ScheduledOccasion:
    usual = {
        "guid": "",
        "start": at(day, 17),
        "end": at(day, 18),
        "cancelled": None,
        "room": "Blå hallen",
        "location": "Stadshuset",
    }
    return ScheduledOccasion(**(usual | {"row": row, "cells": row - 1} | values))


def problems(*rows: str, **options: object) -> list[tuple[int, str, str]]:
    return [(each.row, each.where, each.what) for each in contents(*rows, **options).problems]


def test_rows_below_an_event_are_its_occasions():
    found = contents(
        "Öppet hus;Parken;Stadshuset;Blå hallen;2026-09-12;19.00;20.00;Kommunen;Kom in",
        "Öppet hus;;Stadshuset;;13/9 2026;kl 19;20;;",
        "Öppet hus;;Stadshuset;;14 sep 2026;19:00;20:00;;",
        "Öppet hus;Parken;Biblioteket;;15 sep 2026;19:00;20:00;Kommunen;Kom in",
    )
    assert msgspec.structs.replace(found, cells=None, shown=()) == Contents(
        events=(
            ScheduledEvent(
                key="öppet_hus_|_kommunen_|_parken", source_id="öppet_hus_|_kommunen_|_parken", title="Öppet hus",
                language="", type="", organizer="Kommunen", row=2, cells=1,
                more={"description_sv": "Kom in", "area": "Parken"},
                occasions=(
                    occasion(12, 2), occasion(13, 3, room=""), occasion(14, 4, room=""),
                    occasion(15, 5, location="Biblioteket", room=""),
                ),
            ),
        ),
        stated=frozenset({"title", "location", "room", "organizer", "description_sv", "area"}),
    )  # fmt: skip


def test_english_headings_and_a_title_above_them():
    found = contents(
        "My festival 2026;;;", "Event title;Date;Time;Location;Description", "Tea;2026-09-12;19:00–20:00;Kitchen;Hot",
        headings="",
    )  # fmt: skip
    [event] = found.events
    assert (event.title, event.occasions) == ("Tea", (occasion(12, 3, location="Kitchen", room="", cells=1),))
    assert event.more == {"description_sv": "Hot"}


def test_texts_without_a_language_are_in_the_one_asked_for():
    [event] = contents("Tea;Hot", headings="Title;Description", language="en").events
    assert event.more == {"description_en": "Hot"}


def test_rows_that_are_the_same_count_once():
    row = "Fest;;;;2026-09-12;22:00;01:00;;"
    found = contents(row, row, row)
    assert len(found.events[0].occasions) == 1
    assert found.problems == (
        Problem("row 3", "the same as row 2, word for word; taken once", 3),
        Problem("row 4", "the same as row 2, word for word; taken once", 4),
    )


def test_the_same_title_by_others_is_another_event():
    found = contents(
        "Fest;;;;2026-09-12;19;20;Ada;", "Fest;;;;2026-09-12;19;20;Bo;", "Fest;;;;2026-09-13;19;20;Ada;"
    )
    assert [(event.organizer, len(event.occasions)) for event in found.events] == [("Ada", 2), ("Bo", 1)]


@pytest.mark.parametrize(
    ("row", "where", "why"),
    [
        ("Fest;;;;2026-13-01;19;20;;", "row 2, Datum", "“2026-13-01” is no date: write it in figures, like 2026-09-12"),
        ("Fest;;;;;19;20;;", "row 2, Datum", "the date is missing"),
        ("Fest;;;;2026-09-12;;20;;", "row 2, Start", "the start time is missing"),
        ("Fest;;;;2026-09-12;kväll;20;;", "row 2, Start", "“kväll” is no time: write it in figures, like 18.30–20"),
        ("Fest;;;;2026-09-12;19;snart;;", "row 2, Slut", "“snart” is no time: write it in figures, like 18.30–20"),
        ("Fest;;;;2026-09-12;19;2026-09-11 20:00;;", "row 2, Slut", "the end must be later than the start, by 60 days at most"),
        ("Fest;;;;2026-03-29;02:30;04:00;;", "row 2, Start", "the clock goes forward then, and never shows this time"),
        *(
            (f"Fest;;;;{day};19;20;;", "row 2, Datum", "check the year: it must be from 1900 to 2199")
            for day in ("1826-09-12", "2500-01-01", "9999-12-31")
        ),
        (";;;;2026-09-12;19;20;;", "row 2, Titel", "the title is missing"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_read_is_refused_by_cell(row, where, why):
    found = contents(row)
    assert found.events == ()
    assert [(each.where, each.what, each.event, each.left_out) for each in found.problems] == [
        (where, f"left out: {why}", row.partition(";")[0], True)
    ]


def test_a_refused_row_leaves_the_event_its_others():
    found = contents("Fest;;;;2026-09-12;19;20;;", "Fest;;;;igår;19;20;;")
    assert [len(event.occasions) for event in found.events] == [1]
    assert [(each.row, each.left_out) for each in found.problems] == [(3, True)]


def test_corrections_are_reported_by_cell():
    headings = "Titel;Datum;Start;Slut;Webbsida;Inställt;Språk;Arrangör"
    rows = [
        "Fest;2026-09-12;19;;fel;kanske;Svenska and English;Ada",
        "Fest;2026-09-13;19;Sent;;;;Ada",
        "Fest;2026-09-14;19;;x.example;;;Ada",
    ]
    assert problems(*rows, headings=headings) == [
        (2, "row 2, Inställt", "“kanske” is neither yes nor no; left as it is"),
        (2, "row 2, Slut", "no end: 30 minutes assumed"),
        (2, "row 2, Webbsida", "no usable web address: “fel”"),
        (2, "row 2, Språk", "several languages; the first is taken"),
        (3, "row 3, Slut", "no end: 30 minutes assumed"),
        (4, "row 4, Slut", "no end: 30 minutes assumed"),
        (4, "row 4, Webbsida", "differs from the event's first occasion (“fel”), which is taken"),
    ]  # fmt: skip


def read_cancelled(*rows: str, headings: str = "Nr;Titel;Datum;Start;Slut;Inställt") -> list[bool | None]:
    [event] = contents(*rows, headings=headings).events
    assert event.title == "Fest"
    return [each.cancelled for each in event.occasions]


def test_a_mark_in_the_title_cancels_what_has_that_title():
    marked = "INSTÄLLT: Fest;;;;2026-09-12;19;20;;"
    assert [each.cancelled for each in contents(marked).events[0].occasions] == [True]
    rows = ["1;INSTÄLLT: Fest;2026-09-12;19;20;", "1;;2026-09-13;19;20;"]
    assert read_cancelled(*rows) == [True, True]
    assert read_cancelled(rows[0], "1;Fest;2026-09-13;19;20;") == [True, False]


def test_a_row_is_cancelled_as_it_says_itself():
    rows = ["1;Fest;2026-09-12;19;20;ja", "1;Fest;2026-09-14;19;20;nej", "1;Fest;2026-09-15;19;20;"]
    assert read_cancelled(*rows) == [True, False, False]
    # A row without a time is said of all.
    expected = [True, False]
    assert read_cancelled("1;Fest;;;;ja", "1;Fest;2026-09-12;19;20;", "1;;2026-09-13;19;20;nej") == expected
    assert read_cancelled("1;Fest;2026-09-12;19;20", headings="Nr;Titel;Datum;Start;Slut") == [None]


def test_the_place_of_an_event_without_an_occasion_is_left_out():
    found = contents("Fest;Parken;Scen;;;;;;")
    assert "place" not in found.events[0].more
    assert [each.what for each in found.problems] == [
        "no date: the event has no occasion yet, and its place is left out"
    ]


def test_an_event_without_a_date_has_no_occasion_yet():
    found = contents("Fest;;;;;;;;")
    assert (found.events[0].occasions, found.events[0].title) == ((), "Fest")
    assert found.problems == (Problem("row 2, Datum", "no date: the event has no occasion yet", 2, 1, "day"),)
    assert [each.what for each in contents("Fest;;;;;;;;", "Mässa;;;;;;;;").problems if each.warns] == [
        "no event has a day and a time"
    ]


@pytest.mark.parametrize(
    ("cells", "start", "end"),
    [
        # The end of the day that it stands on, as a start and as an end.
        ("2026-09-12;24:00;;01:00", at(12, 22), at(12, 23)),
        ("2026-09-12;22;;24:00", at(12, 20), at(12, 22)),
        ("2026-09-12;22;2026-09-13;24:00", at(12, 20), at(13, 22)),
        ("2026-09-12;00:00;;24:00", at(11, 22), at(12, 22)),
        ("2026-09-12 24:00;;;2026-09-13 24:00", at(12, 22), at(13, 22)),
        ("2026-09-12;23.30–24.00;;", at(12, 21, 30), at(12, 22)),
        ("2026-09-12;2400;;0130", at(12, 22), at(12, 23, 30)),
        ("2026-09-12;00:00;;01:00", at(11, 22), at(11, 23)),
        # No time at all.
        ("2026-09-12;24:00;;24:00", at(12, 22), at(12, 22, 30)),
    ],
)
def test_24_00_is_the_end_of_its_day(cells: str, start: datetime, end: datetime) -> None:
    [event] = contents(f"Fest;{cells}", headings="Titel;Datum;Start;Slutdatum;Slut").events
    assert [(each.start, each.end) for each in event.occasions] == [(start, end)]


@pytest.mark.parametrize("first_hour", [0, 5])
def test_24_00_of_a_festival_day_is_its_midnight(first_hour: int) -> None:
    headings = "Titel;Festivaldag;Start;Slut"
    [event] = contents("Fest;2026-09-12;24:00;02:00", headings=headings, first_hour=first_hour).events
    assert [(each.start, each.end) for each in event.occasions] == [(at(12, 22), at(13, 0))]


@pytest.mark.parametrize("cells", ["9999-12-31;24:00;01", "2026-09-12;19;9999-12-31 24:00"])
def test_24_00_of_the_last_date_is_refused(cells: str) -> None:
    found = contents(f"Fest;{cells}", headings="Titel;Datum;Start;Slut")
    assert [each.what for each in found.problems] == [
        "left out: check the year: it must be from 1900 to 2199"
    ]


@pytest.mark.parametrize("text", ["", "Fest\n", "a;b\n1;2\n", "Datum;Start\n2026-09-12;19\n", HEADINGS])
def test_another_file_is_refused(text):
    with pytest.raises(UnreadableFileError):
        read_sheet(text.encode(), ImportDefaults(STOCKHOLM))


def test_a_sheet_without_rows_is_reported_to_be_empty():
    # Not to have headings that are not known: the page that asks for them would have nothing to show.
    with pytest.raises(UnreadableFileError, match="it is empty") as refused:
        read_sheet(b"\n \n", ImportDefaults(STOCKHOLM))
    assert type(refused.value) is UnreadableFileError


@pytest.mark.parametrize(("own", "text"), [(False, "Ett.\n\nTvå"), (True, "Ett.\n  \n  Två")])
def test_spaces_after_line_breaks_are_removed_except_in_our_own_exports(own, text):
    identity = "0b2a3c4d-1111-4222-8333-444455556666" if own else ""
    [event] = contents(
        f'Fest;2026-09-12;19;20;{identity};;"Ett.\n  \n  Två"',
        headings="Titel;Datum;Start;Slut;Tillfällets ID;Exportens nr;Beskrivning"
        if own
        else "Titel;Datum;Start;Slut;Arrangör;Plats;Beskrivning",
    ).events
    assert event.more["description_sv"] == text
