"""Names that somebody may have meant who typed a part of one, or spelled it wrongly."""

from collections.abc import Iterable
from difflib import get_close_matches

from feeds.names import fold, fold_text

MOST_SUGGESTED = 8
# Longer than anybody mistypes a name; comparing takes time with the length of both.
LONGEST_TYPED = 60
ALIKE = 0.7


def near(typed: str, names: Iterable[str]) -> list[str]:
    """Return the names that hold all words typed, those that begin so first; else the ones spelled alike."""
    by_key = {fold(name): name for name in names}
    words = fold_text(typed).split()
    holding = [key for key in by_key if all(word in key for word in words)]
    if not holding and len(typed) <= LONGEST_TYPED:
        holding = get_close_matches(fold(typed), by_key, MOST_SUGGESTED, ALIKE)
    else:
        holding.sort(key=lambda key: (not key.startswith(" ".join(words)), key))
    return [by_key[key] for key in holding[:MOST_SUGGESTED]]
