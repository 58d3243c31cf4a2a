import contextlib
import datetime as dt
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from feeds.columns import defuse_formula, restore_formula
from programme.exchange.readers.sheet.tables import Table, TableRow, is_csv, is_workbook, read_tables
from programme.exchange.time_limit import TimeLimit, limit_time
from programme.exchange.values import UnreadableFileError
from tests.programme.exchange.workbooks import build_book, save, write_workbook

# Workbooks know no zones.
AT_HALF_PAST = dt.datetime(2026, 9, 12, 19, 30)  # noqa: DTZ001
ROWS = Table((TableRow(1, ("Titel", "Område")), TableRow(3, ("Ädla råttor", "“Ö” – 5 €"))))


def read_table(content: bytes) -> Table:
    """Return the only sheet of a file, without its name."""
    [table] = read_tables(content)
    return Table(table.rows)


def workbook(*rows: list[object]) -> bytes:
    return write_workbook({"Sheet": rows})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_csv_in_all_that_offices_write(encoding, separator, line_end):
    lines = [f"Titel{separator}Område", separator, f"Ädla råttor{separator}“Ö” – 5 €{separator}", ""]
    assert read_table(line_end.join(lines).encode(encoding)) == ROWS


def test_line_breaks_separators_and_quotation_marks_inside_cells():
    content = b'Titel;"Text\nmed ; och """\nFest;"a\r\nb, c"\n5" skiva;"A ""x""; y"\n'
    expected = [("Titel", 'Text\nmed ; och "'), ("Fest", "a\r\nb, c"), ('5" skiva', 'A "x"; y')]
    assert [row.cells for row in read_table(content).rows] == expected


def test_excels_own_hint():
    assert read_table(b"sep=,\nA,B;C\n") == Table((TableRow(2, ("A", "B;C")),))


def test_a_workbook_is_read_as_it_would_be_typed():
    row = [
        "Fest", dt.date(2026, 9, 12), dt.time(19), AT_HALF_PAST, dt.timedelta(hours=1, minutes=5),
        7, 7.0, 7.5, True, None, "'=1+1", "=1+1", "x",
    ]  # fmt: skip
    read = (
        "Fest", "2026-09-12", "19:00", "2026-09-12 19:30:00", "1:05", "7", "7", "7.5", "ja", "", "=1+1",
        "", "x",
    )  # fmt: skip
    assert read_table(workbook([None], row)) == Table((TableRow(2, read),))


def test_cells_that_are_merged_over_rows_are_filled():
    rows = [["Bio"], [None], ["Tid", "Film"], [18.3, "Fanny"], [20.05], [None], [21, "Sv"]]
    # A row without any other text stays empty, and a cell that is merged over columns is in the first.
    assert read_table(save(build_book(*rows, merged=("A1:B2", "B4:B6", "A7:B7")))) == Table(
        (
            TableRow(1, ("Bio",)), TableRow(3, ("Tid", "Film")), TableRow(4, ("18.3", "Fanny")),
            TableRow(5, ("20.05", "Fanny")), TableRow(7, ("21",)),
        )
    )  # fmt: skip


def test_all_sheets_of_a_workbook_are_read_with_their_names():
    book = Workbook()
    book.create_sheet("Program").append(["Fest"])
    for name, state in (("Priser", "hidden"), ("Formler", "veryHidden")):
        sheet = book.create_sheet(name)
        sheet.append(["", name])
        sheet.sheet_state = state
    book.create_chartsheet("Diagram")
    assert read_tables(save(book)) == [
        Table((), "Sheet"),
        Table((TableRow(1, ("Fest",)),), "Program"),
        Table((TableRow(1, ("", "Priser")),), "Priser", hidden=True),
        Table((TableRow(1, ("", "Formler")),), "Formler", hidden=True),
    ]


def test_kinds_are_reported_by_content_and_ending():
    assert is_workbook(workbook(["x"]), ".csv")
    assert not is_csv(workbook(["x"]), ".csv")
    assert is_csv(b"x", ".csv")
    assert not is_csv(b"x", ".pdf")


def test_a_bomb_is_not_unpacked():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", bytes(10_000_000))
    with pytest.raises(UnreadableFileError, match="far too large"):
        read_table(stream.getvalue())


LAUGHS = '<!DOCTYPE x [<!ENTITY a "AAAAAAAAAA">' + "".join(
    f'<!ENTITY {chr(98 + step)} "{f"&{chr(97 + step)};" * 10}">' for step in range(8)
)
FILE = '<!DOCTYPE x [<!ENTITY i SYSTEM "file:///etc/passwd">'


@pytest.mark.parametrize("declared", [f"{LAUGHS}]>", f"{FILE}]>"])
def test_entities_of_a_workbook_are_not_expanded(declared):
    with pytest.raises(UnreadableFileError, match="no spreadsheet"):
        read_table(sheet_of(TITLE.replace("Jazz", "&i;"), declared=declared))


@pytest.mark.parametrize("length", [10, 100, 2000])
def test_a_workbook_that_is_cut_off_is_refused(length):
    with pytest.raises(UnreadableFileError, match=r"damaged|no spreadsheet"):
        read_table(workbook(["x"])[:length])


@pytest.mark.parametrize(
    ("limit", "most", "reason"),
    [
        ("IMPORT_CELLS", 7, "7 filled cells: delete the columns that are not needed"),
        ("IMPORT_ROWS", 3, "3 rows: divide it into several files"),
    ],
)
def test_more_of_anything_than_its_limit_is_refused(settings, limit, most, reason):
    rows = [["x", f"text {number}"] for number in range(4)]
    # Limits hold for all sheets together.
    sheets = write_workbook({"Lördag": rows[:2], "Söndag": rows[2:]})
    for content in (sheets, workbook(*rows), "\n".join(map(";".join, rows)).encode()):
        setattr(settings, limit, most + 1)
        assert sum(len(table.rows) for table in read_tables(content)) == 4
        setattr(settings, limit, most)
        with pytest.raises(UnreadableFileError, match=f"^it has more than {reason}$"):
            read_tables(content)


SPACE = "xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'"


@pytest.mark.parametrize(
    ("string", "text"),
    [
        ("<t>Fest</t>", "Fest"),
        ("<r><rPr><b/></rPr><t>Fe</t></r><r><t xml:space='preserve'>st i</t></r>", "Fest i"),
        ("<t>Rad_x000A_två _x005F_x_</t>", "Rad\ntvå _x_"),
    ],
)
def test_shared_strings_are_read_as_they_are_shown(string, text):
    found = read_table(sheet_of("<row><c t='s'><v>1</v></c></row>", f"<si><t>x</t></si><si>{string}</si>"))
    assert found == Table((TableRow(1, (text,)),))


@pytest.mark.parametrize("content", [b"Titel;Datum\n" * 3, workbook(["Titel", "Datum"])])
def test_the_reading_ends_when_the_time_is_over(content):
    reason = "it takes longer than -1 seconds: divide it into several files"
    with limit_time(TimeLimit(-1)), pytest.raises(UnreadableFileError, match=f"^{reason}$"):
        read_table(content)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("<c><v>7</v></c><c t='e'><v>#N/A</v></c>", "7"),
        ("<c t='d'><v>2026-09-12</v></c>", "2026-09-12"),
        ("<c t='str'><f>A1&amp;B1</f><v>Fest</v></c>", "Fest"),
        ("<c><v>1.5E3</v></c>", "1500"),
        ("<c t='inlineStr'><is><r><t>Fe</t></r><r><t>st</t></r></is></c>", "Fest"),
    ],
)
def test_every_kind_of_cell_is_read(cell, text):
    assert read_table(sheet_of(f"<row>{cell}</row>")) == Table((TableRow(1, (text,)),))


def test_cells_and_rows_may_leave_out_where_they_are():
    data = "<row><c><v>1</v></c><c><v>2</v></c></row><row r='4'><c r='C4'><v>3</v></c></row><row><c><v>4</v></c></row>"
    rows = (TableRow(1, ("1", "2")), TableRow(4, ("", "", "3")), TableRow(5, ("4",)))
    assert read_table(sheet_of(data)) == Table(rows)


@pytest.mark.parametrize("row", ["<row r='0'><c><v>1</v></c></row>", "<row><c r='?1'><v>1</v></c></row>"])
def test_places_that_no_sheet_has_are_refused(row):
    with pytest.raises(UnreadableFileError, match="no spreadsheet"):
        read_table(sheet_of(row))


def sheet_of(data: str, strings: str = "", declared: str = "") -> bytes:
    """Return a workbook whose first sheet has this content, beside shared strings, `<si>…</si>`."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(["x"]))) as old, zipfile.ZipFile(stream, "w") as new:
        for entry in old.infolist():
            text = old.read(entry).decode()
            if entry.filename.endswith("sheet1.xml"):
                text = f"{declared}<worksheet {SPACE}><sheetData>{data}</sheetData></worksheet>"
            new.writestr(entry.filename, text)
        new.writestr("xl/sharedStrings.xml", f"<sst {SPACE}>{strings}</sst>")
    return stream.getvalue()


TITLE = "<row r='1'><c r='A1' t='str'><v>Jazz</v></c></row>"


def test_formatted_empty_rows_and_cells_are_read_over(settings):
    settings.IMPORT_ROWS = settings.IMPORT_CELLS = 10
    data = TITLE + "<row>" + "<c s='0'/>" * 15 + "</row>" + "<row/>" * 100
    assert read_table(sheet_of(data)) == Table((TableRow(1, ("Jazz",)),))


@pytest.mark.parametrize(
    "content",
    [
        sheet_of(TITLE + "<row r='1048576'><c r='XFD1048576' t='str'><v>far</v></c></row>"),
        # A text of a megabyte in each of 100,000 cells.
        sheet_of(
            "<row>" + "<c t='s'><v>0</v></c>" * 100_000 + "</row>", f"<si><t>{'x' * 1_000_000}</t></si>"
        ),
    ],
)
def test_what_would_fill_the_memory_is_refused(content):
    with pytest.raises(UnreadableFileError, match="far too large unpacked"):
        read_table(content)


def test_old_workbooks_are_read_too():
    content = (Path(__file__).parent / "old.xls").read_bytes()
    rows = (
        ("Datum", "Start", "Titel", "Gratis"),
        ("2026-09-12", "18:30", "Jazz på ö", "ja"),
        ("2026-09-12", "20:00", "Rock", "nej"),
    )
    assert read_tables(content) == [
        Table(tuple(map(TableRow, (1, 2, 3), rows)), "Program", merged=((2, 0, 3, 0),)),
        Table((TableRow(2, ("", "7")),), "Gamla", hidden=True),
    ]


def test_a_binary_file_is_refused():
    with pytest.raises(UnreadableFileError, match="no text"):
        read_table(b"x\x00y")


@given(st.text(alphabet=st.sampled_from("'=+-@\t\r\n＝＋－＠ab"), max_size=8))
def test_defused_cells_are_restored_exactly(text):
    assert restore_formula(defuse_formula(text)) == text
    assert not defuse_formula(text).startswith(tuple("=+-@\t\r\n＝＋－＠"))


@given(st.binary(max_size=200))
def test_no_content_breaks_the_reader(content):
    with contextlib.suppress(UnreadableFileError):
        assert all(row.cells for row in read_table(content).rows)


def test_empty_rows_at_the_end_of_a_sheet_do_not_count():
    rows = b"Titel;Dag\nJazz;2026-07-29\n" + b"\n" * 20_005
    assert [row.cells for row in read_table(rows).rows] == [("Titel", "Dag"), ("Jazz", "2026-07-29")]
