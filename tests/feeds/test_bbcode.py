"""A text can neither open nor close a tag, and is otherwise as it was."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.formats.bbcode import BbcodeFormat, escape_text
from feeds.programme import Programme
from feeds.vocabulary import Text
from tests.feeds import parsers
from tests.feeds.selections import build_listing
from tests.feeds.strategies import programmes

ZERO_WIDTH_SPACE = "\u200b"


@pytest.mark.parametrize(
    "text",
    [
        *("c't", 'a "b" – it\'s', "é ü ”x” 1/2 (c)", "]", "x = 'y"),
        # Brackets that begin no tag.
        *("[", "[]", "[1]", "[ ]", "[…] jazz", "[åäö]", "(b] [", "[/]"),
    ],
)
def test_a_text_without_tags_and_lines_stays_as_it_is(text):
    assert escape_text(text) == text


@pytest.mark.parametrize("text", ["[b]", "[/url]", "[*]", "[ B]", "[ / i]", '[url="x', "[b", "a [b='c]"])
def test_a_bracket_that_opens_or_closes_a_tag_is_followed_by_what_nobody_sees(text):
    assert escape_text(text) == text.replace("[", f"[{ZERO_WIDTH_SPACE}")


def test_of_two_brackets_the_one_before_the_name_begins_a_tag_and_a_text_is_one_line():
    assert escape_text("[[b]\nit's so") == f"[[{ZERO_WIDTH_SPACE}b] it's so"


# What parsers look at when they look for a tag and its end.
texts = st.text("[]=\"'/b *u \\", max_size=12).map(str.strip)
STRAIGHT = str.maketrans("”’", "\"'")


def write(programme: Programme, title: str, intro: str, description: str, name: str) -> bytes:
    """Return a document in which each occasion has these texts."""
    occasions = tuple(
        replace(
            each,
            cancelled=True,
            change_info=Text(name),
            event=replace(
                each.event,
                title=title or "x",
                intro=Text(sv=intro, en=""),
                description=Text(sv=description, en=""),
                organizer=replace(each.event.organizer, name=name or "x") if each.event.organizer else None,
            ),
        )
        for each in programme.occasions
    )
    return BbcodeFormat().write_events(build_listing(replace(programme, occasions=occasions)))


def list_texts(block: dict[str, Any]) -> list[str]:
    return [block["title"], *(text.translate(STRAIGHT) for _tags, text in block["lines"])]


@settings(max_examples=40)
@given(programme=programmes(), title=texts, intro=texts, description=texts, name=texts)
def test_no_text_hides_another(programme, title, intro, description, name):
    listing = build_listing(programme)
    blocks = parsers.parse_bbcode(write(programme, title, intro, description, name))
    assert [each["url"] for each in blocks] == [
        listing.site.occasion_url(each.identity, "sv") for each in listing.occasions
    ]
    cancellation = f"INSTÄLLT. {name}".strip()
    for block, occasion in zip(blocks, listing.occasions, strict=True):
        by = [f"Arrangör: {name or 'x'}"] if occasion.event.organizer else []
        shown = filter(None, (intro, description, *by, cancellation))
        assert list_texts(block | {"title": block["title"].translate(STRAIGHT)}) == [title or "x", *shown]


@pytest.mark.parametrize(
    ("intro", "description", "shown"),
    [
        # Only a bracket with a value, and only from its equals sign to the next bracket.
        ('"a" [b="c" it\'s] "d"', "", '"a" [b=”c” it’s] "d"'),
        ('[https://x.example/?ref=header words] "d"', "", '[https://x.example/?ref=header words] "d"'),
        ('["a" b] = "c"', "c't", '["a" b] = "c" c\'t'),
        # No name of a tag need follow.
        ('[1="a" [2] "b"', "", '[1=”a” [2] "b"'),
        # One that nothing closes reaches into the next line.
        ("a [b=c", "it's [d] it's", "a [b=c it’s [d] it's"),
    ],
)
def test_quotation_marks_become_typographic_only_where_a_parser_would_take_them_for_a_values(
    intro, description, shown, sample_programme
):
    (block, *_others) = parsers.parse_bbcode(write(sample_programme, "x", intro, description, ""))
    assert " ".join(text for tags, text in block["lines"] if not tags) == shown
