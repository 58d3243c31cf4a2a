"""Numbers in the texts of forms, addresses and files: primary keys and counts."""

from collections.abc import Iterable

# The most digits that every database accepts.
_MAX_DIGITS = 18


def parse_int(text: object, max_digits: int = _MAX_DIGITS) -> int | None:
    """Return a text of at most `max_digits` digits as a number, None for any other text, such as `-1`."""
    digits = str(text)
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= max_digits else None


def parse_ints(texts: Iterable[object]) -> list[int]:
    return [number for number in map(parse_int, texts) if number is not None]
