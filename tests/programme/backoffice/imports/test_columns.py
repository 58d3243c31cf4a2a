"""Columns of foreign sheets, those that are two fields or not understood."""

import pytest

from programme.models import Event, Occasion, SheetMapping
from tests.programme.backoffice.imports.pages import (
    apply_preview,
    build_sheet,
    messages_on,
    read_upload,
    remarks_on,
    show_preview,
    upload,
)
from tests.programme.backoffice.requests import parse
from tests.programme.exchange.workbooks import write_workbook

pytestmark = pytest.mark.django_db


def columns_page(client, content: bytes) -> tuple[str, str]:
    """Upload a sheet that leads to the page of columns; return that page's address and what it says."""
    page = show_preview(client, content)
    address = page.redirect_chain[-1][0]
    assert address.endswith("/columns/")
    return address, messages_on(page)[0]


def save(client, address: str, **values):
    """Save what the columns are, and return the page that shows what would happen."""
    return read_upload(client, client.post(address, {"name": "s"} | values)["Location"])


def test_a_file_that_cannot_be_read_has_no_columns(client):
    address = upload(client, b"PK\x03\x04no", name="program.xlsx")["Location"]
    page = client.get(f"{address}columns/", follow=True)
    assert page.redirect_chain[-1][0] == address
    assert messages_on(page) == ["Nothing is imported from “program.xlsx”: it is cut off or damaged."]


def test_columns_that_are_left_alone_are_told_above_the_rows(client):
    headings = "Titel;Område;Datum;Start;Slut;Beskrivning;Info;Färg;Tom"
    page = show_preview(client, build_sheet("A;P;2026-09-12;19;20;Ett;Två;röd;", headings=headings))
    assert remarks_on(page) == ["Columns that are left alone: Info, Färg", "Choose the columns"]
    address = page.redirect_chain[-1][0] + "columns/"
    names = ("title", "area", "day", "start", "end")
    page = save(client, address, **{f"column-{number}": name for number, name in enumerate(names)})
    # What an editor has chosen to leave alone is not told.
    assert remarks_on(page) == []


def test_a_sheet_of_which_fewer_than_half_was_understood_leads_to_its_columns(client):
    content = build_sheet("A;P;2026-09-12;19;röd;4;5;6;7", headings="Titel;Område;Datum;Start;a;b;c;d;e")
    _address, message = columns_page(client, content)
    assert message == "Fewer than half of the columns were understood: say what they are."


def test_where_the_headings_stand_can_be_chosen(client):
    rows = [
        *("Name of it;;;Speaker", "Plats;Datum;Klokken;Grej", "Halle;2026-09-12;19:00;A"),
        "Halle;2026-09-12;20:00;B",
    ]
    address, _told = columns_page(client, "\n".join(rows).encode())
    page = parse(client.get(address))
    assert page.select_one("#headings-row option[selected]").get_text() == "2: Plats · Datum · Klokken · Grej"
    page = parse(client.get(f"{address}?headings=0"))
    assert [each.get_text() for each in page.select(".columns th[scope=row]")] == [
        *("–", "–", "Name of it", "Speaker")
    ]
    fields = {"column-0": "location", "column-1": "day", "column-2": "start", "column-3": "title"}
    fixed = {"fixed-field": "area", "fixed-text": "P"}
    refused = client.post(address, {"headings": "1", **fields, "column-3": ""})
    assert "Say which column is the title." in refused.content.decode()
    apply_preview(client, save(client, address, headings="1", **fields, **fixed))
    # They are found again by their headings.
    again = show_preview(client, "\n".join(rows).encode())
    assert again.redirect_chain[-1][0].count("/columns/") == 0
    assert list(Occasion.objects.order_by("event__title").values_list("event__title", "location__name")) == [
        ("A", "Halle"),
        ("B", "Halle"),
    ]


def test_the_name_of_a_sheet_and_rows_between_count_when_its_columns_are_chosen(client):
    rows = [
        ["Kl", "Titel", "Vilka"],
        ["Torget"],
        ["18", "A", "Kören"],
        ["19", "B", ""],
        ["Parken"],
        ["20", "C", "Bo"],
    ]
    address = (
        upload(client, write_workbook({"Lördag 12 september 2026": rows}), name="program.xlsx")["Location"]
        + "columns/"
    )
    fields = {"column-0": "start", "column-1": "title", "column-2": "organizer"}
    page = save(client, address, **fields, **{"fixed-field": "area", "fixed-text": "P"})
    page = read_upload(
        client, client.post(page.wsgi_request.path + "answers/", {"answer-layout": "yes"})["Location"]
    )
    apply_preview(client, page)
    fields = ("event__title", "location__name", "event__organizer__name")
    assert list(Occasion.objects.order_by("event__title").values_list(*fields)) == [
        *(("A", "Torget", "Kören"), ("B", "Torget", None), ("C", "Parken", "Bo"))
    ]


def test_a_column_can_be_two_fields_and_a_field_be_two_columns(client):
    headings = "Titel;Plats;Datum;Start;Slut;Kategori;Sort"
    rows = ["A;Hamnen, Scen 1;2026-09-12;19;20;Musik;Konsert", "B;Torget;2026-09-12;19;20;;Dans"]
    page = show_preview(client, build_sheet(*rows, headings=headings))
    address = page.redirect_chain[-1][0] + "columns/"
    names = ("title", "area", "day", "start", "end", "type", "type")
    fields = {f"column-{number}": name for number, name in enumerate(names)}
    more = {"more-column": ["1"], "more-field": ["room"], "more-part": ["after"]}
    page = save(client, address, **fields, **more, **{"part-1": "before"})
    apply_preview(client, page)
    names = ("event__title", "event__area__name", "location__name", "room__name")
    found = Occasion.objects.order_by("event__title").values_list(*names)
    assert [(*each,) for each in found] == [("A", "Hamnen", "Hamnen", "Scen 1"), ("B", "Torget", None, None)]
    types = [[each.name_sv for each in event.types] for event in Event.objects.order_by("title")]
    assert types == [["Musik", "Konsert"], ["Dans"]]


def test_the_page_shows_again_what_was_saved_of_it(client):
    content = build_sheet(
        "A;Hamnen, 1;2026-09-12;19;20;x;y", headings="Titel;Var;Datum;Start;Slut;Kategori;Sort"
    )
    address = show_preview(client, content).redirect_chain[-1][0] + "columns/"
    names = ("title", "location", "day", "start", "end", "", "type")
    fields = {f"column-{number}": name for number, name in enumerate(names)}
    more = {"more-column": ["1", "5"], "more-field": ["area", "type"], "more-part": ["before", "whole"]}
    client.post(address, fields | more | {"part-1": "after", "name": "s"})
    before = SheetMapping.objects.get().sources
    assert before["type"]["columns"] == [5, 6]
    page = parse(client.get(address))
    chosen = {}
    for each in page.select("form[method=post] select"):
        option = each.select_one("option[selected]")
        chosen.setdefault(each["name"], []).append(option["value"] if option else "")
    assert (chosen["column-1"], chosen["part-1"], chosen["part-6"]) == (["area"], ["before"], ["whole"])
    besides = [chosen[name][0] for name in ("more-column", "more-field", "more-part")]
    assert besides == ["1", "location", "after"]
    client.post(address, chosen | {"name": "s"})
    assert SheetMapping.objects.get().sources == before
