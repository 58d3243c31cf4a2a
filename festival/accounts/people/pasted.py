"""People in a pasted list: one on each line, as `Name <address>` or in cells."""

import re
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from programme.models.cleaning import clean_line

# The most rows; more are probably a mistake, such as a whole address book.
MOST = 200
ADDRESS = re.compile(r"[^\s<>;,:\"]+@[^\s<>;,\"]+")


def read_people(text: str) -> Sequence[User]:
    """Return the people as unsaved users, without duplicates; raise ValidationError with all errors."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if clean_line(line)]
    if len(lines) > MOST:
        message = _("These are {count} rows. Invite at most {most} at a time.")
        raise ValidationError(message.format(count=len(lines), most=MOST))
    named = User.objects.values_list("username", "email")
    taken = {name.lower() for names in named for name in names}
    people: dict[str, User] = {}
    errors = []
    for number, line in lines:
        try:
            user = _read_person(line, taken)
        except ValidationError as error:
            errors.append(_("Line {number}: {error}").format(number=number, error=error.messages[-1]))
        else:
            people.setdefault(user.email, user)
    if errors:
        raise ValidationError(errors)
    return [*people.values()]


def _read_person(line: str, taken: set[str]) -> User:
    addresses = ADDRESS.findall(line)
    if len(addresses) != 1:
        raise ValidationError(_("Write one e-mail address in each line."))
    email = addresses[0].lower()
    if email in taken:
        raise ValidationError(_("There is an account with this address already. Extend it if it has ended."))
    first, last = _read_name(*line.split(addresses[0], 1))
    user = User(username=email, email=email, first_name=first, last_name=last, is_staff=True)
    user.clean_fields(exclude=["password"])
    return user


def _read_name(before: str, after: str) -> tuple[str, str]:
    """Return first and last name from the text before the address, or from the cell after it."""
    # Where the address has brackets, a comma is part of the name: `Berg, Anna <anna@example.org>`.
    separators = r"[\t;<\"']|mailto:" if "<" in before else r"[\t;,\"']"
    name = clean_line(re.sub(separators, " ", before))
    name = name or next(filter(None, map(clean_line, re.split(r"[\t;,>]", after))), "")
    last, comma, first = name.partition(",")
    first, _space, last = (f"{first} {last}" if comma else name).strip().partition(" ")
    return first, last
