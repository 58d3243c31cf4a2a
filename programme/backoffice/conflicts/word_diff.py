"""Values of the programme as editors read them, and what of a text is other than before."""

import difflib
import re
from typing import NamedTuple

from django.utils.translation import gettext as _

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
# Longer texts are shown without marks: comparing takes the product of their lengths.
_LONGEST = 4000


class Piece(NamedTuple):
    """A part of a text: `new` is what the text before did not have there."""

    text: str
    new: bool


def nothing() -> str:
    return _("(empty)")


def pieces(before: str, after: str) -> list[Piece]:
    """Return a text in pieces, those marked that it did not have before; whole words."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if not before or before == nothing() or len(old) > _LONGEST or len(new) > _LONGEST:
        return [Piece(after, new=False)]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 1 / 2:
        return [Piece(after, new=False)]
    return [
        Piece("".join(new[begin:end]), new=kind != "equal")
        for kind, _from, _to, begin, end in matcher.get_opcodes()
        if end > begin
    ]
