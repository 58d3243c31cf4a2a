"""Coordinates (WGS 84) as people write and copy them: numbers, degrees, and addresses of maps."""

import math
import re
from collections.abc import Collection
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import unquote

_NUMBER = r"([+-]?\d{1,3}(?:[.,]\d+)?)"
_DECIMAL = r"([+-]?\d{1,3}\.\d+)"
# 57°42'31.9"N, with any usual signs for minutes and seconds.
_DEGREES = r"(\d{1,3})\s*°\s*(?:(\d{1,2})\s*['′’]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:\"|″|”|'')\s*)?"
# Addresses of Google, OpenStreetMap, Apple, Bing, Eniro and hitta.se, and `geo:` (RFC 5870). Pins take
# precedence over the centre of a map.
_IN_ADDRESSES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"!3d{_DECIMAL}!4d{_DECIMAL}",
        rf"mlat={_DECIMAL}&mlon={_DECIMAL}",
        rf"[?&](?:q|query|ll|coordinate|destination|daddr|sp|center|c)=(?:point\.|loc:)?{_DECIMAL}[,_]\s*{_DECIMAL}",
        rf"#map=\d+(?:\.\d+)?/{_DECIMAL}/{_DECIMAL}",
        rf"[@:/~]{_DECIMAL},\s*{_DECIMAL}",
        rf"=(?:point\.)?{_DECIMAL}[~_,]{_DECIMAL}",
    )
)
_PAIR = re.compile(rf"{_NUMBER}(?:\s*[,;]\s+|\s+|;){_NUMBER}|{_DECIMAL},{_DECIMAL}")
_IN_DEGREES = re.compile(rf"{_DEGREES}([NS])[,;\s]*{_DEGREES}([EÖOWV])", re.IGNORECASE)
_SIXTY = Decimal(60)
# The earth's radius in kilometres.
_EARTH = 6371
# The distances in kilometres of places that are too far away, and of near ones.
_FAR, _NEAR = 1000, 100


class Coordinates(NamedTuple):
    latitude: Decimal
    longitude: Decimal

    @property
    def turned(self) -> "Coordinates":
        return Coordinates(self.longitude, self.latitude)

    @property
    def is_on_earth(self) -> bool:
        return abs(self.latitude) <= 90 and abs(self.longitude) <= 180  # noqa: PLR2004 - degrees

    @property
    def is_at_home(self) -> bool:
        """Whether the coordinates are roughly in Sweden or Finland."""
        return 55 <= self.latitude <= 71 and 10 <= self.longitude <= 32  # noqa: PLR2004 - degrees


def parse_coordinates(text: str) -> Coordinates | None:
    """Return the coordinates in a text, None unless it has both."""
    text = text.strip()
    if found := _IN_DEGREES.fullmatch(text):
        return Coordinates(_from_degrees(*found.groups()[:4]), _from_degrees(*found.groups()[4:]))
    if found := _PAIR.fullmatch(text):
        return Coordinates(*(_round(each) for each in found.groups() if each))
    if re.match(r"https?://|geo:", text, re.IGNORECASE):
        matches = (pattern.search(unquote(text)) for pattern in _IN_ADDRESSES)
        found = next(filter(None, matches), None)
        return Coordinates(*map(_round, found.groups())) if found else None
    return None


def parse_degrees(text: str) -> Decimal | None:
    """Return a text with a decimal comma or point as a number, None if it is no number."""
    return _round(text) if re.fullmatch(_NUMBER, text.strip()) else None


def read_pair(latitude: str, longitude: str) -> tuple[Decimal | None, Decimal | None]:
    """Return the coordinates of two fields, either of which may have both."""
    both = next(filter(None, map(parse_coordinates, (latitude, longitude))), None)
    return both or (parse_degrees(latitude), parse_degrees(longitude))


def are_swapped(stated: Coordinates, others: Collection[Coordinates]) -> bool:
    """Return whether coordinates are far from all other places, but swapped near one, or in the north."""
    if stated.is_at_home or any(measure(stated, each) <= _FAR for each in others):
        return False
    return stated.turned.is_at_home or any(measure(stated.turned, each) < _NEAR for each in others)


def measure(one: Coordinates, other: Coordinates) -> float:
    """Return the distance in kilometres, on a sphere."""
    (lat, lon), (there_lat, there_lon) = ((math.radians(each) for each in pair) for pair in (one, other))
    half = math.sin((there_lat - lat) / 2) ** 2
    half += math.cos(lat) * math.cos(there_lat) * math.sin((there_lon - lon) / 2) ** 2
    return 2 * _EARTH * math.asin(math.sqrt(min(1, half)))


def _from_degrees(degrees: str, minutes: str | None, seconds: str | None, side: str) -> Decimal:
    parts = [Decimal((part or "0").replace(",", ".")) for part in (degrees, minutes, seconds)]
    value = parts[0] + parts[1] / _SIXTY + parts[2] / _SIXTY / _SIXTY
    return _round(str(-value if side.upper() in "SWV" else value))


def _round(text: str) -> Decimal:
    return round(Decimal(text.strip().replace(",", ".")), 6)
