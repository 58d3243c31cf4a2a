"""People in a pasted list: one on each line, as `Name <address>` or in cells of a sheet."""

import re
from email.utils import parseaddr
from typing import NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from programme.models.cleaning import clean_line

# Rows that are read at most: a whole address book was pasted by mistake.
MOST = 200


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
    """Return a row for each person and for each line that names nobody, in order: once who is there twice."""
    rows: dict[str, Row] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if shown := clean_line(line):
            row = _read_line(Row(number, shown), line)
            # By its line if it names nobody; the first one stays.
            rows.setdefault(row.email or str(number), row)
    return list(rows.values())


def _read_line(row: Row, line: str) -> Row:
    """Return the row with a person: the name stands with the address, in cells before it, or in the next."""
    if line.count("@") > 1:
        return row._replace(error=_("There are several e-mail addresses in this row. Keep one."))
    cells = [cell for cell in map(clean_line, re.split(r"[\t;]", line)) if cell]
    at = next((number for number, cell in enumerate(cells) if "@" in cell), 0)
    # As mail programs write it: `Berg, Kim <kim@example.org>`, `<mailto:kim@example.org>`.
    before, bracket, address = cells[at].partition("<") if cells else ("", "", "")
    name = before.strip("\"' ") if bracket else ""
    email = address.removeprefix("mailto:").rstrip("> ") if bracket else parseaddr(before)[1]
    # What has a blank in it would be joined.
    if "@" not in email or email not in cells[at]:
        return row._replace(error=_("There is no e-mail address in this line."))
    last, comma, first = (name or " ".join(cells[:at] or cells[1:2])).partition(",")
    first, _space, last = (f"{first} {last}" if comma else last).strip().partition(" ")
    return _check(row._replace(first_name=first, last_name=last, email=email.lower()))


def _check(row: Row) -> Row:
    user = User(username=row.email, email=row.email, first_name=row.first_name, last_name=row.last_name)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        return row._replace(error=error.messages[-1])
    return row
