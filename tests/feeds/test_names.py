"""The order of names: as a dictionary of the language has them."""

from itertools import permutations

import pytest

from feeds.names import order_name
from tests.alphabet import SWEDISH


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
