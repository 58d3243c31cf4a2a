"""People in a pasted list: one on each line, as `Name <address>` or in cells, maybe with a role last."""

import re
from email.utils import parseaddr
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import override

from programme.backoffice.roles import LABELS, Role
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
    # Where it is another than that of all: the line ends with it.
    role: str = ""

    @property
    def role_label(self) -> str:
        return str(LABELS[Role(self.role)]) if self.role else ""

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
    line, role = _take_role(line)
    # Commas separate where nothing else does: names have some.
    separator = r"[\t;]" if re.search(r"[\t;<]", line) else ","
    cells = [cell for cell in map(clean_line, re.split(separator, line)) if cell]
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
    return _check(row._replace(first_name=first, last_name=last, email=email.lower(), role=role))


def _take_role(line: str) -> tuple[str, str]:
    """Return the line without the role at its end, in any language, and the role; '' if there is none."""
    *rest, last = re.split(r"[\t;,]", line.rstrip("\t;, \r\n"))
    role = name_roles().get(clean_line(last).casefold(), "")
    return (line[: line.rindex(last)].rstrip("\t;, "), role) if rest and role else (line, "")


@cache
def name_roles() -> dict[str, str]:
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            found |= {str(label).casefold(): role.value for role, label in LABELS.items()}
    return found


def _check(row: Row) -> Row:
    user = User(username=row.email, email=row.email, first_name=row.first_name, last_name=row.last_name)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        return row._replace(error=error.messages[-1])
    return row
