"""The language of texts is told by their frequent words."""

import re

import pytest
from django.utils.translation import override

from feeds.festival_time import FestivalTime
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.text.languages import detect_language, find_wrong_languages
from programme.exchange.values import ImportDefaults

ENGLISH = "Come and see how the people of this city live, with music for all of you."
SWEDISH = "Kom och se hur de som bor i staden lever, med musik för alla som vill ha det."
GERMAN = "Die Stadt lädt zu einem Abend mit Musik und Tanz ein, und der Eintritt ist frei."
FINNISH = "Kaupunki tanssii ja soittaa, ja illalla on konsertti, johon kaikki voivat tulla."


@pytest.mark.parametrize(("text", "language"), [(ENGLISH, "en"), (SWEDISH, "sv"), ("Jazz", ""), ("", "")])
def test_the_language_of_a_text(text, language):
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("heading", "text", "meant"),
    [
        ("Beskrivning på svenska", ENGLISH, ["English", "Swedish"]),
        ("English description", SWEDISH, ["Swedish", "English"]),
        ("Beskrivning", GERMAN, ["German", "Swedish"]),
        ("Beskrivning", FINNISH, ["Finnish", "Swedish"]),
        ("English description", GERMAN, ["German", "English"]),
        ("Beskrivning på svenska", SWEDISH, []),
        ("English description", ENGLISH, []),
    ],
)
def test_texts_in_another_language_than_they_are_stored_in(heading, text, meant):
    content = f"Titel;Start;{heading}\nA;2026-09-12 19:00;{text}".encode()
    contents = read_sheet(content, ImportDefaults(FestivalTime("Europe/Stockholm")))
    with override("en"):
        found = " ".join(each.what for each in find_wrong_languages(contents))
    assert re.findall("Swedish|English|German|Finnish", found) == meant
