"""When two names are the same name: whole, whatever their case, in all of Unicode."""

from functools import lru_cache
from unicodedata import normalize

# The longest name there is. What readers ask for may be longer, and is not kept.
LONGEST_KEPT = 200


def fold(name: str) -> str:
    """Return the key under which a name is stored and looked up (decisions, "Names match")."""
    return _kept(name) if len(name) <= LONGEST_KEPT else fold_text(name)


def fold_text(text: str) -> str:
    """Return a text in which words are looked up as names are."""
    # Decomposed first: only then do all spellings of an accented Greek letter fold alike (Unicode, D145).
    return normalize("NFC", normalize("NFD", text).strip().casefold())


_kept = lru_cache(maxsize=8192)(fold_text)
