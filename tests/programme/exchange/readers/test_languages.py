"""The language of an event, as sheets, schedules and Linked Events state it."""

import json

import pytest
from django.utils.translation import override

from feeds.festival_time import FestivalTime
from programme.exchange.readers.fields import parse_language
from programme.exchange.readers.registry import read
from programme.exchange.values import Contents, ImportDefaults
from tests.programme.exchange.readers.linked_events import API, event, page
from tests.programme.exchange.schedules import TEA, build_json, build_xml

SEVERAL = "several languages; the first is taken"


def contents(name: str, text: str) -> Contents:
    with override("en"):
        return read(text.encode(), name, ImportDefaults(FestivalTime("Europe/Stockholm"))).contents


@pytest.mark.parametrize(
    ("text", "code", "notes"),
    [
        ("", "", []),
        ("de", "de", []),
        ("de_AT", "de-AT", []),
        ("Svenska", "sv", []),
        ("de, en", "de", [SEVERAL]),
        ("de/en", "de", [SEVERAL]),
        ("Svenska and English", "sv", [SEVERAL]),
        ("Deutsch und Englisch", "de", [SEVERAL]),
        ("lang-free", "", ["“lang-free” is no language that is known here; left out"]),
    ],
)
def test_the_first_of_several_languages(text, code, notes):
    reported: list[str] = []
    with override("en"):
        assert parse_language(text, reported.append) == code
    assert reported == notes


LINKS = [{"@id": f"{API}/language/{code}/"} for code in ("de", "en")]
FILES = {
    "x.xml": build_xml(TEA | {"language": "de, en"}),
    "x.json": build_json(TEA | {"language": "de, en"}),
    "list.json": build_json(TEA | {"language": ["de", "en"]}),
    "linked.json": json.dumps(page(event("tea", in_language=LINKS))),
    "x.csv": 'Titel;Datum;Start;Slut;Språk\nTea;2026-07-28;19:00;20:00;"de, en"\n',
}


@pytest.mark.parametrize("name", FILES)
def test_the_first_of_several_languages_is_the_events_in_every_format(name):
    found = contents(name, FILES[name])
    assert [each.language for each in found.events] == ["de"]
    assert [each.what for each in found.problems if "language" in each.what] == [SEVERAL]


def test_texts_are_in_the_first_language_of_the_conference():
    conference = {"acronym": "x", "title": "X", "language": "sv, en"}
    found = contents("x.xml", build_xml(TEA | {"language": ""}, conference=conference))
    assert [each.text_language for each in found.events] == ["sv"]
