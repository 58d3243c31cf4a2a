"""Prices, which are free text, as amounts where they are one."""

import re
from typing import NamedTuple

from feeds.facts import derive_free
from feeds.names import fold

AMOUNT = r"(?P<whole>\d{1,3}(?:[ \u00a0]\d{3})+|\d{1,6})(?:[,.](?P<part>\d{2}))?"
UNIT = "(?P<unit>kr|kronor|sek|:-|€|eur|euro)"
AFTER = re.compile(rf"{AMOUNT} ?{UNIT}[.!]?")
BEFORE = re.compile(rf"(?P<unit>sek|€|eur) ?{AMOUNT}[.!]?")
# Units that mean the same currency everywhere.
CURRENCIES = {"sek": "SEK", "€": "EUR", "eur": "EUR", "euro": "EUR"}
# Where kronor are Swedish: Denmark, Norway and Iceland have their own.
SWEDISH_ZONE = "Europe/Stockholm"


class Price(NamedTuple):
    amount: str
    currency: str


def is_free(text: str) -> bool:
    return derive_free(text) == "true"


def parse_price(text: str, zone_name: str) -> Price | None:
    """Return the price; None if the text has none, several, or kronor of an unknown country."""
    folded, local = fold(text), "SEK" if zone_name == SWEDISH_ZONE else ""
    found = AFTER.fullmatch(folded) or BEFORE.fullmatch(folded)
    currency = CURRENCIES.get(found["unit"], local) if found else local
    if not currency:
        return None
    if is_free(text):
        return Price("0", currency)
    if not found:
        return None
    whole = int(re.sub(r"\D", "", found["whole"]))
    return Price(f"{whole}.{found['part']}" if found["part"] else f"{whole}", currency)
