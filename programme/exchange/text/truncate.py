"""Truncates texts to the length of a field."""

from collections.abc import Sequence

_CUT = "…"


def truncate(text: str, length: int) -> str:
    """Return a text of at most `length` characters, cut at the end of a word."""
    if len(text) <= length:
        return text
    whole = text[: length - 1]
    # A word that takes more than half of the room is cut.
    words = whole if text[length - 1] == " " else whole.rpartition(" ")[0]
    return (words if len(words) * 2 >= length else whole).rstrip(" ,;:-–") + _CUT


def truncate_names(names: Sequence[str], length: int) -> str:
    """Return names joined by commas, as many as fit into `length` characters."""
    joined = ", ".join(names)
    if len(joined) <= length:
        return joined
    for count in range(len(names) - 1, 0, -1):
        if len(joined := ", ".join([*names[:count], _CUT])) <= length:
            return joined
    return truncate(names[0], length)
