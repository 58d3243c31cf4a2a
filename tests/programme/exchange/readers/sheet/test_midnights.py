"""In a workbook's columns of dates with times a date alone is its midnight."""

from datetime import datetime

from programme.exchange.readers.sheet.tables import read_tables
from tests.programme.exchange.workbooks import build_book, save

moment = datetime.fromisoformat


def read_columns(*columns: list[object]) -> list[tuple[str, ...]]:
    content = save(build_book(*zip(*columns, strict=True)))
    return list(zip(*(row.cells for row in read_tables(content)[0].rows), strict=True))


def test_midnights_among_times_are_times():
    ends = ["Slut", moment("2026-07-28 23:00"), moment("2026-07-28 22:00"), moment("2026-07-29")]
    assert read_columns(ends) == [
        ("Slut", "2026-07-28 23:00:00", "2026-07-28 22:00:00", "2026-07-29 00:00:00")
    ]


def test_dates_alone_stay_dates():
    days = ["Dag", moment("2026-07-28"), moment("2026-07-29"), moment("2026-07-30 19:00")]
    texts = ["Text", "2026-07-28", "2026-07-28 19:00:00", "2026-07-29"]
    assert read_columns(days, texts) == [
        ("Dag", "2026-07-28", "2026-07-29", "2026-07-30 19:00:00"),
        tuple(texts),
    ]
