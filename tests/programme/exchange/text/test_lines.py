"""Texts are cut to the length of a field, and titles lose the marks of cancellations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.text.lines import Title, read_title, split_address, truncate, truncate_names


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
    ("name", "address"),
    [
        ("Hamnen", "Kajen 1, 123 45 Staden, Sverige"), ("Folkets hus, Salen", "Vägen 3 B, SE-123 45 Staden"),
        ("Hallen", "123 45 Staden, Sweden"), ("Huset", "Havnegade 12-14, 8000 Aarhus C, Denmark"),
        ("Stadshuset, Sal 3, plan 2", ""), ("Huset @ Gatan 1, 123 45 Staden, Sverige", ""),
    ],
)  # fmt: skip
def test_a_place_is_divided_from_its_address(name, address):
    assert split_address(", ".join(filter(None, (name, address)))) == (name, address)


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


@pytest.mark.parametrize(
    "text",
    [
        "[CANCELLED] Jazz in the park", "[Cancelled]: Jazz in the park", "(inställt) Jazz in the park",
        "**CANCELLED** Jazz in the park", "CANCELLED - Jazz in the park", "Canceled – Jazz in the park",
        "CANCELED: Jazz in the park", "CANCELLED! Jazz in the park", "CANCELLED Jazz in the park",
        "INSTÄLLT Jazz in the park", "Inställd: Jazz in the park", "INSTÄLLDA - Jazz in the park",
        "CANCELLED/INSTÄLLT: Jazz in the park", "Abgesagt: Jazz in the park",
        "Jazz in the park [CANCELLED]", "Jazz in the park (inställt)", "Jazz in the park – INSTÄLLT",
        "Jazz in the park - cancelled", "Jazz in the park INSTÄLLT!",
        "[CANCELLED] Jazz in the park (INSTÄLLT)",
    ],
)  # fmt: skip
def test_a_title_with_a_mark_is_cancelled_and_loses_the_mark(text):
    assert read_title(text) == Title("Jazz in the park", cancelled=True)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel culture", "Cancelled culture and its friends", "CANCELLED CULTURE", "Cancelled-culture",
        "Who cancelled whom?", "Om inställning till livet", "Inställningar för alla",
        "Inställd på framgång", "INSTÄLLDA KONSERTER", "Konserten är inställd", "Talk [cancelled culture]",
        "A – cancel culture", "Inställt",
    ],
)  # fmt: skip
def test_an_ordinary_word_is_no_mark(text):
    assert read_title(text) == Title(text, cancelled=False)


@pytest.mark.parametrize("text", ["INSTÄLLT", "[Cancelled]", "CANCELLED!"])
def test_a_mark_alone_stays_a_title(text):
    assert read_title(text) == Title(text, cancelled=True)


@given(st.from_regex(r"[A-Z][a-zåäö]{2,9}( [a-zåäö]{2,9}){0,4}", fullmatch=True), st.booleans())
def test_a_mark_in_brackets_comes_off_any_title_at_either_end(title, at_end):
    marked = f"{title} [INSTÄLLT]" if at_end else f"[CANCELLED] {title}"
    assert read_title(marked) == Title(title, cancelled=True)


@given(st.text(max_size=60))
def test_reading_a_title_twice_finds_no_further_mark(text):
    once = read_title(text.strip())
    assert read_title(once.text).text == once.text
