"""What was said of a text of a cell holds for the rows that have it, wherever they are, until the file says otherwise."""

from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.readers.sheet.corrections import EMPTY, correct_rows
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


def say(rows: list[tuple[str, ...]], place: int, **texts: str) -> dict[str, str]:
    """Return what is said of the cells of one of the rows of a file alone."""
    cell = correct_rows(build_rows(*rows), {})[1][place]
    return {cell.key(field): text for field, text in texts.items()}


def read(rows: list[tuple[str, ...]], said: dict[str, str]) -> list[tuple[str, ...]]:
    return [tuple(row.texts.values()) for row in correct_rows(build_rows(*rows), said)[0]]


FILM = ("", "Film", "igår", "19", "Bio", "")
TALK = ("", "Tal", "2026-09-12", "kväll", "Bio", "")
AGAIN = ("", "Film", "igår", "21", "Bio", "")


@given(rows=ROWS, data=st.data())
def test_the_order_of_rows_says_nothing(rows, data):
    chosen = data.draw(st.sampled_from(range(len(rows))))
    said = say(rows, chosen, day="day", price="0")
    expected = dict(zip(rows, read(rows, said), strict=True))
    assert expected[rows[chosen]] == (*rows[chosen][:2], "day", *rows[chosen][3:5], "0")
    order = data.draw(st.permutations(rows))
    assert read(order, said) == [expected[row] for row in order]


def test_a_value_is_said_for_all_rows_that_have_it_or_for_one():
    said = {"value:day:igår": "2026-09-13"}
    assert [row[2] for row in read([FILM, TALK, AGAIN], said)] == ["2026-09-13", "2026-09-12", "2026-09-13"]
    said |= say([FILM, TALK, AGAIN], 2, day="2026-09-14", start=EMPTY)
    expected = [("2026-09-12", "kväll"), ("2026-09-14", ""), ("2026-09-13", "19")]
    assert [row[2:4] for row in read([TALK, AGAIN, FILM], said)] == expected


def test_only_the_row_of_which_it_was_said_is_corrected():
    said = say([FILM, AGAIN, TALK], 0, day="2026-09-13")
    assert read([AGAIN, TALK], said) == [AGAIN, TALK]
    # Its other cells may change, and rows come before it.
    newer = (*FILM[:5], "80 kr")
    assert read([TALK, AGAIN, newer], said)[2] == ("", "Film", "2026-09-13", "19", "Bio", "80 kr")


def test_the_only_row_of_its_title_is_found_at_another_time_and_place():
    moved = ("", "Film", "igår", "23", "Teatern", "")
    assert read([moved, TALK], say([FILM, TALK], 0, day="2026-09-13"))[0][2] == "2026-09-13"


def test_the_same_id_is_the_same_row_whatever_it_is_called():
    rows = [("1", "Film", "igår", "19", "", ""), ("2", "Film", "igår", "19", "", "")]
    newer = [("2", "Film", "igår", "19", "", ""), ("1", "Ny film", "igår", "20", "", "")]
    assert read(newer, say(rows, 0, day="2026-09-13")) == [
        newer[0],
        ("1", "Ny film", "2026-09-13", "20", "", ""),
    ]


def test_the_file_itself_says_otherwise():
    said = say([FILM, TALK], 0, day="2026-09-13", price="80 kr")
    newer = ("", "Film", "2026-09-14", "19", "Bio", "")
    assert read([newer, TALK], said)[0] == (*newer[:5], "80 kr")


def test_a_missing_title_is_known_by_time_and_place_alone():
    untitled = ("", "", "2026-09-12", "19", "Bio", "")
    said = say([untitled, TALK], 0, title="Film", price="0")
    assert read([TALK, untitled], said)[0] == TALK
    assert read([untitled], said) == [("", "Film", "2026-09-12", "19", "Bio", "0")]
    other = ("", "", "2026-09-13", "19", "Bio", "")
    assert read([other], said) == [other]
