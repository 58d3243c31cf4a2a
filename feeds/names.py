"""The folding and order of names: two are equal if they are whole, in any case, in all of Unicode."""

import re
from functools import lru_cache
from unicodedata import normalize

# No name is longer. Requests may have longer ones, which are not cached.
MAX_CACHED_LENGTH = 200
# Those of most texts: Latin letters, quotation marks and dashes, without combining characters.
SIMPLE_CHARACTERS = "cp1252"


def fold(name: str) -> str:
    """Return the key to store and look up a name by (decisions, "Names match")."""
    return _fold_cached(name) if len(name) <= MAX_CACHED_LENGTH else fold_text(name)


def fold_text(text: str) -> str:
    """Return a text to look up words in, folded as names are."""
    try:
        # Nothing in it is decomposed or combined: most texts fold in a quarter of the time.
        text.encode(SIMPLE_CHARACTERS)
        return text.strip().casefold()
    except UnicodeEncodeError:
        pass
    # Decomposed first: only then do all spellings of an accented Greek letter fold alike (Unicode, D145).
    return normalize("NFC", normalize("NFD", text).strip().casefold())


_fold_cached = lru_cache(maxsize=8192)(fold_text)

_NUMBER = re.compile(r"(\d+)")


def natural_key(name: str) -> list[tuple[int, str]]:
    """Return a key by which room 2 comes before room 10."""
    parts = _NUMBER.split(name.casefold())
    return [(int(part), "") if index % 2 else (-1, part) for index, part in enumerate(parts)]
