"""The sheets of a workbook on the pages of importing: listed, chosen, remembered and named in the result."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from programme.models import Event
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    preview_rows,
    read_upload,
    show_preview,
)
from tests.programme.backoffice.requests import parse
from tests.programme.exchange.workbooks import SCENES, build_day, build_office_workbook, write_workbook

pytestmark = pytest.mark.django_db
TWO_DAYS = {"Lördag": build_day(1), "Söndag": build_day(2)}
UNDATED = [["Titel", "Start"], ["Fest", "19:00"]]


def listed(page: Any) -> list[str]:
    """Return the sheets with their details, and how each is ticked."""
    found = parse(page).select(".sheets li")
    return [f"{'+-'[not each.select('[checked]')]} {each.label.get_text(' ', strip=True)}" for each in found]


def summary(page: Any) -> str:
    return parse(page).select_one(".workbook:has(.sheets) summary").get_text(" ", strip=True)


def preview(client: Client, content: bytes, **options: str) -> Any:
    return show_preview(client, content, name="program.xlsx", **options)


def choose(client: Client, page: Any, names: list[str], *read: str) -> Any:
    key = page.redirect_chain[-1][0].split("/")[3]
    done = client.post(f"/admin/import/{key}/answers/", {"listed": names, "read": read})
    return read_upload(client, done["Location"])


def test_the_preview_and_the_result_name_what_is_not_read(client):
    page = preview(client, build_office_workbook(2))
    assert summary(page) == "2 of 6 sheets are read. Not read: Scener, Anteckningar, Gamla"
    assert listed(page) == [
        *("+ Fredag programme, 2 rows", "+ Lördag programme, 2 rows", "- Scener list of places, 3 rows"),
        *("- Anteckningar notes or another list, 3 rows", "- Blad1 empty"),
        "- Gamla programme, 2 rows, hidden in the file",
    ]
    assert [(row[0], row[2]) for row in preview_rows(page)] == [
        ("Fredag, 4", "Öppet hus"),
        ("Fredag, 4", "Fri 11 Sep 10:00–17:00, Stora scenen"),
        ("Lördag, 4", "Sat 12 Sep 10:00–17:00, Stora scenen"),
        ("Fredag, 5", "Konsert 1"),
        ("Fredag, 5", "Fri 11 Sep 20:00–21:30, Lilla scenen"),
        ("Lördag, 5", "Konsert 2"),
        ("Lördag, 5", "Sat 12 Sep 20:00–21:30, Lilla scenen"),
    ]
    assert apply_and_list_messages(client, page) == [
        "Imported: 3 events, 4 occasions. Not read: “Scener” (list of places, 3 rows), "
        "“Anteckningar” (notes or another list, 3 rows), “Gamla” (programme, 2 rows, hidden in the file)."
    ]
    assert Event.objects.count() == 3


def test_a_workbook_with_one_sheet_lists_none(client):
    page = preview(client, write_workbook({"Lördag": build_day(1)}))
    assert listed(page) == []
    assert preview_rows(page)[0][0] == "4"
    [message] = apply_and_list_messages(client, page)
    assert "Not read" not in message


def test_a_chosen_sheet_without_dates_leads_to_its_columns_and_nothing_is_read(client):
    # The name of one says the day.
    named = [["Tid", "Titel", "Område"], ["19:00", "Fest", "Parken"]]
    sheets = TWO_DAYS | {"Del 3": UNDATED, "Måndag": named, "Scener": SCENES}
    page = preview(client, write_workbook(sheets))
    assert "- Del 3 has no dates, 1 row" in listed(page)
    page = choose(client, page, list(sheets), "Lördag", "Söndag", "Del 3")
    shown = parse(page)
    assert shown.select_one(".errornote").text == ("“Del 3”: no column says the date: say which one does.")
    assert [each.text for each in shown.select(".of-file .tabs button")] == list(sheets)
    assert shown.select_one(".tabs [aria-current]").text == "Del 3"
    assert listed(page)[2:4] == ["+ Del 3 has no dates, 1 row", "- Måndag programme, 1 row"]


def test_columns_are_said_for_each_sheet(client):
    strange = [["Uppvisning", "När"], ["Dans", "2026-09-14 19:00"]]
    content = write_workbook(TWO_DAYS | {"Måndag": strange, "Scener": SCENES})
    page = choose(
        client, preview(client, content), ["Lördag", "Söndag", "Måndag", "Scener"], "Lördag", "Måndag"
    )
    shown = parse(page)
    assert shown.select_one(".errornote").text.startswith(
        "“Måndag”: none of its first rows has a heading “Title”"
    )
    said = {"shown": "Måndag", "column-0": "title", "column-1": "start", "save": "1"}
    said |= {"fixed-field": "area", "fixed-text": "Parken"}
    page = read_upload(client, client.post(f"{page.redirect_chain[-1][0]}table/", said)["Location"])
    assert ("Måndag, 2", "Dans") in [(row[0], row[2]) for row in preview_rows(page)]


def test_a_file_that_takes_its_place_is_read_with_the_same_choice(client):
    names = ["Fredag", "Lördag", "Scener", "Anteckningar", "Gamla"]
    page = choose(client, preview(client, build_office_workbook(2)), names, "Lördag")
    address = page.redirect_chain[-1][0]
    corrected = SimpleUploadedFile("rättad.xlsx", build_office_workbook(3))
    page = read_upload(client, client.post(address, {"file": corrected})["Location"])
    # Nobody has chosen about the new one.
    assert [each.split()[1] for each in listed(page) if each.startswith("+")] == ["Lördag", "Söndag"]
