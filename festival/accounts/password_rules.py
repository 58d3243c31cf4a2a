"""Rules for passwords, for people who write `sommar26` unless somebody tells them what to write instead."""

import re
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from festival.accounts.guessable_words import KEYBOARD_ROWS, WORDS

# Characters beside words, years and rows of keys that anybody would try.
NEEDED = 6
# Beyond this many characters nobody guesses, and comparing takes time.
CONSIDERED = 128
SHORTEST_WORD = 4
SHORTEST_ROW = 3
# Neighbours on the keyboard and in the alphabet, forwards and backwards: `qwe`, `321`.
ROWS = {
    keys[start : start + SHORTEST_ROW]
    for row in KEYBOARD_ROWS
    for keys in (row, row[::-1])
    for start in range(len(keys) - SHORTEST_ROW + 1)
}
LOOKALIKES = str.maketrans("013457@$!€", "oieastasie")
YEAR_OR_NUMBER = re.compile(r"(?:19|20)\d\d|\d{1,2}(?!\d)|(\d)\1+")
REPEATED = re.compile(r"(.+?)\1+")


class NotGuessableValidator:
    """Refuse what is made of known words, years, rows of keys and names of the user and the festival."""

    def validate(self, password: str, user: Any = None) -> None:
        if count_unguessable(password, find_names(user)) < NEEDED:
            message = _(
                "This password is easy to guess: it is made of common words, names, years or rows of keys."
            )
            raise ValidationError(message, code="password_guessable")

    def password_changed(self, password: str, user: Any) -> None:  # noqa: ARG002 - Django's hook
        """Log it and unlock the account: Django tells validators alone, and not when it renews a hash."""
        from festival.accounts import limits, log, models  # noqa: PLC0415 - the same

        # Not its second step: whoever reads the mail would guess codes again after each link.
        limits.unlock_password(user.get_username())
        log.record(models.Kind.PASSWORD, user)

    def get_help_text(self) -> str:
        return _("Best are three or four words that have nothing to do with each other or with the festival.")


def count_unguessable(password: str, names: Iterable[str]) -> int:
    """Return how many letters and digits are left without what anybody would try; repetitions count once."""
    text = password[:CONSIDERED].casefold()
    known = bytearray(len(text))
    # Digits stand for letters (`s0mm4r`) or for themselves (`1qaz`).
    for written in (text, text.translate(LOOKALIKES)):
        for word in (*names, *WORDS):
            if len(word) >= SHORTEST_WORD:
                _mark(known, written, word)
    for row in ROWS:
        _mark(known, text, row)
    for match in YEAR_OR_NUMBER.finditer(text):
        known[slice(*match.span())] = b"\1" * len(match[0])
    left = "".join(" " if is_known else letter for letter, is_known in zip(text, known, strict=True))
    return len(re.sub(r"[\W_]", "", REPEATED.sub(r"\1", left)))


def _mark(known: bytearray, text: str, word: str) -> None:
    """Mark as known wherever the word stands."""
    start = text.find(word)
    while start >= 0:
        known[start : start + len(word)] = b"\1" * len(word)
        start = text.find(word, start + 1)


def find_names(user: Any) -> list[str]:
    """Return the words of the user's names and address, and of the festival's name."""
    from programme.models import Festival  # noqa: PLC0415 - validators are also imported before models are

    texts = list(Festival.objects.values_list("name_sv", flat=True))
    texts += Festival.objects.values_list("name_en", flat=True)
    texts += [str(getattr(user, name, "") or "") for name in ("username", "first_name", "last_name", "email")]
    return [word for text in texts for word in re.split(r"[\W_\d]+", text.casefold()) if word]
