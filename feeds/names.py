"""When two names are the same name: whole, whatever their case, in all of Unicode."""

from functools import lru_cache
from unicodedata import normalize


@lru_cache(maxsize=8192)
def fold(name: str) -> str:
    """Return the key under which a name is stored and looked up (decisions, "Names match")."""
    # Decomposed first: only then do all spellings of an accented Greek letter fold alike (Unicode, D145).
    return normalize("NFC", normalize("NFD", name).strip().casefold())
