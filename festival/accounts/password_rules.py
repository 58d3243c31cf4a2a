"""Rules for passwords, for people who write `sommar26` unless somebody tells them what to write instead."""

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from zxcvbn import zxcvbn

# The highest of zxcvbn's scores: more than 10^10 guesses.
NEEDED = 4
# Beyond this many characters nobody guesses, and estimating takes time.
CONSIDERED = 40
# zxcvbn has English words and names; these are what Swedish passwords are made of.
SWEDISH = """
    vinter vår sommar sommaren höst jul julen påsk midsommar januari februari augusti oktober måndag tisdag
    onsdag torsdag fredag lördag söndag lösenord lösen hemligt välkommen inloggning användare redaktör hejhej
    hejsan tjena festivalen programmet konserten scenen musiken kulturnatten teatern staden sverige stockholm
    göteborg malmö uppsala älskling hjärta katten hunden
"""


class NotGuessableValidator:
    """Refuse what is made of known words, years, rows of keys and names of the user and the festival."""

    def validate(self, password: str, user: Any = None) -> None:
        known = [*find_names(user), *SWEDISH.split()]
        if zxcvbn(password[:CONSIDERED], user_inputs=known)["score"] < NEEDED:
            message = _(
                "This password is easy to guess: it is made of common words, names, years or rows of keys."
            )
            raise ValidationError(message, code="password_guessable")

    def password_changed(self, password: str, user: Any) -> None:  # noqa: ARG002 - Django's hook
        """Log it and unlock the account: Django tells validators alone, and not when it renews a hash."""
        from festival.accounts import limits, log, models  # noqa: PLC0415 - imported before models are

        # Not its second step: whoever reads the mail would guess codes again after each link.
        limits.unlock_password(user)
        log.record(models.Kind.PASSWORD, user)

    def get_help_text(self) -> str:
        return _("Best are three or four words that have nothing to do with each other or with the festival.")


def find_names(user: Any) -> list[str]:
    """Return the words of the user's names and address, and of the festival's name."""
    from programme.models import Festival  # noqa: PLC0415 - the same

    texts = [text for names in Festival.objects.values_list("name_sv", "name_en") for text in names]
    texts += [str(getattr(user, name, "") or "") for name in ("username", "first_name", "last_name", "email")]
    return [word for text in texts for word in re.split(r"[\W_\d]+", text.casefold()) if word]
