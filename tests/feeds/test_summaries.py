"""What stands in place of an intro that is not there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.formats import BY_EXTENSION
from feeds.programme import Programme
from feeds.syndication import MAX_LENGTH, excerpt, summarize
from feeds.vocabulary import Text
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


def describe(programme: Programme, text: str) -> Programme:
    """Return a programme of one occasion, whose event has this description and no intro."""
    occasion = programme.by_id[8001]
    event = replace(occasion.event, intro=Text(), description=Text(sv=text, en=text))
    return replace(programme, occasions=(replace(occasion, event=event),))


def test_json_and_bbcode_have_the_texts_as_they_are(sample_programme: Programme) -> None:
    listing = build_listing(describe(sample_programme, "x" * 301))
    for extension in ("json", "bbcode"):
        written = BY_EXTENSION[extension]().render(listing).decode()
        assert "x" * 301 in written
        assert "…" not in written
