"""Texts and names are cut to the length of a field."""

import pytest

from programme.exchange.text.lines import truncate, truncate_names


@pytest.mark.parametrize(
    ("text", "length", "fitted"),
    [
        ("short", 5, "short"),
        ("one two three", 12, "one two…"),
        ("one two three", 8, "one two…"),
        ("one, two three", 8, "one…"),
        ("wordwithoutend", 6, "wordw…"),
        ("a wordwithoutend", 8, "a wordw…"),
    ],
)
def test_a_longer_text_is_cut_at_the_end_of_a_word(text, length, fitted):
    assert truncate(text, length) == fitted


@pytest.mark.parametrize(
    ("names", "length", "fitted"),
    [
        ([], 10, ""),
        (["Ada", "Bo"], 7, "Ada, Bo"),
        (["Ada", "Bo", "Cid"], 10, "Ada, Bo, …"),
        (["Ada", "Bo", "Cid"], 9, "Ada, …"),
        (["Ada Lovelace", "Bo"], 10, "Ada Lovel…"),
    ],
)
def test_names_are_cut_between_names(names, length, fitted):
    assert truncate_names(names, length) == fitted
