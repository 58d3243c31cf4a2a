"""Numbers that arrive as text, from forms, addresses and files: primary keys, and how many rows there are."""

# So many digits make a number that every database takes.
_LONGEST = 18


def parse_int(text: object, longest: int = _LONGEST) -> int | None:
    """Return the number that a text of at most so many digits is; None for all else, as for `-1`."""
    said = str(text)
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= longest else None
