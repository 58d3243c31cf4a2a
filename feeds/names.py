"""The folding of names, which are equal in any case in all of Unicode, and their order."""

import re
import unicodedata
from functools import lru_cache
from typing import Literal

# The longest name. Requests may have longer ones, which are not cached.
MAX_CACHED_LENGTH = 200
# The characters of most texts: Latin letters, quotation marks and dashes, none of them combining.
SIMPLE_CHARACTERS = "cp1252"

_MARKS = "".join(filter(unicodedata.combining, map(chr, range(0x300, 0x1E94B))))
# No language has more marks on a letter, and normalizing them takes quadratic time.
_TOO_MANY_MARKS = re.compile(f"([{_MARKS}]{{30}})[{_MARKS}]+")
# Firefox does not hyphenate capitalised words. They may break before a consonant and a vowel, after a vowel,
# the same consonant or l, m, n, r; at least three letters from either end.
_LONG_WORD = re.compile(r"\b[A-ZÅÄÖ][^\W\d_]{11,}")
_BORDER = re.compile(
    r"(?<=\w{3})(?:(?<=[aeiouyåäö])|(?<=[lmr])(?!s)|(?<=n)(?![gs])|(?<=(.))(?=\1))"
    r"(?=[b-df-hj-np-tvxz][aeiouyåäö]\w)",
    re.IGNORECASE,
)
SOFT_HYPHEN = "\u00ad"


def normalize(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a form of Unicode, with at most 30 marks on a letter (UAX 15, "Stream-Safe")."""
    # Looking for marks takes thirty times as long.
    is_simple = len(text.encode(SIMPLE_CHARACTERS, "ignore")) == len(text)
    return unicodedata.normalize(form, text if is_simple else _TOO_MANY_MARKS.sub(r"\1", text))


def fold(name: str) -> str:
    """Return the key by which a name is stored and looked up (decisions, "Names match")."""
    return _fold_cached(name) if len(name) <= MAX_CACHED_LENGTH else fold_text(name)


def fold_text(text: str) -> str:
    """Return a text folded like a name."""
    try:
        # Without decomposed characters a text folds in a quarter of the time.
        text.encode(SIMPLE_CHARACTERS)
    except UnicodeEncodeError:
        # Decomposed first: only then do all spellings of an accented Greek letter fold alike (Unicode, D145).
        return normalize("NFC", normalize("NFD", text).strip().casefold())
    return text.strip().casefold()


_fold_cached = lru_cache(maxsize=8192)(fold_text)

# Letters that Unicode does not decompose, with their replacements in ASCII.
LETTERS = dict(zip("ßςøæœđðłþı", ("ss", "σ", "o", "ae", "oe", "d", "d", "l", "th", "i"), strict=True))
ACCENTS = "\u0300-\u036f"
# Signs behind z in ASCII stand for the last letters of the Swedish alphabet; ü is a y there.
_SWEDISH = zip(("å", "ä", "æ", "ö", "ø", "ü"), "{||}}y", strict=True)
ORDERED_LETTERS = {"sv": LETTERS | {normalize("NFD", each): other for each, other in _SWEDISH}, "en": LETTERS}
# Replacements in a decomposed name in lower case before and after those of letters, in patterns that Python
# and PostgreSQL share: signs become spaces, except at the beginning; numbers are padded to 20 digits.
ORDERED_SIGNS = (
    (rf"[^\w{ACCENTS}]+", " "),
    ("^ ", ""),
    ("([0-9]+)", r"00000000000000000000\1"),
    ("0+([0-9]{20,})", r"\1"),
)
ORDERED_ACCENTS = (f"[{ACCENTS}]+", "")
# Separates the key from the name, which orders names with equal keys.
END_OF_KEY = "\x01"


@lru_cache(1 << 15)
def order_name(name: str, language: str = "sv") -> str:
    """Return the sort key of a name in a language's dictionary order (decisions, "Order of names")."""
    key = normalize("NFKD", name).lower()
    for pattern, other in ORDERED_SIGNS:
        key = re.sub(pattern, other, key)
    for letter, other in ORDERED_LETTERS[language].items():
        key = key.replace(letter, other)
    return f"{re.sub(*ORDERED_ACCENTS, key)}{END_OF_KEY}{name}"


def divide(text: str) -> str:
    """Return a text with soft hyphens in its long capitalised words."""
    return _LONG_WORD.sub(lambda word: _BORDER.sub(SOFT_HYPHEN, word[0]), text)
