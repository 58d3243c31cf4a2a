"""Word by word diff of two texts."""

import difflib
import re
from typing import NamedTuple

from django.utils.translation import gettext as _

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
# Longer texts are shown without marks: comparing takes the product of their lengths.
_LONGEST = 4000


class TextPart(NamedTuple):
    """A part of a text, `new` where the text before did not have it."""

    text: str
    new: bool


def empty_text() -> str:
    return _("(empty)")


def diff_words(before: str, after: str) -> list[TextPart]:
    """Split a text into parts, of whole words, those marked that it did not have before."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if not before or before == empty_text() or len(old) > _LONGEST or len(new) > _LONGEST:
        return [TextPart(after, new=False)]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 1 / 2:
        return [TextPart(after, new=False)]
    return [
        TextPart("".join(new[begin:end]), new=kind != "equal")
        for kind, _from, _to, begin, end in matcher.get_opcodes()
        if end > begin
    ]
