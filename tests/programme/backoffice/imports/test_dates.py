"""Dates that leave something open: the preview and the command ask once, warn once, and import what is said."""

import io
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import override
from openpyxl import Workbook

from programme.models import Day, Occasion
from programme.models.festival_time import festival_time
from tests.programme.backoffice.imports.pages import (
    apply_preview,
    build_sheet,
    messages_on,
    read_upload,
    remarks_on,
    show_preview,
)

pytestmark = pytest.mark.django_db

# As an office types it: a title above, merged days, dates without a year.
ROWS = [
    ("Höstfestivalen – arbetsversion",),
    (),
    ("Dag", "Datum", "Tid", "Titel", "Plats", "Område"),
    ("Lördag", "12/9", "19.00–20.30", "Invigning", "Stadshuset", "Centrum"),
    ("", "12/9", "22–24", "Klubb", "Hamnmagasinet", "Hamnen"),
    ("Söndag", "13 sept", "24.00", "Nattvandring", "Slottet", "Centrum"),
    ("Söndag", "14/9", "kl 18", "Avslutning", "Stadshuset", "Centrum"),
]
DAYS = [date(year, 9, day) for year in (2026, 2027) for day in (12, 13, 14)]


def build_workbook(rows: list[tuple[str, ...]]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.active.merge_cells("A4:A5")
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def without_weekdays() -> list[tuple[str, ...]]:
    return [ROWS[0], ROWS[1], *(("", *row[1:]) for row in ROWS[2:])]


def stored() -> list[str]:
    time = festival_time()
    rows = Occasion.objects.order_by("start").values_list("event__title", "start", "end")
    return [
        f"{title} {time.local(start):%Y-%m-%d %H:%M}–{time.local(end):%d %H:%M}" for title, start, end in rows
    ]


def answer(client: Client, page: Any, **answers: str) -> Any:
    address = page.wsgi_request.path
    client.post(f"{address}answers/", {f"answer-{key}": value for key, value in answers.items()})
    return read_upload(client, address)


def questions_on(page: Any) -> list[tuple[str, list[str]]]:
    found = BeautifulSoup(page.content.decode(), "lxml").select(".questions fieldset")
    return [
        (
            each.select_one("legend").get_text(strip=True),
            [label.get_text(" ", strip=True) for label in each.select("label")],
        )
        for each in found
    ]


IMPORTED = [
    "Invigning {}-09-12 19:00–12 20:30",
    "Klubb {}-09-12 22:00–13 00:00",
    "Nattvandring {}-09-14 00:00–14 00:30",
    "Avslutning {}-09-14 18:00–14 18:30",
]


def test_the_weekdays_say_the_year_and_one_is_warned_of(client: Client) -> None:
    page = show_preview(client, build_workbook(ROWS), name="program.xlsx")
    assert questions_on(page) == []
    year = "4 dates without a year are read as 2026 (the weekdays, the first that is not past)"
    warning = "The weekday does not fit the date (“Sun 14/9” is Monday 14 September 2026): row 7"
    assert remarks_on(page)[:2] == [year, warning]
    result = client.get(apply_preview(client, page)["Location"], follow=True)
    assert messages_on(result)[1:] == [f"{warning}."]
    assert stored() == [each.format(2026) for each in IMPORTED]


def test_two_years_are_asked_about_once_in_the_preview(client: Client) -> None:
    Day.objects.bulk_create(Day(id=int(f"{day:%Y%m%d}"), date=day) for day in DAYS)
    page = show_preview(client, build_workbook(without_weekdays()), name="program.xlsx")
    assert questions_on(page) == [
        (
            "Dates have no year (12/9, 13 sept, 14/9): 2026 or 2027?",
            [
                "2026: 12 September 2026 – 14 September 2026 (the festival’s days, the first that is not past)",
                "2027: 12 September 2027 – 14 September 2027 (the festival’s days)",
            ],
        )
    ]
    assert 'name="apply"' not in page.content.decode()
    answered = answer(client, page, **{"year:2026-2027": "2027"})
    apply_preview(client, answered)
    assert stored() == [each.format(2027) for each in IMPORTED]


def test_the_same_file_again_changes_nothing_and_asks_nothing_new(client: Client) -> None:
    Day.objects.bulk_create(Day(id=int(f"{day:%Y%m%d}"), date=day) for day in DAYS)
    content = build_workbook(without_weekdays())
    answered = answer(client, show_preview(client, content), **{"year:2026-2027": "2027"})
    apply_preview(client, answered)
    again = show_preview(client, content)
    assert 'name="apply"' not in again.content.decode()
    assert "There is nothing to import: all of it is here already." in again.content.decode()


def test_the_order_is_asked_once_by_the_command(tmp_path: Path) -> None:
    file = tmp_path / "program.csv"
    file.write_bytes(
        build_sheet(
            *(
                "Fest;9/12/2026;7 pm;9 pm;Park",
                "Fest;9/11/2026;7 pm;9 pm;Park",
                "Show;9/12/2026;24:00;1 am;Pier",
            ),
            headings="Title;Date;Start;End;Area",
        )
    )
    with override("en"):
        with pytest.raises(CommandError, match="--answer date-order=month: The month: 12 September 2026"):
            call_command("import", str(file), "--source", "x")
        report = StringIO()
        call_command("import", str(file), "--source", "x", "--answer", "date-order=month", stdout=report)
    assert stored() == [
        "Fest 2026-09-11 19:00–11 21:00",
        "Fest 2026-09-12 19:00–12 21:00",
        "Show 2026-09-13 00:00–13 01:00",
    ]


def test_the_report_of_the_command_says_what_was_derived_and_what_looks_wrong(tmp_path: Path) -> None:
    file = tmp_path / "program.csv"
    rows = (
        "A;lör 12/9;19;20;Park",
        "B;mån 13/9;19;20;Park",
        "C;2025-09-12;19;20;Park",
        "D;lör 12/9;21;22;Park",
    )
    file.write_bytes(build_sheet(*rows, headings="Titel;Datum;Start;Slut;Område"))
    report = StringIO()
    with override("en"):
        call_command("import", str(file), "--source", "x", "--days", "2026-09-11/2026-09-13", stdout=report)
    _counts, problems = report.getvalue().split("Problems (5)\n")
    assert problems.splitlines() == [
        "  the spreadsheet: 3 dates without a year are read as 2026 (the weekdays, the festival’s days, the first that is not past)",
        "  the spreadsheet: the weekday does not fit the date (“mån 13/9” is Sunday 13 September 2026): row 3",
        "  the spreadsheet: dates outside the festival’s days (11 September 2026 – 13 September 2026): row 4",
        "  the spreadsheet: dates in the past: row 4",
        "  the spreadsheet: dates in another year than the rest (2025): row 4",
    ]
