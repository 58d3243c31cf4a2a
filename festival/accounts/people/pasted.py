"""People in a pasted list: names and e-mail addresses in the forms that mail programs and sheets have."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from programme.models.cleaning import clean_line

# Rows that are read at most: a whole address book was pasted by mistake.
MOST = 200

_ADDRESS = re.compile(r"(?<![^\s<>()\[\]\",;:])[^\s<>()\[\]\",;:@]+@[^\s<>()\[\]\",;:]*")
# What stands around names.
_AROUND = " \t,;:<>()[]\"'“”’|\u00a0"
# What is pasted from pages of the web has between its letters.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# What is no name: a comment in parentheses, and what may stand before an address.
_COMMENT = re.compile(r"\([^()]*\)|\bmailto:|\be-?(post|mail)(adress| address)?:", re.IGNORECASE)
# What a row of headings has.
_HEADING = re.compile(r"namn|name|e-?post|e-?mail|mejl", re.IGNORECASE)


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
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and "@" not in lines[0][1] and _HEADING.search(lines[0][1]):
        del lines[0]
    rows = [row for number, line in lines for row in _read_line(number, _INVISIBLE.sub("", line))]
    # By its line if it names nobody; the first one stays.
    return list({row.email or str(row.line): row for row in reversed(rows)}.values())[::-1]


def _read_line(number: int, line: str) -> Iterator[Row]:
    shown = clean_line(line)
    line = _COMMENT.sub(" ", line)
    found = list(_ADDRESS.finditer(line))
    if not found:
        yield Row(number, shown, error=_("There is no e-mail address in this line."))
    elif len(found) > 1 and "\t" in line:
        yield Row(number, shown, error=_("There are several e-mail addresses in this row. Keep one."))
    # Mail programs join people on one line.
    for address, start in zip(found, [0, *(each.end() for each in found)], strict=False):
        after = line[address.end() :] if len(found) == 1 else ""
        if len(found) == 1 or "\t" not in line:
            yield _build_row(number, shown, address[0], _read_name(line[start : address.start()], after))


def _build_row(number: int, shown: str, address: str, name: tuple[str, str]) -> Row:
    row = Row(number, shown, *name, address.strip(".'").lower())
    user = User(username=row.email, email=row.email, first_name=row.first_name, last_name=row.last_name)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        return row._replace(error=error.messages[-1])
    return row


def _read_name(before: str, after: str) -> tuple[str, str]:
    """Return the first and the last name that stand before an address, or else after it."""
    names = _find_names(before)
    if not names:
        names = _find_names(after)
        # In a sheet, what follows a whole name is something else.
        names = names[:1] if names and " " in names[0] else names
    if len(names) > 1:
        return names[0], names[1]
    last, comma, first = "".join(names).partition(",")
    if comma and before.rstrip().endswith(("<", "(", "[")):
        return first.strip(), last.strip()
    first, _space, last = "".join(names).replace(",", " ").partition(" ")
    return first, " ".join(last.split())


def _find_names(text: str) -> list[str]:
    """Return the cells that may be names: not empty, and no telephone number."""
    names = (clean_line(cell).strip(_AROUND) for cell in re.split(r"[\t;]", text))
    return [name for name in names if re.search(r"[^\W\d_]", name)]
