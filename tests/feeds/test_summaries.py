"""What stands in place of an intro that is not there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.formats import BY_EXTENSION
from feeds.programme import Programme
from feeds.syndication import MAX_LENGTH, excerpt, summarize
from feeds.vocabulary import LanguageCode, Text
from tests.feeds.parsers import PARSERS
from tests.feeds.selections import build_listing

LONG = "Det är fest. " * 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Kort.", "Kort."),
        ("Två\nrader.\n\nOch ett stycke till.", "Två\nrader."),
        ("Först.\n \t\nSedan.", "Först."),
        ("x" * MAX_LENGTH, "x" * MAX_LENGTH),
        # At the end of a sentence.
        (LONG, ("Det är fest. " * 23).strip()),
        ("”Kom hit!” " + LONG, "”Kom hit!” " + ("Det är fest. " * 22).strip()),
        ("a" * 150 + ". Sedan " + "b" * 200, "a" * 150 + "."),
        # Not in the middle of one, nor so early that nothing is said.
        ("a" * 150 + " kl. 18 t.ex. dans " + "b" * 200, "a" * 150 + " kl. 18 t.ex. dans…"),
        ("Hej! " + "ord " * 100, "Hej! " + "ord " * 72 + "ord…"),
        # At a word, without the comma behind it; anywhere, where there are none.
        ("a" * 150 + ", " + "b" * 200, "a" * 150 + "…"),
        ("祭" * 400, "祭" * (MAX_LENGTH - 1) + "…"),
    ],
)
def test_the_first_paragraph_is_cut_at_a_sentence_or_a_word(text: str, expected: str) -> None:
    assert excerpt(text) == expected


@given(st.lists(st.sampled_from([*"aÅ祭 .!,\n🎷", "ord ", ". ", "\n\n", "x" * 120])).map("".join))
def test_an_excerpt_is_a_short_beginning_of_the_text(text: str) -> None:
    found = excerpt(text.strip())
    assert len(found) <= MAX_LENGTH
    assert text.strip().startswith(found.removesuffix("…"))
    assert bool(found) == bool(text.strip())


def test_an_intro_in_any_language_goes_before_a_description(sample_programme: Programme) -> None:
    event = sample_programme.by_id[8001].event
    bare = replace(event, intro=Text(), description=Text(en="A party.\n\nAnd more."))
    assert summarize(replace(bare, intro=Text(sv="Fest.")), "en") == "Fest."
    assert summarize(bare, "sv") == "A party."
    assert summarize(replace(bare, description=Text()), "sv") == ""


# --- In what is sent: 300 is the number that the interface's decisions name


FULL = " ".join(["musik"] * 49) + " finale"
CUT = [
    pytest.param(FULL, FULL, id="300 letters"),
    pytest.param(f"{FULL}r", " ".join(["musik"] * 49) + "…", id="301, at a word"),
    pytest.param("x" * 300, "x" * 300, id="a word of 300"),
    pytest.param("x" * 301, "x" * 299 + "…", id="a word of 301"),
    pytest.param("x" * 299 + ". Sedan", "x" * 299 + ".", id="a sentence of 300"),
    pytest.param(f"{FULL}\n\nSedan annat.", FULL, id="a paragraph of 300"),
]
# Where each has it; of the list the line below the link, and of a calendar what stands before the organizer.
READ = {
    "atom": lambda found: found["intro"],
    "rss": lambda found: found["intro"],
    "rss-wp": lambda found: found["intro"],
    "ics": lambda found: found["description"].split("\n\n")[0],
    "ics-text": lambda found: found["description"].split("\n\n")[0],
    "qx1": lambda found: found["lines"][0],
}


def describe(programme: Programme, text: str) -> Programme:
    """Return a programme of one occasion, whose event has this description and no intro."""
    occasion = programme.by_id[8001]
    event = replace(occasion.event, intro=Text(), description=Text(sv=text, en=text))
    return replace(programme, occasions=(replace(occasion, event=event),))


@pytest.mark.parametrize("language", ["sv", "en"])
@pytest.mark.parametrize("extension", READ)
@pytest.mark.parametrize(("text", "expected"), CUT)
def test_a_summary_has_at_most_300_characters(
    sample_programme: Programme, text: str, expected: str, extension: str, language: LanguageCode
) -> None:
    assert len(expected) <= 300
    listing = build_listing(describe(sample_programme, text), f"language={language}")
    (found,) = PARSERS[extension](BY_EXTENSION[extension]().render(listing))
    assert READ[extension](found) == expected


def test_json_and_bbcode_have_the_texts_as_they_are(sample_programme: Programme) -> None:
    listing = build_listing(describe(sample_programme, "x" * 301))
    for extension in ("json", "bbcode"):
        written = BY_EXTENSION[extension]().render(listing).decode()
        assert "x" * 301 in written
        assert "…" not in written


def test_an_intro_is_not_cut(sample_programme: Programme) -> None:
    event = sample_programme.by_id[8001].event
    assert summarize(replace(event, intro=Text(sv="x" * 301)), "sv") == "x" * 301
