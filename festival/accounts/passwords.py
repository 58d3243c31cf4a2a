"""The hasher and the validator of passwords."""

import re
from threading import RLock
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from zxcvbn import zxcvbn

from festival.accounts import log
from programme.models import Festival

# The highest of zxcvbn's scores: more than 10^10 guesses.
NEEDED = 4
# The characters that are checked: longer passwords are hard to guess, and estimating is slow.
CONSIDERED = 40
# Words of Swedish passwords; zxcvbn has only English words and names.
SWEDISH = """
    vinter vår sommar sommaren höst jul julen påsk midsommar januari februari augusti oktober måndag tisdag
    onsdag torsdag fredag lördag söndag lösenord lösen hemligt välkommen inloggning användare redaktör hejhej
    hejsan tjena festivalen programmet konserten scenen musiken kulturnatten teatern staden sverige stockholm
    göteborg malmö uppsala älskling hjärta katten hunden
"""

# Verifying a password encodes it.
_turn = RLock()


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id with OWASP's first recommendation: 19 MiB, two passes, one thread; 45 ms on two 2020s cores.

    Django's default takes 100 MiB and eight threads, which would slow readers on the same machine. Hashes are
    computed one at a time, so that a flood of sign-ins takes at most one processor.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _turn:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _turn:
            return super().verify(password, encoded)


class NotGuessableValidator:
    """Refuses passwords made of common words, years, rows of keys, or names of user and festival."""

    def validate(self, password: str, user: Any = None) -> None:
        known = [*find_names(user), *SWEDISH.split()]
        if zxcvbn(password[:CONSIDERED], user_inputs=known)["score"] < NEEDED:
            message = _(
                "This password is easy to guess: it is made of common words, names, years or rows of keys."
            )
            raise ValidationError(message, code="password_guessable")

    def password_changed(self, password: str, user: Any) -> None:  # noqa: ARG002 - Django's hook
        """Log the change: Django calls only validators, and not when it updates a hash."""
        log.record(gettext_noop("password set"), user)

    def get_help_text(self) -> str:
        return _("Best are three or four words that have nothing to do with each other or with the festival.")


def find_names(user: Any) -> list[str]:
    """Return the words of the user's names and address, and of the festival's name."""
    texts = [text for names in Festival.objects.values_list("name_sv", "name_en") for text in names]
    texts += [str(getattr(user, name, "") or "") for name in ("username", "first_name", "last_name", "email")]
    return [word for text in texts for word in re.split(r"[\W_\d]+", text.casefold()) if word]
