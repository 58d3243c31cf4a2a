"""The filled cells of a sheet of a workbook, of any format, as values."""

from typing import Any, NamedTuple, NoReturn

from django.conf import settings
from django.utils.translation import gettext as _

from programme.exchange.values import UnreadableFileError

# From the first row of the sheet on, empty ones too.
Rows = list[list[Any]]
# The first and last column and the last row of merged cells, by their first row.
Merged = dict[int, list[tuple[int, int, int]]]


class FilledSheet(NamedTuple):
    name: str
    hidden: bool
    rows: Rows
    merged: Merged


def refuse_row() -> NoReturn:
    message = _("it has more than %(most)s rows: divide it into several files")
    raise UnreadableFileError(message % {"most": settings.IMPORT_ROWS})
