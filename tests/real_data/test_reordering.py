"""Files are written in another order with all that is in them."""

import io
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from tests.real_data.reordering import ORDERS, reorder

TITLES = ("Te", "Tal", "Jazz")
# Of each kind the beginning, the parts and the end.
FILES = {
    ".csv": ("Titel;Plats\r\n", ["Te;Bio\r\n;Café\r\n", "Tal;Adlon\r\n", "Jazz;Bio\r\n"], ""),
    ".ics": ("BEGIN:VCALENDAR\n", [f"BEGIN:VEVENT\nSUMMARY:{each}\nEND:VEVENT\n" for each in TITLES], "END:VCALENDAR\n"),
    ".xml": ("<day><room>", [f"<event><title>{each}</title></event>" for each in TITLES], "</room></day>"),
}  # fmt: skip


@pytest.mark.parametrize("ending", FILES)
def test_a_file_is_written_in_another_order(tmp_path: Path, ending: str):
    before, parts, after = FILES[ending]
    path = tmp_path / f"file{ending}"
    path.write_text(before + "".join(parts) + after, newline="")
    found = reorder(path, lambda parts: parts[::-1])
    assert found is not None
    assert found.decode().rpartition("?>\n")[2] == before + "".join(reversed(parts)) + after


def test_entries_of_json_are_sorted(tmp_path: Path):
    path = tmp_path / "file.json"
    path.write_text('{"days": [1, 0], "room": [{"title": "Te"}, {"title": "Tal"}]}')
    found = reorder(path, ORDERS["sorted by another column"])
    assert found == b'{"days": [1, 0], "room": [{"title": "Tal"}, {"title": "Te"}]}'


def test_rows_of_a_workbook_are_sorted_by_place_below_their_headings(tmp_path: Path):
    book, path = Workbook(), tmp_path / "file.xlsx"
    rows = [("Program", None), ("Titel", "Plats"), ("Te", "Bio"), (None, "Café"), ("Tal", "Adlon")]
    for row in rows:
        book.active.append(row)
    book.save(path)
    found = reorder(path, ORDERS["sorted by another column"])
    assert found is not None
    assert list(load_workbook(io.BytesIO(found)).active.values) == [*rows[:2], rows[4], *rows[2:4]]


def test_nothing_is_written_of_another_kind(tmp_path: Path):
    path = tmp_path / "file.zip"
    path.write_bytes(b"PK")
    assert reorder(path, ORDERS["shuffled"]) is None
