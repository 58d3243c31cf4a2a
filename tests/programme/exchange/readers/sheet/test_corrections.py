"""What was corrected in a cell holds for its row, wherever it is, until the file itself says otherwise."""

from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.readers.sheet.corrections import CellRow, correct_rows
from programme.exchange.readers.sheet.rows import SheetRow

FIELDS = ("event_id", "title", "day", "start", "location", "price")
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["", "1", "2"]),
        st.sampled_from(["Film", "FILM", "Tal"]),
        st.sampled_from(["igår", "2026-09-12"]),
        st.sampled_from(["kväll", "19"]),
        st.sampled_from(["", "Bio"]),
        st.sampled_from(["", "50 kr"]),
    ),
    min_size=1,
    max_size=7,
    unique=True,
)


def build_rows(*rows: tuple[str, ...]) -> list[SheetRow]:
    return [SheetRow(n, dict(zip(FIELDS, row, strict=True))) for n, row in enumerate(rows, 2)]


def correct(rows: list[tuple[str, ...]], place: int, **texts: str) -> CellRow:
    """Return a correction of one of the rows of a file."""
    cell = correct_rows(build_rows(*rows), []).cells[place]
    return CellRow(cell.texts, texts, cell.title, cell.alone)


def read(rows: list[tuple[str, ...]], *corrections: CellRow) -> list[tuple[str, ...]]:
    return [tuple(row.texts.values()) for row in correct_rows(build_rows(*rows), corrections).rows]


FILM = ("", "Film", "igår", "19", "Bio", "")
TALK = ("", "Tal", "2026-09-12", "kväll", "Bio", "")
AGAIN = ("", "Film", "igår", "21", "Bio", "")


@given(rows=ROWS, data=st.data())
def test_the_order_of_rows_says_nothing(rows, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True))
    corrections = [correct(rows, place, day=f"day {place}", price="0") for place in chosen]
    expected = [
        (*row[:2], f"day {place}", *row[3:5], "0") if place in chosen else row
        for place, row in enumerate(rows)
    ]
    order = data.draw(st.permutations(range(len(rows))))
    moved = read([rows[place] for place in order], *data.draw(st.permutations(corrections)))
    assert moved == [expected[place] for place in order]


def test_only_the_row_that_was_corrected_is():
    correction = correct([FILM, AGAIN, TALK], 0, day="2026-09-13")
    assert read([AGAIN, TALK], correction) == [AGAIN, TALK]
    assert correct_rows(build_rows(AGAIN, TALK), [correction]).missing == (correction,)
    # Its other cells may change, and rows come before it.
    newer = (*FILM[:5], "80 kr")
    assert read([TALK, AGAIN, newer], correction)[2] == ("", "Film", "2026-09-13", "19", "Bio", "80 kr")


def test_the_only_row_of_its_title_is_found_at_another_time_and_place():
    moved = ("", "Film", "igår", "23", "Teatern", "")
    assert read([moved, TALK], correct([FILM, TALK], 0, day="2026-09-13"))[0][2] == "2026-09-13"


def test_the_same_id_is_the_same_row_whatever_it_is_called():
    rows = [("1", "Film", "igår", "19", "", ""), ("2", "Film", "igår", "19", "", "")]
    newer = [("2", "Film", "igår", "19", "", ""), ("1", "Ny film", "igår", "20", "", "")]
    assert read(newer, correct(rows, 0, day="2026-09-13")) == [
        newer[0],
        ("1", "Ny film", "2026-09-13", "20", "", ""),
    ]


def test_the_file_itself_says_otherwise():
    correction = correct([FILM, TALK], 0, day="2026-09-13", price="80 kr")
    newer = ("", "Film", "2026-09-14", "19", "Bio", "")
    found = correct_rows(build_rows(newer, TALK), [correction])
    assert found.cells[0].corrected == {"price": "80 kr"}
    assert [(row.number, field) for row, field in found.outdated] == [(2, "day")]
    # It says the same by now, which is no news.
    newer = ("", "Film", "2026-09-13", "19", "Bio", "80 kr")
    found = correct_rows(build_rows(newer), [correction])
    assert (found.cells[0].corrected, found.outdated, found.missing) == ({}, (), ())


def test_a_missing_title_is_known_by_time_and_place_alone():
    untitled = ("", "", "2026-09-12", "19", "Bio", "")
    correction = correct([untitled, TALK], 0, title="Film", price="0")
    assert read([TALK, untitled], correction)[0] == TALK
    assert read([untitled], correction) == [("", "Film", "2026-09-12", "19", "Bio", "0")]
    other = ("", "", "2026-09-13", "19", "Bio", "")
    assert read([other], correction) == [other]
    # With its title it is the same row.
    titled = ("", "Film", "2026-09-12", "19", "Bio", "")
    assert read([titled], correction) == [(*titled[:5], "0")]
