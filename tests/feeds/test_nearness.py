"""Misspelt names, and those that are probably meant, are found; names that look alike are not."""

from itertools import permutations

import pytest

from feeds.names import order_name
from feeds.nearness import NearNames, find_alike, find_misspelt, find_slips
from tests.alphabet import SWEDISH

STORED = [
    "Älvhamns kulturskola", "Stadsbiblioteket Hisingen", "Sankta Karins kyrka", "Stora scenen", "Lilla scenen",
    "Nya scenen", "Gamla scenen", "Norra Kyrkogatan 2", "Sal 1", "Konserthuset", "Biograf Lyktan", "Anna Berg, Bo Ek",
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Slottsparken", ["Slottsprken", "slotsparken", "Slottzparken", "Slottspakren", "Slotts parken"]),
        ("Slottsträdgården", ["Slotstradgarden"]), ("Kulturhuset", ["Kullturhusset"]),
        ("Café Rio", ["Cafe Rio"]), ("S:t Pauli", ["St Pauli"]), ("Scen (ute)", ["Scen ute"]),
        ("Torget", ["Torgte"]), ("Stora scenen", ["Sotra scenn"]), ("Sal 1, Teatern", ["Sal 1, Teaterm"]),
    ],
)  # fmt: skip
def test_misspelt_names(name, others):
    for other in others:
        assert (find_misspelt(other, [name]), find_misspelt(name, [other])) == ([name], [other])


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Cirkus Krukos", "Cirkus Cirkör"), ("Sal 1", "Sal 2"), ("Pöytä 1", "Pöytä 11"),
        ("Hall 12a", "Hall 12b"), ("Scen A", "Scen B"), ("Scen A", "Scen Å"), ("Scen A", "Scen"),
        ("Bio", "Rio"), ("Blå salen", "Grå salen"), ("Stora scenen", "Lilla scenen"),
        ("Östra Kyrkogatan", "Västra Kyrkogatan"), ("Konsertsalen", "Konserthallen"),
        ("Slottsparken", "Slottet"), ("C++", "C#"), ("★", "☆"),
    ],
)  # fmt: skip
def test_different_names(name, other):
    assert NearNames([name]).find(other) == NearNames([other]).find(name) == []


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Kulturskolan", ["Älvhamns kulturskola"]),
        ("kulturskolan i Älvhamn", ["Älvhamns kulturskola"]),
        ("Hisingens stadsbibliotek", ["Stadsbiblioteket Hisingen"]),
        ("S:ta Karins kyrka", ["Sankta Karins kyrka"]),
        ("SKK", ["Sankta Karins kyrka"]),
        ("Bio Lyktan", ["Biograf Lyktan"]),
        ("Konserthuset Stora salen", ["Konserthuset"]),
        ("Konserthuse", ["Konserthuset"]),
        # Too many have the word, another number, too little in common, one of several names.
        ("Scenen", []),
        ("Sal 2", []),
        ("Konserthuset 2", []),
        ("Västra Kyrkogatan 2", []),
        ("Anna Berg", []),
        ("–", []),
    ],
)
def test_the_names_that_may_be_meant(name, found):
    assert NearNames(STORED).find(name) == found


def test_the_nearest_words():
    words = ["konsert", "konserter", "konsort", "teater"]
    assert find_alike("konsret", words, 2) == ["konsert", "konsort"]
    assert find_slips("konsret", words) == {"konsert"}


@pytest.mark.parametrize(
    "ordered",
    [
        SWEDISH,
        ["”Afton”", "apan", "Bar", "…Cirkus"],
        ["Rum 2", "Rum 10", "rum 10 B", "Rum 100"],
        ["Elan", "Élan", "Eland"],
        ["Duo", "Mylla", "Müller", "Naturen", "Straße", "Strasund"],
        ["9 liv", "12:an", "apan"],
        ["Hip hop", "Hip-hop", "Hiphop"],
        ["Östra", "Ωmega", "Ярмарка"],
    ],
)
def test_names_are_in_the_order_of_a_swedish_dictionary(ordered: list[str]) -> None:
    assert sorted({*ordered}, key=order_name) == ordered


def test_an_english_dictionary_has_no_further_letters() -> None:
    ordered = ["Aalto", "Ådalen", "Ærø", "Ågården", "Älven", "Östra", "Zebran"]
    assert sorted(ordered, key=lambda name: order_name(name, "en")) == ordered


@pytest.mark.parametrize("names", [*permutations(["Ådalen", "Zebran", "A\u030agården"])])
def test_composed_letters_are_ordered_like_others(names: tuple[str, ...]) -> None:
    assert sorted(names, key=order_name) == ["Zebran", "Ådalen", "A\u030agården"]
