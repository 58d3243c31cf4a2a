"""An editor points at what the columns and rows of a sheet are, and the next version is read in the same way."""

import pytest

from programme.exchange.merge.options import recall_answers
from programme.models import Event, Occasion, Upload
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    messages_on,
    read_upload,
    row_kinds,
    show_preview,
    upload,
)
from tests.programme.backoffice.requests import parse
from tests.programme.exchange.imports import import_file
from tests.programme.exchange.workbooks import write_workbook

pytestmark = pytest.mark.django_db

ROWS = [
    ["Preliminärt program"],
    ["Pass", "Grej", "Område", "Ställe"],
    ["10-11", "Sagostund", "Parken", "Bibl."],
    ["11.30", "Clown", "Parken", "Stora"],
    ["KVÄLL"],
    ["18-20", "Jazz", "Parken", "Hamnen"],
]
DAYS = ["12 september 2026", "13 september 2026"]
POINTED = {"body": "", "name": "day", "column-0": "time", "column-1": "title", "row-5": "unused"}


def build(rows=ROWS, days=DAYS) -> bytes:
    return write_workbook(dict.fromkeys(days, rows))


def list_read(page) -> list[str]:
    return [row.get_text(" ", strip=True) for row in parse(page).select("[aria-labelledby=result] tbody tr")]


def find_roles(page) -> list[str]:
    return [cell.get_text(" ", strip=True) for cell in parse(page).select("table.grid td:has(small)")]


def point(client, content: bytes, name="program.xlsx", **values):
    address = upload(client, content, name=name)["Location"]
    return f"{address}layout/", client.post(f"{address}layout/", {"sheet": DAYS[0]} | POINTED | values)


def test_what_would_be_read_is_shown_and_nothing_is_stored(client):
    address, page = point(client, build())
    assert list_read(page) == [
        "3 Sat 12 Sep 10:00–11:00 Sagostund Bibl.",
        "4 Sat 12 Sep 11:30–12:00 Clown Stora",
        "6 Sat 12 Sep 18:00–20:00 Jazz Hamnen",
    ]
    assert find_roles(page)[:9] == [
        "Preliminärt program not used", "Pass heading", "Grej heading", "Område heading", "Ställe heading", "10-11 time",
        "Sagostund title", "Parken place", "Bibl. place",
    ]  # fmt: skip
    assert "3 occasions would be read" in parse(page).text
    assert [each["value"] for each in parse(page).select("[name=also][checked]")] == DAYS[1:]
    assert Upload.objects.get().options["answers"] == {}
    # Pointed at again.
    assert list_read(client.post(address, {"sheet": DAYS[0]} | POINTED | {"row-4": "unused"})) == [
        "3 Sat 12 Sep 10:00–11:00 Sagostund Bibl.",
        "6 Sat 12 Sep 18:00–20:00 Jazz Hamnen",
    ]


def test_it_is_read_so_for_sheets_that_are_alike_and_in_the_next_version(client):
    address, _page = point(client, build(), save="1", also=DAYS[1])
    page = read_upload(client, address.removesuffix("layout/"))
    assert row_kinds(page)[0] == ("new", "Sagostund")
    apply_and_list_messages(client, page)
    assert Occasion.objects.count() == 6
    # A row more, and other names of the sheets.
    changed = [ROWS[0], ["Reviderat"], *ROWS[1:], ["21", "Dans", "Parken", "Hamnen"]]
    days = [f"Lör {DAYS[0]}", f"Sön {DAYS[1]}"]
    apply_and_list_messages(client, show_preview(client, build(changed, days)))
    assert Occasion.objects.count() == 8
    assert {*Event.objects.values_list("title", flat=True)} == {"Sagostund", "Clown", "Jazz", "Dans"}


def test_the_command_reads_it_so_and_columns_take_its_place(client, tmp_path):
    address, _page = point(client, build(days=DAYS[:1]), save="1")
    apply_and_list_messages(client, read_upload(client, address.removesuffix("layout/")))
    path = tmp_path / "program.xlsx"
    path.write_bytes(build([*ROWS, ["21", "Dans", "Parken", "Hamnen"]], DAYS[:1]))
    import_file(path, "--source", "office")
    assert Occasion.objects.count() == 4
    address = upload(client, path.read_bytes(), name="program.xlsx")["Location"]
    columns = {
        "column-1": "start",
        "column-0": "title",
        "fixed-field": "day",
        "fixed-text": "2026-09-12",
        "headings": "1",
    }
    page = read_upload(client, client.post(f"{address}columns/", columns)["Location"])
    assert {kind for kind, _title in row_kinds(page)} == {"refused"}
    apply_and_list_messages(client, page)
    assert recall_answers("office")[f"layout:{DAYS[0]}"] == ""


def test_a_sheet_that_is_laid_out_otherwise_is_asked_about(client):
    address, _page = point(client, build(), save="1", also=DAYS[1])
    apply_and_list_messages(client, read_upload(client, address.removesuffix("layout/")))
    other = [["Tid", "Rubrik", "Område", "Plats"], ["18", "Pop", "Parken", "Stora"]]
    page = show_preview(client, build(other))
    questions = [each.get_text(" ", strip=True) for each in parse(page).select("form.questions legend")]
    assert questions == [
        f"“{day}” is not laid out as it was: the row of headings “pass · grej · område · ställe” is no longer in it. "
        "How is it read?"
        for day in DAYS
    ]
    assert "Answer the questions first" in str(apply_and_list_messages(client, page))
    answers = {each["name"]: each["value"] for each in parse(page).select(".questions input[type=radio]")}
    page = read_upload(client, client.post(f"{page.redirect_chain[-1][0]}answers/", answers)["Location"])
    assert parse(page).select("form.questions") == []
    apply_and_list_messages(client, page)
    assert Event.objects.filter(title="Pop").exists()


def test_a_sheet_that_no_reader_understands_leads_to_pointing(client):
    rows = [["Pass A", "Pass B"], *(["vid 18.00 tror vi", "vid 19.00 tror vi"] for _ in range(4))]
    page = show_preview(client, write_workbook({"Schema": rows}))
    assert page.redirect_chain[-1][0].endswith("/layout/")
    [message] = messages_on(page)
    assert message.startswith("“Schema”: the layout was not recognized. One row for each occasion")
    page = client.post(page.redirect_chain[-1][0], {"sheet": "Schema", "save": "1"})
    assert "No occasion would be read." in parse(page).select_one(".errornote").text


def test_what_was_pointed_at_is_shown_again(client):
    address, _page = point(client, build(), save="1")
    chosen = {
        each.find_parent("select")["name"]: each["value"]
        for each in parse(client.get(address)).select("option[selected]")
    }
    assert {name: value for name, value in chosen.items() if value} == {
        "name": "day", "column-0": "time", "column-1": "title", "row-2": "heading", "row-5": "unused",
    }  # fmt: skip
    assert parse(client.get(f"{address}?sheet={DAYS[1]}")).select("[name=row-5] [selected]") == []


def test_only_a_sheet_has_a_layout(client):
    calendar = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    address = upload(client, calendar, name="a.ics")["Location"]
    assert client.get(f"{address}layout/")["Location"] == address


def test_tables_with_other_headings_do_not_look_the_same(client):
    one, other = [["Tid", "Titel"], ["10", "Saga"]], [["Titel", "Tid"], ["Jazz", "11"]]
    address = upload(client, write_workbook({"Lördag": one, "Söndag": one, "Måndag": other}))["Location"]
    offered = parse(client.get(f"{address}layout/")).select("[name=also]")
    assert [each["value"] for each in offered] == ["Söndag"]
