"""Numbers in the texts of forms, addresses and files: primary keys and counts."""

from collections.abc import Iterable

# Every database accepts numbers of so many digits.
_MAX_DIGITS = 18


def parse_int(text: object, max_digits: int = _MAX_DIGITS) -> int | None:
    """Return the number of a text of at most so many digits, None for any other, such as `-1`."""
    digits = str(text)
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= max_digits else None


def parse_ints(texts: Iterable[object]) -> list[int]:
    return [number for number in map(parse_int, texts) if number is not None]
