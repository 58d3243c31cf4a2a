"""Rows that are grouped as one event and have different texts can be made separate events."""

import json
from typing import Any

import pytest

from feeds.festival_time import FestivalTime
from programme.exchange.questions import Question
from programme.exchange.readers.grouping import split_by_texts
from programme.exchange.readers.registry import read
from programme.exchange.values import Contents, ImportDefaults
from tests.programme.exchange.readers.ical.calendars import calendar
from tests.programme.exchange.schedules import LATER, TEA, build_xml

HEADINGS = "Titel;Datum;Start;Slut;Ingress;Beskrivning"
SHEET = f"""{HEADINGS}
Föredrag;2026-09-12;18;19;Om te;
Föredrag;2026-09-13;18;19;;Med kakor
Föredrag;2026-09-14;18;19;Om kaffe;
Föredrag;2026-09-15;18;19;;
Föredrag;2026-09-16;18;19;Om te;
Dans;2026-09-12;20;21;Kom!;
"""


def contents(content: str | bytes, name: str = "x.csv", **answers: str) -> Contents:
    data = content if isinstance(content, bytes) else content.encode()
    defaults = ImportDefaults(FestivalTime("Europe/Stockholm"), answers=answers)
    return read(data, name, defaults).contents


def shape(found: Contents) -> list[tuple[str, str, list[int]]]:
    return [
        (each.title, each.more.get("intro_sv", each.intro), [o.start.day for o in each.occasions])
        for each in found.events
    ]


def question_of(found: Contents) -> Question:
    [question] = found.questions
    return question


def test_the_rows_are_one_event_until_somebody_answers():
    found = contents(SHEET)
    assert shape(found) == [("Föredrag", "Om te", [12, 13, 14, 15, 16]), ("Dans", "Kom!", [12])]
    question = question_of(found)
    assert (question.key, question.answer) == ("separate", "no")
    assert question.text == ("The rows of one event have different texts: Föredrag. Is it several events?")
    assert [(each.value, each.label) for each in question.choices] == [
        ("no", "No: one event, with the texts of its first occasion"),
        ("yes", "Yes: an event for each text (2 instead of 1)"),
    ]


def test_each_text_may_be_an_event():
    found = contents(SHEET, separate="yes")
    assert shape(found) == [
        ("Föredrag", "Om te", [12, 13, 16]),
        ("Föredrag", "Om kaffe", [14, 15]),
        ("Dans", "Kom!", [12]),
    ]
    assert question_of(found).answer == "yes"
    assert [each.key for each in found.events] == ["föredrag", "föredrag", "dans"]
    assert len({each.source_id for each in found.events}) == 3
    assert found.problems == ()


def test_nothing_is_asked_where_all_rows_agree():
    assert contents(f"{HEADINGS}\nA;2026-09-12;18;19;Te;\nA;2026-09-13;18;19;;Kom").questions == ()


def test_nothing_is_asked_of_our_own_exports():
    identities = [f"0b2a3c4d-1111-4222-8333-44445555666{number}" for number in (6, 7)]
    rows = [f"A;2026-09-1{number};18;19;{number};;{each};x" for number, each in enumerate(identities)]
    own = "\n".join((f"{HEADINGS};Tillfällets ID;Senast ändrad", *rows))
    assert (contents(own).is_own_export, contents(own).questions) == (True, ())


def other_formats() -> dict[str, Any]:
    times = ("DTSTART:2026091{}T180000Z", "DTEND:2026091{}T190000Z")
    components = [
        ("UID:1", "SUMMARY:Tea", f"DESCRIPTION:{text}", *(each.format(day) for each in times))
        for day, text in ((2, "Green"), (3, "Black"))
    ]
    flat = [
        {"id": "1", "title": "Tea", "abstract": text, "start": f"2026-09-1{day}T18:00:00+02:00"}
        for day, text in ((2, "Green"), (3, "Black"))
    ]
    schedule = {"schedule": {"conference": {"title": "Feast"}, "events": flat}}
    return {
        "x.ics": calendar(*components),
        "x.xml": build_xml(TEA, TEA | {"guid": "g2", "date": LATER, "abstract": "Other"}),
        "x.json": json.dumps(schedule),
    }


@pytest.mark.parametrize("name", other_formats())
def test_the_same_question_is_asked_in_every_format(name):
    content = other_formats()[name]
    assert (len(contents(content, name).events), question_of(contents(content, name)).answer) == (1, "no")
    found = contents(content, name, separate="yes")
    assert [len(each.occasions) for each in found.events] == [1, 1]
    assert len({each.key for each in found.events}) == 1
    assert len({each.source_id for each in found.events}) == 2


@pytest.mark.parametrize(
    ("texts", "parts"),
    [
        (["a", "b", "a"], [[0, 2], [1]]),
        (["", "a", "", "b", ""], [[0, 1, 2], [3, 4]]),
        (["a", "b", "a", ""], [[0, 2, 3], [1]]),
        (["", ""], [[0, 1]]),
        (["a"], [[0]]),
    ],
)
def test_a_row_without_texts_goes_with_the_one_above(texts, parts):
    rows = list(range(len(texts)))
    assert [part for _texts, part in split_by_texts(rows, lambda row: (texts[row],))] == parts
