"""People in a pasted list: names and e-mail addresses in the forms that mail programs and sheets have."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from programme.models.cleaning import clean_line

# Rows that are read at most: a whole address book was pasted by mistake.
MOST = 200
# Django's users have names so long at most.
LONGEST = 150

# An address, begun only where it can begin: a long line is searched once. Apostrophes stand in or around it.
_PART = r"[^\s<>()\[\]\",;:@]"
_ADDRESS = re.compile(rf"(?<!{_PART})(?:mailto:)?({_PART}+@(?:{_PART}|@)*)", re.IGNORECASE)
# What stands around names and addresses.
_AROUND = " \t,;:<>()[]\"'“”’|\u00a0\u200b"
# What is pasted from pages of the web has between its letters.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# Usernames allow letters, digits and these.
_USERNAME = re.compile(r"[\w.@+-]+")
# What a row of headings has, and what may stand before an address.
_HEADINGS = {"namn", "förnamn", "efternamn", "e-post", "epost", "e-postadress", "mejl", "telefon"}
_HEADINGS |= {"name", "first name", "last name", "email", "e-mail", "mail", "email address", "e-mail address"}


class Row(NamedTuple):
    """Somebody in the list, or why a line names nobody."""

    line: int
    text: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    error: str = ""

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


def read_people(text: str) -> list[Row]:
    """Return a row for each person, in order: once who is there twice, with an error if under two names."""
    rows: list[Row] = []
    known: dict[str, Row] = {}
    for row in _read_lines(_INVISIBLE.sub("", text)):
        first = known.setdefault(row.email, row) if row.email else row
        if first is row:
            rows.append(row)
        elif row.name not in ("", first.name):
            message = _("This address is in line {line} already.").format(line=first.line)
            rows.append(row._replace(error=row.error or message))
    return rows


def _read_lines(text: str) -> Iterator[Row]:
    is_first = True
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not (is_first and _is_heading(line)):
            yield from _read_line(number, line)
        is_first = is_first and not line.strip()


def _is_heading(line: str) -> bool:
    cells = {cell.strip(_AROUND).casefold() for cell in re.split(r"[\t;,]", line)}
    return "@" not in line and bool(cells & _HEADINGS)


def _read_line(number: int, line: str) -> Iterator[Row]:
    shown = clean_line(line)
    found = list(_ADDRESS.finditer(line))
    if not found:
        yield Row(number, shown, error=_("There is no e-mail address in this line."))
    elif len(found) > 1 and "\t" in line:
        yield Row(number, shown, error=_("There are several e-mail addresses in this row. Keep one."))
    elif len(found) == 1:
        yield _read_person(number, shown, line[: found[0].start()], found[0][1], line[found[0].end() :])
    else:
        # Mail programs join people on one line.
        starts = [0, *(each.end() for each in found[:-1])]
        for start, address in zip(starts, found, strict=True):
            yield _read_person(number, shown, line[start : address.start()], address[1], "")


def _read_person(number: int, shown: str, before: str, address: str, after: str) -> Row:
    email = address.strip(".'").lower()
    first_name, last_name = _read_name(before, after)
    row = Row(number, shown, first_name, last_name, email)
    if not _is_address(email):
        return row._replace(error=_("“{address}” is not an e-mail address.").format(address=email))
    if not _USERNAME.fullmatch(email):
        message = _("“{address}” cannot be a username. Ask an administrator to add the account.")
        return row._replace(error=message.format(address=email))
    if max(len(first_name), len(last_name)) > LONGEST:
        return row._replace(error=_("The name is too long."))
    return row


def _is_address(email: str) -> bool:
    try:
        validate_email(email)
    except ValidationError:
        return False
    return len(email) <= LONGEST


def _read_name(before: str, after: str) -> tuple[str, str]:
    """Return the first and the last name that stand before an address, or else after it."""
    is_bracketed = before.rstrip().endswith(("<", "(", "["))
    names = _find_names(before)
    if not names:
        names = _find_names(after)
        # In a sheet, what follows a whole name is something else.
        names = names[:1] if names and " " in names[0] else names
    if len(names) > 1:
        return names[0], names[1]
    last, comma, first = "".join(names).partition(",")
    if comma and is_bracketed and "," not in first:
        return first.strip(), last.strip()
    first, _space, last = "".join(names).replace(",", " ").partition(" ")
    return first, " ".join(last.split())


def _find_names(text: str) -> list[str]:
    """Return the cells that may be names: not empty, no telephone number, no label."""
    # A comment in parentheses is no part of a name.
    cells = re.split(r"[\t;]", re.sub(r"\([^()]*\)", " ", text))
    names = (clean_line(cell).strip(_AROUND) for cell in cells)
    return [name for name in names if re.search(r"[^\W\d_]", name) and name.casefold() not in _HEADINGS]
