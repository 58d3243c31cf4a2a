"""Says, before a sheet is written, in what it would exceed the limits of the import."""

import io
import zipfile
from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from programme.exchange.exports.rows import Row
from programme.exchange.readers.sheet.bombs import limit_unpacked
from programme.exchange.readers.sheet.tables import is_xlsx

# A sheet is estimated from so many of its events, spread evenly; a smaller one is measured.
SAMPLE = 200
# How far an estimate may be wrong.
_MARGIN = 1.2


class SheetSize(NamedTuple):
    """How large a sheet may be at most: rows, filled cells, and bytes of the file, packed and unpacked."""

    rows: int
    cells: float
    packed: float
    unpacked: float


def estimate_size(rows: int, sample: list[Row], content: bytes) -> SheetSize:
    """Return the size of a sheet with so many rows, of which the sample was written as a file."""
    share = 1 if len(sample) == rows else rows / len(sample) * _MARGIN
    cells = sum(cell != "" for row in sample for cell in row)
    measured = cells, len(content), _measure_unpacked(content)
    return SheetSize(rows, *(each * share for each in measured))


def _measure_unpacked(content: bytes) -> int:
    if not is_xlsx(content, ""):
        return 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return sum(entry.file_size for entry in archive.infolist())


def describe_excess(size: SheetSize) -> list[str]:
    """Return a sentence for each limit of the import that a sheet exceeds, or may exceed, and what to do."""
    found = list(_describe(size))
    if found:
        found.append(_("If the file is to be imported again, export fewer events at a time."))
    return found


def _describe(size: SheetSize) -> Iterator[str]:
    if size.rows > settings.IMPORT_ROWS:
        message = _("The file has %(rows)s rows, and the import reads at most %(most)s.")
        yield message % {"rows": _format(size.rows), "most": _format(settings.IMPORT_ROWS)}
    if size.cells > settings.IMPORT_CELLS:
        message = _("The file may have more than %(most)s filled cells, the most that the import reads.")
        yield message % {"most": _format(settings.IMPORT_CELLS)}
    if size.packed > settings.IMPORT_MB * 1024 * 1024:
        message = _("The file may be larger than %(most)s MB, the most that the import reads.")
        yield message % {"most": settings.IMPORT_MB}
    most = limit_unpacked(int(size.packed))
    if size.unpacked > most:
        message = _("Unpacked, the file may be larger than %(most)s MB, the most that the import reads.")
        yield message % {"most": most // 1_000_000}


def _format(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)
