"""What a price in free text comes to, where it can be read with certainty."""

import re
from typing import NamedTuple

from feeds.names import fold

FREE = re.compile(
    r"(fri entré|fritt inträde|gratis|gratis inträde|kostnadsfritt|free|free entry|free admission"
    r"|free of charge|0 ?(kr|kronor|sek|:-))[.!]?"
)
AMOUNT = r"(?P<whole>\d{1,3}(?:[ \u00a0]\d{3})+|\d{1,6})(?:[,.](?P<part>\d{2}))?"
KRONOR = re.compile(rf"{AMOUNT} ?(?P<unit>kr|kronor|sek|:-)[.!]?")
CROWNED = re.compile(rf"(?P<unit>sek) ?{AMOUNT}")
# Where crowns are the Swedish ones: Denmark, Norway and Iceland have their own.
SWEDISH_ZONE = "Europe/Stockholm"


class Price(NamedTuple):
    """An amount as schema.org writes it."""

    amount: str
    currency: str


def is_free(text: str) -> bool:
    return bool(FREE.fullmatch(fold(text)))


def price(text: str, zone_name: str) -> Price | None:
    """Return what is paid; None where the text names no price, several, or crowns of an unknown land."""
    folded = fold(text)
    if is_free(text):
        return Price("0", "SEK") if zone_name == SWEDISH_ZONE or "sek" in folded else None
    if not (found := KRONOR.fullmatch(folded) or CROWNED.fullmatch(folded)):
        return None
    if found["unit"] != "sek" and zone_name != SWEDISH_ZONE:
        return None
    whole = re.sub(r"\D", "", found["whole"])
    return Price(f"{int(whole)}.{found['part']}" if found["part"] else f"{int(whole)}", "SEK")
