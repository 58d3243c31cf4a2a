"""Misspelt names are found, and different names that look alike are not."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from programme.exchange.text.spelling import SimilarNames


def are_similar(name: str, other: str) -> bool:
    found = SimilarNames([other]).find(name) == [other]
    assert found == (SimilarNames([name]).find(other) == [name])
    return found


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Slottsparken", "Slottsprken"), ("Slottsparken", "slotsparken"),
        ("Slottsparken", "Slotts parken"), ("Slottsträdgården", "Slotstradgarden"),
        ("Kulturhuset", "Kullturhusset"), ("S:t Pauli", "St Pauli"), ("Café Rio", "Cafe Rio"),
        ("Scen (ute)", "Scen ute"), ("Torget", "Torgte"), ("Stora scenen", "Sotra scenen"),
        ("Stora scenen", "Stora scenn"), ("Sal 1, Teatern", "Sal 1, Teaterm"),
    ],
)  # fmt: skip
def test_a_misspelling(name, other):
    assert are_similar(name, other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Sal 1", "Sal 2"),
        ("Pöytä 1", "Pöytä 11"),
        ("Hall 12a", "Hall 12b"),
        ("Salongen 1", "Salongen"),
        ("Scen A", "Scen B"),
        ("Scen A", "Scen Å"),
        ("Scen A", "Scen"),
        ("Blå salen", "Grå salen"),
        ("Stora scenen", "Lilla scenen"),
        ("Norra scenen", "Södra scenen"),
        ("Östra scenen", "Västra scenen"),
        ("Konsertsalen", "Konserthallen"),
        ("Slottsparken", "Slottet"),
        ("Parken", "Parken, Malmö"),
        ("Norra Parken", "Parken Norra"),
        ("C++", "C#"),
        ("★", "☆"),
    ],
)
def test_different_names(name, other):
    assert not are_similar(name, other)


letters = st.sampled_from("abcdefghijklmnopqrstuvwxyzåäö")
words = st.text(letters, min_size=6, max_size=12)


@given(words, words, st.integers(0, 5), letters, st.sampled_from(["more", "less", "other", "swapped"]))
def test_every_slip_of_a_letter_is_found(first, second, place, letter, kind):
    slips = {
        "more": first[:place] + letter + first[place:],
        "less": first[:place] + first[place + 1 :],
        "other": first[:place] + letter + first[place + 1 :],
        "swapped": first[:place] + first[place + 1 : place + 2] + first[place] + first[place + 2 :],
    }
    assume(slips[kind] != first)
    assert are_similar(f"{slips[kind].title()} {second}", f"{first} {second} ")


@given(words, st.integers(0, 99), st.integers(0, 99))
def test_another_number_is_another_name(word, number, other):
    assume(number != other)
    assert not are_similar(f"{word} {number}", f"{word} {other}")
