"""Prices in free text: read where they say one thing, and left alone where they might say another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.structured_data import Price, is_free, parse_price

STOCKHOLM = "Europe/Stockholm"


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Fri entré", "0"),
        ("FRI ENTRÉ!", "0"),
        ("Gratis", "0"),
        ("Free", "0"),
        ("0 kr", "0"),
        ("120 kr", "120"),
        ("120kr", "120"),
        ("120:-", "120"),
        ("120 kronor", "120"),
        ("SEK 120", "120"),
        ("1 450 kr", "1450"),
        ("1\u00a0450 kr", "1450"),
        ("95,50 kr", "95.50"),
        ("95.50 SEK", "95.50"),
        ("0120 kr", "120"),
        ("0,00 kr", "0"),
        ("SEK 0", "0"),
    ],
)
def test_one_price_is_read(text, amount):
    assert parse_price(text, STOCKHOLM) == Price(amount, "SEK")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "120",
        "från 120 kr",
        "120 kr, barn 60 kr",
        "100-150 kr",
        "50 kr; barn 0 kr",
        "Gratis, ta med matta",
        "Fri entré, fika 25 kr",
        "Museientré 70 kr",
        "1.450 kr",
        "1 45 kr",
        "12 $",
        "12 kr/€",
        "gratis för barn",
    ],
)
def test_what_might_mean_something_else_is_not_read(text):
    assert parse_price(text, STOCKHOLM) is None
    assert not is_free(text)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("120 kr", None),
        ("Gratis", None),
        ("0 kr", None),
        ("0 SEK", Price("0", "SEK")),
        ("120 SEK", Price("120", "SEK")),
    ],
)
def test_kronor_are_swedish_in_the_swedish_time_zone(text, known):
    assert parse_price(text, "Europe/Copenhagen") == known


@pytest.mark.parametrize("text", ["12 €", "12€", "€12", "12 EUR", "EUR 12", "12 euro"])
@pytest.mark.parametrize("zone_name", [STOCKHOLM, "Europe/Helsinki"])
def test_euros_are_euros_everywhere(text, zone_name):
    assert parse_price(text, zone_name) == Price("12", "EUR")


@given(st.integers(1, 999_999))
def test_every_amount_is_what_it_says(amount):
    assert parse_price(f"{amount} kr", STOCKHOLM) == parse_price(
        f"{amount:,} kr".replace(",", " "), STOCKHOLM
    )
    assert parse_price(f"{amount} kr", STOCKHOLM) == Price(str(amount), "SEK")
