"""Dates that leave something open: the preview and the command ask once, warn once, and import what is said."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.management import CommandError
from django.test import Client
from django.utils.translation import override

from programme.models import Day, Occasion
from programme.models.festival_time import festival_time
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    read_upload,
    remarks_on,
    show_preview,
)
from tests.programme.exchange.imports import import_file

pytestmark = pytest.mark.django_db


def build(*rows: str) -> bytes:
    return build_sheet(*rows, headings="Datum;Tid;Titel;Område")


def stored() -> list[str]:
    time = festival_time()
    rows = Occasion.objects.order_by("start").values_list("event__title", "start", "end")
    return [
        f"{title} {time.local(start):%Y-%m-%d %H:%M}–{time.local(end):%d %H:%M}" for title, start, end in rows
    ]


def questions_on(page: Any) -> list[tuple[str, list[str]]]:
    found = BeautifulSoup(page.content.decode(), "lxml").select(".questions fieldset")
    return [
        (
            each.select_one("legend").get_text(strip=True),
            [label.get_text(" ", strip=True) for label in each.select("label")],
        )
        for each in found
    ]


def test_the_weekdays_say_the_year_and_one_is_warned_of(client: Client) -> None:
    page = show_preview(
        client, build("lör 12/9;19.00–20.30;A;P", "lör 13/9;22–24;B;P", "mån 14/9;24.00–01;C;P")
    )
    assert questions_on(page) == []
    year = "3 dates without a year are read as 2026 (the weekdays, the first that is not past)"
    warning = "The weekday does not fit the date (“lör 13/9” is Sunday 13 September 2026): row 3"
    assert remarks_on(page)[:2] == [year, warning]
    assert apply_and_list_messages(client, page)[1:] == [f"{warning}."]
    assert stored() == [
        "A 2026-09-12 19:00–12 20:30",
        "B 2026-09-13 22:00–14 00:00",
        "C 2026-09-15 00:00–15 01:00",
    ]


def test_two_years_are_asked_about_once_in_the_preview(client: Client) -> None:
    days = [date(year, 9, day) for year in (2026, 2027) for day in (12, 13)]
    Day.objects.bulk_create(Day(id=int(f"{day:%Y%m%d}"), date=day) for day in days)
    content = build("12/9;19–20;A;P", "13 sept;19–20;B;P")
    page = show_preview(client, content)
    assert questions_on(page) == [
        (
            "Dates have no year (12/9, 13 sept): 2026 or 2027?",
            [
                "2026: 12 September 2026 – 13 September 2026 (the festival’s days, the first that is not past)",
                "2027: 12 September 2027 – 13 September 2027 (the festival’s days)",
            ],
        )
    ]
    address = page.wsgi_request.path
    client.post(f"{address}answers/", {"answer-year:2026-2027": "2027"})
    apply_preview(client, read_upload(client, address))
    assert stored() == ["A 2027-09-12 19:00–12 20:00", "B 2027-09-13 19:00–13 20:00"]
    # The answer is remembered.
    assert "all of it is here already" in show_preview(client, content).content.decode()


def test_the_command_asks_for_the_order(tmp_path: Path) -> None:
    file = tmp_path / "program.csv"
    file.write_bytes(build("9/12/2026;7 pm – 9 pm;Fest;Park", "9/11/2025;24:00–1 am;Show;Pier"))
    with override("en"):
        with pytest.raises(CommandError, match="date-order=month"):
            import_file(file, "--source", "x")
        report = import_file(file, "--source", "x", "--answer", "date-order=month")
    assert stored() == ["Show 2025-09-12 00:00–12 01:00", "Fest 2026-09-12 19:00–12 21:00"]
    _counts, problems = report.split("Problems (2)\n")
    assert problems.splitlines() == [
        "  the spreadsheet: dates like “9/12/2026” are read as 12 September 2026 (as answered)",
        "  the spreadsheet: dates in the past: row 3",
    ]
