"""Fills cells of a workbook that are merged over several rows: only the first of them holds the text."""

from collections.abc import Iterable, Iterator

# The column and the last row of merged cells, by their first row.
Merged = dict[int, list[tuple[int, int]]]


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
