"""Fills cells of a workbook that are merged over several rows: only the first of them holds the text."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import IO

from openpyxl.utils import column_index_from_string

# They stand behind the rows; no workbook of an office has more of them than these blocks hold.
_BLOCK, _BLOCKS = 65_536, 64
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="\$?([A-Z]{1,3})\$?(\d{1,7}):\$?[A-Z]{1,3}\$?(\d{1,7})"')

# The column and the last row of merged cells, by their first row.
Merged = dict[int, list[tuple[int, int]]]


def find_merged(source: IO[bytes]) -> Merged:
    """Return the merged cells of a sheet's part that reach over several rows."""
    end = b"".join(deque(iter(lambda: source.read(_BLOCK), b""), _BLOCKS))
    found: Merged = {}
    for column, first, last in _MERGED.findall(end):
        if int(first) < int(last):
            found.setdefault(int(first), []).append(
                (column_index_from_string(column.decode()) - 1, int(last))
            )
    return found


def fill_merged(rows: Iterable[list[str]], merged: Merged) -> Iterator[list[str]]:
    """Yield rows with the text of merged cells in each row that has any other."""
    open_cells: dict[int, tuple[str, int]] = {}
    for number, row in enumerate(rows, 1):
        if any(row):
            for column, (text, last) in open_cells.items():
                if number <= last and column < len(row):
                    row[column] = row[column] or text
        for column, last in merged.get(number, ()):
            if column < len(row):
                open_cells[column] = (row[column], last)
        yield row
