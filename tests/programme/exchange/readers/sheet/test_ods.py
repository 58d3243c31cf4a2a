"""OpenDocument spreadsheets are read like workbooks of Excel."""

import datetime as dt

import pytest

from programme.exchange.readers.sheet.tables import Table, read_tables
from programme.exchange.values import UnreadableFileError
from tests.programme.exchange.opendocument import write_ods
from tests.programme.exchange.workbooks import NOTES, SCENES, build_day, write_workbook


def test_a_document_is_read_as_a_workbook_is() -> None:
    cells = [
        ["Titel", "Text", "Antal", "Ja"],
        ["Jazz & sång", "rad 1\nrad 2", 12, True],
        [],
        ["Längd", dt.datetime.fromisoformat("2026-09-12T18:30"), 1.5, False],
    ]
    sheets = {"Fredag": build_day(0), "Scener": SCENES, "Dold": NOTES, "Övrigt": cells, "Tom": []}
    assert read_tables(write_ods(sheets, "Dold")) == read_tables(write_workbook(sheets, "Dold"))


def test_merged_cells_are_in_each_of_their_rows() -> None:
    lines = [["Datum", "Titel"], [dt.date(2026, 9, 12), "Jazz"], [None, "Rock"]]
    [table] = read_tables(write_ods({"Program": lines}, spans={("Program", 1, 0): 2}))
    expected = [("Datum", "Titel"), ("2026-09-12", "Jazz"), ("2026-09-12", "Rock")]
    assert [row.cells for row in table.rows] == expected
    assert table.merged == ((2, 0, 3, 0),)


def test_repeated_rows_and_cells_are_as_many() -> None:
    repeated = (
        '<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"'
        ' office:value-type="float" office:value="7"/></table:table-row>'
    )
    [table] = read_tables(write_ods({"A": [["Titel"]]}, rows=repeated))
    expected = [(1, ("Titel",)), (2, ("7", "7")), (3, ("7", "7"))]
    assert [(row.number, row.cells) for row in table.rows] == expected


@pytest.mark.parametrize(
    ("times", "reason"),
    [
        (1_000_000, "no spreadsheet|far too large"),
        (99_999_999_999, "no spreadsheet|far too large"),
        (5_000, "far too large"),
    ],
)
def test_a_document_that_would_fill_the_memory_is_refused(times: int, reason: str) -> None:
    row = f'table:number-rows-repeated="{times}"'
    cell = (
        '<table:table-cell table:number-columns-repeated="16000" office:value-type="float" office:value="7"/>'
    )
    with pytest.raises(UnreadableFileError, match=reason):
        read_tables(write_ods({"A": []}, rows=f"<table:table-row {row}>{cell}</table:table-row>"))


def test_a_damaged_document_is_refused() -> None:
    with pytest.raises(UnreadableFileError, match="cut off or damaged"):
        read_tables(write_ods({"A": [["x"]]})[:400])
    broken = write_ods(
        {"A": []}, rows='<table:table-row table:number-rows-repeated="many"></table:table-row>'
    )
    with pytest.raises(UnreadableFileError, match="no spreadsheet that can be read"):
        read_tables(broken)


def test_an_empty_document_has_no_rows() -> None:
    assert read_tables(write_ods({"Tom": []})) == [Table((), "Tom")]


def test_hidden_rows_and_columns_and_struck_texts_are_marked():
    cell = '<table:table-cell{} office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    struck, other = cell.format(' table:style-name="ce9"', "Struken"), cell.format("", "Gage")
    rows = (
        '<style:style style:name="ce9"><style:text-properties style:text-line-through-style="solid"/></style:style>'
        '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
        f'<table:table-row table:visibility="filter">{cell.format("", "Dold")}</table:table-row>'
        f"<table:table-row>{struck}{cell.format('', 'Scen')}{other}</table:table-row>"
    )
    [table] = read_tables(write_ods({"Program": [["Titel", "Plats"]]}, rows=rows))
    assert [(row.number, row.cells, row.struck) for row in table.rows] == [
        (1, ("Titel", "Plats"), ()),
        (3, ("Struken", "Scen"), (0,)),
    ]
    assert table.left_out == ((2,), (2,))
