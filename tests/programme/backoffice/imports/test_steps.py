"""Times that cannot be stored are refused row by row with the reason, and assumed ends are reported beside the row."""

import pytest
from bs4 import BeautifulSoup

from programme.models import Area, Event, Occasion, Upload
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    preview_rows,
    show_preview,
)
from tests.programme.exchange.readers.ical.calendars import JAZZ, calendar
from tests.programme.exchange.schedules import TEA, build_xml

pytestmark = pytest.mark.django_db
WHY = "left out: check the year: it must be from 1900 to 2199"
OTHER = ("UID:o", "SUMMARY:Other")


@pytest.mark.parametrize(
    "times",
    [
        ("DTSTART:99991231T230000",),
        ("DTSTART:99991231T230000Z", "DTEND:99991231T235959Z"),
        ("DTSTART:25000101T100000",),
        ("DTSTART:00010101T000000",),
        ("DTSTART;VALUE=DATE:99991231",),
        ("DTSTART:99991231T230000", "RRULE:FREQ=DAILY;COUNT=3"),
        ("DTSTART:21991231T235000Z",),
    ],
)
def test_a_year_that_cannot_be_kept_is_refused_and_the_rest_comes_in(client, times):
    page = show_preview(client, calendar(JAZZ, (*OTHER, *times)), name="c.ics", area=an_area())
    assert [row[1:] for row in preview_rows(page) if row[1] == "refused"] == [
        ("refused", f"Other (line {line_of_other()})", WHY)
    ]
    assert apply_and_list_messages(client, page) == ["Imported: 1 event, 1 occasion."]
    assert list(Event.objects.values_list("title", flat=True)) == ["Jazz"]


def an_area() -> str:
    return str(Area.objects.create(name="Parken").pk)


def line_of_other() -> int:
    return len(calendar(JAZZ).decode().splitlines())


@pytest.mark.parametrize(
    "date", ["2500-07-29T15:00:00+02:00", "9999-12-31T23:59:00-10:00", "0001-01-01T00:00:00"]
)
def test_so_it_is_in_a_schedule(client, date):
    page = show_preview(client, build_xml(TEA | {"date": date}).encode(), name="s.xml", source="")
    assert [row[1:] for row in preview_rows(page)] == [("refused", "Tea", WHY)]


@pytest.mark.parametrize("day", ["2500-01-01", "1826-09-12", "9999-12-31"])
def test_so_it_is_in_a_sheet(client, day):
    page = show_preview(client, build_sheet(f"Fest;Parken;;{day};19;20;"))
    assert [row[1:] for row in preview_rows(page)] == [("refused", "row 2, Datum", WHY)]


def digest_of() -> str:
    return Upload.objects.get().preview["digest"]


# --- Ends that are assumed ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ends", "note"),
    [
        ((), "no end: 30 minutes assumed"),
        (("DTEND:20260728T180000Z",), "the end is not later than the start: 30 minutes assumed"),
    ],
)
def test_an_assumed_end_is_told_beside_the_row_of_a_calendar(client, ends, note):
    page = show_preview(client, calendar((*JAZZ[:3], *ends)), name="c.ics", area=an_area())
    assert preview_rows(page)[1] == ("", "new", "2026-07-28 20:00–20:30", note)
    assert "1 note on the file" in page.content.decode()


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        ("Titel;Område;Datum;Start", "A;P;2026-09-12;19"),
        ("Titel;Område;Datum;Start;Slut", "A;P;2026-09-12;19;"),
    ],
)
def test_and_of_a_sheet_with_or_without_a_column_for_it(client, headings, row):
    page = show_preview(client, build_sheet(row, row.replace("09-12", "09-13"), headings=headings))
    assert preview_rows(page)[1][3] == preview_rows(page)[2][3] == "no end: 30 minutes assumed"
    apply_preview(client, page)
    assert Occasion.objects.count() == 2


def test_that_no_column_says_the_end_is_told_once(client):
    row = "A;P;2026-09-12;19"
    page = show_preview(
        client, build_sheet(row, row.replace("09-12", "09-13"), headings="Titel;Område;Datum;Start")
    )
    remarks = BeautifulSoup(page.content.decode(), "lxml").select(".remarks li")
    assert remarks[0].get_text() == "No column says when it ends: 30 minutes assumed for 2 occasions"
