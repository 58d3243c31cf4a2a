"""Web addresses and languages, as files of every kind state them."""

import pytest

from feeds.festival_time import FestivalTime
from programme.exchange.readers.fields import parse_language, parse_web_address
from programme.exchange.readers.registry import read
from programme.exchange.values import Contents, ImportDefaults
from tests.programme.exchange.schedules import TEA, build_json, build_xml


def test_a_web_address_that_is_too_long_or_has_blanks_is_none():
    found = [parse_web_address(f"https://a.se/{rest}") for rest in ("", "x" * 988, "x" * 987, "x y")]
    assert found == ["https://a.se/", "", f"https://a.se/{'x' * 987}", ""]


SEVERAL = "several languages; the first is taken"


def contents(name: str, text: str) -> Contents:
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
    assert parse_language(text, reported.append) == code
    assert reported == notes


FILES = {
    "x.xml": build_xml(TEA | {"language": "de, en"}),
    "x.json": build_json(TEA | {"language": "de, en"}),
    "list.json": build_json(TEA | {"language": ["de", "en"]}),
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
    assert ["intro_sv" in each.more for each in found.events] == [True]
