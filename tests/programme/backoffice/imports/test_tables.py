"""An editor says what the columns and rows of the file's own table are, and sees at once what comes of it."""

import pytest

from programme.exchange.merge.options import recall_answers
from programme.models import Event, Occasion, Upload
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    read_upload,
    remarks_on,
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
SAID = {"column-0": "start", "column-1": "title", "row-5": "unused"}


def build(rows=ROWS, days=DAYS) -> bytes:
    return write_workbook(dict.fromkeys(days, rows))


def list_first(page) -> list[str]:
    found = parse(page).select("[aria-labelledby=result] li")
    return [" | ".join(each.stripped_strings) for each in found]


def list_columns(page) -> dict[str, tuple[str, str]]:
    """Return what is chosen above each column, or else what it is read as, and why."""
    found = {}
    for head in parse(page).select("table.grid thead th"):
        chosen = head.select("select:first-of-type option[selected]") or head.select("select option")
        found[head.span.get_text(" ", strip=True)] = (
            chosen[0].get_text(strip=True),
            head.small.get_text(strip=True),
        )
    return found


def list_chosen(page) -> dict[str, str]:
    found = parse(page).select("table.grid select:has(option[selected])")
    return {each["name"]: each.select_one("option[selected]")["value"] for each in found}


def choose(client, content: bytes, name="program.xlsx", shown=DAYS[0], **values):
    """Upload a file, say something of one of its sheets, and return the page's address and what it shows."""
    address = upload(client, content, name=name)["Location"] + "table/"
    return address, client.post(address, {"shown": shown} | values)


def keep(client, address: str, shown: str, **values):
    """Have the file read as it is said, and return the preview."""
    done = client.post(address, {"shown": shown, "save": "1"} | values)
    return read_upload(client, done["Location"])


def test_what_comes_of_it_is_shown_and_nothing_is_stored(client):
    address, page = choose(client, build(), **SAID)
    assert list_first(page) == [
        "Sagostund | Sat 12 Sep 10:00–11:00 | Bibl.",
        "Clown | Sat 12 Sep 11:30–12:00 | Stora",
        "Jazz | Sat 12 Sep 18:00–20:00 | Hamnen",
    ]
    assert list_columns(page) == {
        "A : Pass": ("Start", "said by you"), "B : Grej": ("Title", "said by you"),
        "C : Område": ("(Area)", "by its heading"), "D : Ställe": ("(Location)", "by its heading"),
    }  # fmt: skip
    assert Upload.objects.get().options["answers"] == {}
    # Another row is left out; the sheet that is shown next has the same headings.
    said = parse(page).select_one("[name=said]")["value"]
    page = client.post(address, {"shown": DAYS[0], "sheet": DAYS[1], "row-4": "unused", "said": said})
    assert list_first(page) == [
        "Sagostund | Sun 13 Sep 10:00–11:00 | Bibl.",
        "Jazz | Sun 13 Sep 18:00–20:00 | Hamnen",
    ]


def test_it_holds_for_all_sheets_with_these_headings_and_for_the_next_version(client, tmp_path):
    address, _page = choose(client, build())
    page = keep(client, address, DAYS[0], **SAID)
    assert row_kinds(page)[0] == ("new", "Sagostund")
    assert list_columns(page)["B : Grej"] == ("Title", "said by you")
    apply_and_list_messages(client, page)
    assert Occasion.objects.count() == 6
    # A row more, and other names of the sheets.
    changed = [ROWS[0], ["Reviderat"], *ROWS[1:], ["21", "Dans", "Parken", "Hamnen"]]
    path = tmp_path / "program.xlsx"
    path.write_bytes(build(changed, [f"Lör {DAYS[0]}", f"Sön {DAYS[1]}"]))
    import_file(path, "--source", "office")
    assert Occasion.objects.count() == 8
    assert {*Event.objects.values_list("title", flat=True)} == {"Sagostund", "Clown", "Jazz", "Dans"}
    # Taken back.
    address = upload(client, path.read_bytes(), name="program.xlsx")["Location"]
    page = keep(client, f"{address}table/", f"Lör {DAYS[0]}", **{"column-1": "", "column-0": ""})
    assert "data-points" in page.content.decode()
    assert "column:grej" in recall_answers("office")


def test_what_is_said_goes_along_with_another_form(client):
    address, _page = choose(client, build())
    client.post(address.replace("table", "answers"), {"shown": DAYS[0]} | SAID)
    assert row_kinds(read_upload(client, address.removesuffix("table/")))[0] == ("new", "Sagostund")


def test_a_sheet_that_is_not_understood_begins_with_its_table_and_the_reason(client):
    rows = [["Pass A", "Pass B"], *(["vid 18.00 tror vi", "vid 19.00 tror vi"] for _ in range(4))]
    page = show_preview(client, write_workbook({"Schema": rows}))
    said = parse(page).select_one(".errornote").text
    assert said.startswith("“Schema”: the layout was not recognized. One row for each occasion")
    assert "No occasion." in page.content.decode() or parse(page).select("#result ~ p")
    page = keep(client, f"{page.redirect_chain[-1][0]}table/", "Schema")
    assert parse(page).select_one(".errornote").text.startswith("“Schema”")
    address = page.redirect_chain[-1][0]
    for name in ("apply", "cells"):
        assert client.post(f"{address}{name}/", {"apply": "1"})["Location"] == address


def test_columns_in_another_language_are_proposed_by_their_cells(client):
    content = (
        b"vad heter den;vilka;begynner;var\nFest;Ada;2026-09-12 19:00;Gata 1\nDans;Bo;2026-09-13 20:00;Gata 2"
    )
    page = show_preview(client, content)
    assert "No column of titles was found" in page.content.decode() or parse(page).select(".errornote")
    assert {name: why for name, (_field, why) in list_columns(page).items() if why} == {
        "A : vad heter den": "by its cells", "C : begynner": "by its cells", "D : var": "by its heading",
    }  # fmt: skip
    assert list_first(page)[0].startswith("Fest | Sat 12 Sep 19:00")
    fixed = {"fixed-field": "area", "fixed-text": "P", "column-3": "location"}
    page = keep(client, f"{page.redirect_chain[-1][0]}table/", "", **list_chosen(page), **fixed)
    apply_preview(client, page)
    names = ("event__title", "event__area__name", "location__name")
    assert list(Occasion.objects.order_by("start").values_list(*names)) == [
        ("Fest", "P", "Gata 1"),
        ("Dans", "P", "Gata 2"),
    ]


def test_fewer_than_half_of_the_columns(client):
    content = build_sheet("A;P;2026-09-12;19;röd;4;5;6;7", headings="Titel;Område;Datum;Start;a;b;c;d;e")
    page = show_preview(client, content)
    assert parse(page).select_one(".errornote").text == (
        "Fewer than half of the columns were understood: say what they are."
    )
    left = {f"column-{number}": "no" for number in range(4, 9)}
    page = keep(client, f"{page.redirect_chain[-1][0]}table/", "", **left)
    # What an editor leaves alone is not told.
    assert (row_kinds(page)[0], remarks_on(page)) == (("new", "A"), [])


def test_what_was_said_stays_whatever_is_said_next(client):
    rows = ["Ohjelma;Paikka;Xyz;Klo", "Konsertti;Kirjasto;lauantai;klo 18", "Tanssit;Satama;sunnuntai;klo 20"]
    said = {"column-0": "title", "column-1": "location", "column-2": "day", "column-3": "start"}
    address, page = choose(client, "\n".join(rows).encode(), name="a.csv", shown="", **said)
    assert list_chosen(page).items() >= said.items()
    assert "Say which columns" not in page.content.decode()
    # A field whose text comes later, and where the headings stand.
    said |= {"row-1": "heading", "fixed-field": "area", "fixed-text": ""}
    page = client.post(address, {"shown": ""} | said)
    assert list_chosen(page).items() >= {"column-2": "day", "row-1": "heading"}.items()
    assert parse(page).select_one("details[open] [name=fixed-field] [selected]")["value"] == "area"


def test_a_day_that_is_said_for_all_rows_comes_before_the_name_of_the_sheet(client):
    content = write_workbook({DAYS[0]: [["Pass A", "Grej"], ["10-11", "Sagostund"], ["11-12", "Clown"]]})
    said = SAID | {"fixed-field": "day", "fixed-text": "14 september 2026"}
    _address, page = choose(client, content, **said)
    assert list_first(page)[0].startswith("Sagostund | Mon 14 Sep 10:00")


def test_where_the_headings_stand_is_said(client):
    rows = ["Name of it;;;Speaker", "Plats;Datum;Klokken;Grej", "Halle;2026-09-12;19:00;A"]
    page = show_preview(client, "\n".join(rows).encode())
    address = f"{page.redirect_chain[-1][0]}table/"
    assert [name.partition(" : ")[2] for name in list_columns(page)] == ["Plats", "Datum", "Klokken", "Grej"]
    page = client.post(address, {"shown": "", "row-1": "heading"})
    assert [*list_columns(page)] == ["A : Name of it", "B", "C", "D : Speaker"]


def test_the_name_of_a_sheet_and_rows_between_count_when_its_columns_are_said(client):
    rows = [
        ["Kl", "Titel", "Vilka"],
        ["Torget"],
        ["18", "A", "Kören"],
        ["19", "B", ""],
        ["Parken"],
        ["20", "C", "Bo"],
    ]
    day = "Lördag 12 september 2026"
    address, _page = choose(client, write_workbook({day: rows}), shown=day)
    said = {"column-2": "organizer", "fixed-field": "area", "fixed-text": "P"}
    apply_preview(client, keep(client, address, day, **said))
    fields = ("event__title", "location__name", "event__organizer__name")
    assert list(Occasion.objects.order_by("event__title").values_list(*fields)) == [
        *(("A", "Torget", "Kören"), ("B", "Torget", None), ("C", "Parken", "Bo"))
    ]


def test_a_column_can_be_two_fields_and_a_field_be_two_columns(client):
    headings = "Titel;Plats;Datum;Start;Slut;Kategori;Sort"
    rows = ["A;Hamnen, Scen 1;2026-09-12;19;20;Musik;Konsert", "B;Torget;2026-09-12;19;20;;Dans"]
    page = show_preview(client, build_sheet(*rows, headings=headings))
    said = {
        "column-1": "area", "also-1": "room", "split-1": "comma", "column-5": "type", "column-6": "type",
    }  # fmt: skip
    page = keep(client, f"{page.redirect_chain[-1][0]}table/", "", **said)
    assert list_chosen(page) == said
    apply_preview(client, page)
    names = ("event__title", "event__area__name", "location__name", "room__name")
    found = Occasion.objects.order_by("event__title").values_list(*names)
    assert [(*each,) for each in found] == [("A", "Hamnen", "Scen 1", None), ("B", "Torget", None, None)]
    types = [[each.name_sv for each in event.types] for event in Event.objects.order_by("title")]
    assert types == [["Musik", "Konsert"], ["Dans"]]


@pytest.mark.parametrize(
    "said", ["", "[]", "{", '{"column:a": [], "x": "y", "row:\\u0000": "day"}', "[" * 99_999]
)
def test_another_form_than_that_of_the_page_is_no_failure(client, said):
    values = {
        "said": said,
        "body": "x",
        "names": "heading",
        "column-0": "x\x00",
        "row-2": "x",
        "split-1": "x",
    }
    address, page = choose(client, build(), **values)
    assert page.status_code == 200
    assert client.post(address, {"shown": DAYS[0], "save": "1"} | values).status_code == 302
    stored = Upload.objects.get().options["answers"]
    assert not any("\x00" in f"{key}{text}" for key, text in stored.items())


def test_only_a_sheet_has_a_table(client):
    calendar = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    address = upload(client, calendar, name="a.ics")["Location"]
    assert client.get(f"{address}table/")["Location"] == address


def test_a_preview_is_read_again_in_another_language(client):
    page = show_preview(client, build_sheet("A;P;S;2026-09-12;19;20;"))
    unknown = show_preview(client, b"Pass A;Pass B\nvid 18;vid 19\n")
    assert parse(unknown).select_one(".errornote")
    for each in (page, unknown):
        swedish = client.get(each.redirect_chain[-1][0], headers={"accept-language": "sv"})
        assert "data-progress" in swedish.content.decode()
