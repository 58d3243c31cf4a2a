"""Cells are corrected in the preview, and stay so when the next version of the file comes."""

from typing import Any

import pytest
from bs4 import Tag
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from programme.backoffice.roles import Role
from programme.exchange.merge.options import recall_answers
from programme.models import Area, Event, EventType, Occasion, Upload
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    create_user_in_role,
    messages_on,
    read_upload,
    refusals_on,
    row_kinds,
    show_preview,
)
from tests.programme.backoffice.requests import parse
from tests.programme.exchange.imports import import_file

pytestmark = pytest.mark.django_db
BROKEN = [
    "Trasig;Parken;;igår;19;20;",
    "Kväll;Parken;;2026-09-15;kväll;20;",
    "Natt;Parken;;2026-09-15;kväll;;",
]
MENDED = "Trasig;Parken;;2026-09-15;19;20;"


def cells_of(page: Any) -> dict[tuple[str, str], Tag]:
    """Return the inputs of the cells that are open, by the row's number and the heading."""
    return {
        (row.find_previous("td", class_="number").text, cell.label.text): cell.select_one("[data-file]")
        for row in parse(page).select("tr.cells")
        for cell in row.select(".field")
    }


def correct(client: Client, page: Any, cells: dict[tuple[str, str], str], **more: str) -> Any:
    """Type into cells that are open, without a tick, and press Enter."""
    found = cells_of(page)
    sent = {found[each]["name"]: text for each, text in cells.items()} | more
    done = client.post(f"{page.wsgi_request.path}cells/", sent)
    return client.get(done["Location"], follow=True)


def press(client: Client, page: Any, button: str, number: int = 0) -> Any:
    found = parse(page).select(button)[number]
    done = client.post(found["formaction"], {found["name"]: found["value"]})
    return client.get(done["Location"], follow=True)


def focus_of(page: Any) -> str:
    [focused] = parse(page).select("[autofocus]")
    return focused.get("value", "")


def corrected_on(page: Any) -> list[str]:
    found = parse(page).select("li:has(button[name=back])")
    return [" ".join(each.get_text(" ", strip=True).split()) for each in found]


def test_what_is_wrong_stands_first_and_is_corrected_cell_by_cell(client):
    page = show_preview(client, build_sheet(*ROWS, *BROKEN))
    # Of rows with the same text the first stands for all.
    assert row_kinds(page)[:3] == [("refused", "Trasig"), ("refused", "Kväll"), ("new", "Fest")]
    assert {cell for cell, found in cells_of(page).items() if found.get("aria-invalid")} == {
        ("5", "Datum"), ("6", "Start"),
    }  # fmt: skip
    assert focus_of(page) == "igår"
    page = correct(client, page, {("5", "Datum"): "15/9 2026\x00"})
    assert row_kinds(page)[0] == ("refused", "Kväll")
    assert corrected_on(page) == ["Trasig, Datum: igår → becomes 15/9 2026 Take back"]
    assert focus_of(page) == "kväll"
    # What cannot be read either stays in the cell with its reason.
    page = correct(client, page, {("6", "Start"): "sent", ("6", "Pris"): "10 kr"})
    assert (focus_of(page), len(refusals_on(page))) == ("sent", 2)
    why = "Left out: “sent” is no time: write it in figures, like 18.30–20"
    assert refusals_on(page)[0] == ("Kväll", why)
    page = correct(client, page, {("6", "Start"): "18"})
    page = correct(client, page, {("7", "Start"): "19.30-21"})
    assert (refusals_on(page), messages_on(page)) == ([], ["All rows can be read now."])
    assert apply_and_list_messages(client, page) == ["Imported: 5 events, 6 occasions."]
    assert dict(Event.objects.values_list("title", "price"))["Kväll"] == "10 kr"
    night = Occasion.objects.get(event__title="Natt")
    assert f"{night.start:%H:%M}–{night.end:%H:%M}" == "17:30–19:00"


def test_a_correction_holds_for_the_next_version_until_the_file_says_otherwise(client):
    page = show_preview(client, build_sheet(*ROWS, BROKEN[0]))
    apply_preview(client, correct(client, page, {("5", "Datum"): "2026-09-15"}))
    # In another order, and with another row.
    page = show_preview(client, build_sheet("INSTÄLLT: Ny;Parken;;2026-09-14;19;20;", BROKEN[0], *ROWS))
    assert row_kinds(page) == [("new", "Ny"), ("new, and cancelled", "Mon 14 Sep 19:00–20:00")]
    assert corrected_on(page) == ["Trasig, Datum: igår → becomes 2026-09-15 Take back"]
    assert page.context["folded"] == 3
    apply_preview(client, page)
    page = show_preview(client, build_sheet(MENDED.replace("15;", "16;"), *ROWS))
    assert corrected_on(page) == []
    apply_preview(client, page)
    page = press(client, show_preview(client, build_sheet(*ROWS, BROKEN[0])), "button[name=back]")
    apply_preview(client, page)
    assert len(refusals_on(show_preview(client, build_sheet(*ROWS, BROKEN[0])))) == 1


def test_a_source_that_only_the_file_names_has_its_corrections(client, tmp_path):
    page = show_preview(client, build_sheet(BROKEN[0]), source="")
    apply_preview(client, correct(client, page, {("2", "Datum"): "2026-09-15"}))
    page = show_preview(client, build_sheet(BROKEN[0]), source="")
    assert (refusals_on(page), page.context["folded"]) == ([], 1)
    path = tmp_path / "programme.csv"
    path.write_bytes(build_sheet(BROKEN[0].replace("20;", "21;")))
    import_file(path, "--source", "programme")
    assert Occasion.objects.get().end.hour == 19


def test_any_row_is_opened_and_any_cell_emptied_or_filled_and_taken_back(client):
    page = show_preview(client, build_sheet(*ROWS))
    assert cells_of(page) == {}
    page = press(client, page, "button.correct", 2)
    assert {row for row, _heading in cells_of(page)} == {"4"}
    assert focus_of(page) == "Konsert"
    page = correct(client, page, {("4", "Pris"): "", ("4", "Plats"): "Scen"}, open="3")
    assert corrected_on(page) == [
        "Konsert, Plats: (empty) → becomes Scen Take back",
        "Konsert, Pris: 50 kr → becomes (empty) Take back",
    ]
    assert cells_of(page) == {}
    page = press(client, page, "button[name=back]", 1)
    assert corrected_on(page) == ["Konsert, Plats: (empty) → becomes Scen Take back"]
    apply_preview(client, page)
    concert = Occasion.objects.filter(event__title="Konsert")
    assert concert.values_list("event__price", "location__name").get() == ("50 kr", "Scen")


def test_a_row_that_cannot_be_read_has_its_cells_once(client):
    page = show_preview(client, build_sheet(BROKEN[0], "Trasig;Parken;;2026-09-16;19;20;"))
    names = [each["name"] for each in parse(page).select("[data-file]")]
    assert len(names) == len({*names}) == 7


def test_a_value_is_said_once_for_all_rows_that_have_it(client):
    page = show_preview(client, build_sheet(*ROWS, *BROKEN))
    [also] = {each["name"] for each in parse(page).select("input[name^=also][checked]")}
    page = correct(client, page, {("6", "Start"): "18"}, **{also: "on"})
    assert refusals_on(page) == [
        ("Trasig", "Left out: “igår” is no date: write it in figures, like 2026-09-12")
    ]
    assert corrected_on(page) == ["Kväll, Start: kväll → becomes 18 and in 1 other row Take back"]
    apply_preview(client, page)
    # It holds for a row that comes later.
    page = show_preview(client, build_sheet(*ROWS, "Sen;Parken;;2026-09-16;kväll;20;"))
    assert row_kinds(page)[0] == ("new", "Sen")


def test_a_text_that_is_right_elsewhere_is_not_corrected_there_unless_somebody_ticks_it(client):
    headings = "Titel;Område;Datum;Start;Slutdatum;Slut"
    rows = ["A;Parken;2026-09-12;19;2026-09-10;20", "B;Parken;2026-09-09;19;2026-09-10;20"]
    page = show_preview(client, build_sheet(*rows, headings=headings))
    assert [each.get("checked") for each in parse(page).select("input[name^=also]")] == [None]


def test_what_is_said_of_rows_that_may_not_be_written_is_not_remembered(client):
    for area in ("Parken", "Hamnen"):
        Area.objects.create(name=area)
    EventType.objects.create(name_sv="Övrigt")
    sheet = build_sheet("Fest;Hamnen;;2026-09-15;kväll;20;", "Dans;Parken;;2026-09-15;sju;20;")
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(client, sheet)
    page = correct(client, page, {("2", "Start"): "19", ("3", "Start"): "19"})
    apply_preview(client, page)
    assert {key for key in recall_answers("office") if key.startswith("value:")} != set()
    assert not any("kväll" in key for key in recall_answers("office"))


def test_what_was_typed_is_not_lost_by_another_button(client):
    page = show_preview(client, build_sheet(*ROWS, *BROKEN[:2]))
    address, cells = page.wsgi_request.path, cells_of(page)
    done = client.post(f"{address}apply/", {"apply": "1", cells["5", "Datum"]["name"]: "2026-09-15"})
    page = client.get(done["Location"], follow=True)
    assert messages_on(page) == ["This is what would happen with what you have said now. Look again."]
    assert not Event.objects.exists()
    client.post(f"{address}answers/", {cells["6", "Start"]["name"]: "18"})
    assert refusals_on(read_upload(client, address)) == []
    newer = build_sheet(*ROWS, *BROKEN)
    client.post(address, {"file": SimpleUploadedFile("v2.csv", newer), cells["6", "Slut"]["name"]: "22"})
    page = read_upload(client, address)
    assert [title for title, _why in refusals_on(page)] == ["Natt"]
    # The cells of the former file are none of this one.
    assert "Kväll, Slut: 20 → becomes 22 Take back" in corrected_on(page)
    done = client.post(f"{address}cells/", {"cell-1-00000000-title": "X", "cell-x": "", "back": "9"})
    assert done.status_code == 302
    assert len(corrected_on(client.get(address))) == 3


def test_a_row_whose_title_is_taken_away_continues_no_other(client):
    page = show_preview(client, build_sheet(*ROWS, BROKEN[0]))
    page = correct(client, page, {("5", "Datum"): "2026-09-15", ("5", "Titel"): ""})
    assert [why for _title, why in refusals_on(page)] == ["Left out: the title is missing"]


def test_an_exported_sheet_is_corrected_but_for_what_it_is_known_by(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    text = client.get(f"{EXPORT}?format=csv&drafts=on&all=on").getvalue().replace(b"50 kr", b"5 kr")
    page = press(client, show_preview(client, text, source=""), "button.correct")
    [row] = {row for row, _heading in cells_of(page)}
    assert {"No", "Title", "Price"} <= {heading for _row, heading in cells_of(page)}
    assert not {"Occasion's ID", "Last modified"} & {heading for _row, heading in cells_of(page)}
    apply_preview(client, correct(client, page, {(row, "Price"): "60 kr"}))
    assert Event.objects.get(title="Konsert").price == "60 kr"


def test_whose_upload_it_is_and_what_they_may_do_decides(client):
    page = show_preview(client, build_sheet(*ROWS, BROKEN[0]))
    address, name = page.wsgi_request.path, cells_of(page)["5", "Datum"]["name"]
    for area in ("Parken", "Hamnen"):
        Area.objects.create(name=area)
    EventType.objects.create(name_sv="Övrigt")
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    assert client.post(f"{address}cells/", {name: "2026-09-15"}).status_code == 404
    assert not any(key.startswith("value:") for key in Upload.objects.get().options["answers"])
    page = show_preview(client, build_sheet("Fest;Hamnen;;igår;19;20;"))
    page = correct(client, page, {("2", "Datum"): "2026-09-15"})
    assert refusals_on(page) == [("Fest", "You may not put events into this area.")]
    page = correct(client, press(client, page, "button.correct"), {("2", "Område"): "Parken"})
    assert apply_and_list_messages(client, page) == ["Imported: 1 event, 1 occasion."]


def test_a_calendar_has_no_cells(client):
    event = ["BEGIN:VEVENT", "SUMMARY:Fest", "DTSTART:20260912T170000Z", "END:VEVENT"]
    broken = ["BEGIN:VEVENT", "SUMMARY:Dans", "DTSTART:fel", "END:VEVENT"]
    lines = ["BEGIN:VCALENDAR", *event, *broken, "END:VCALENDAR"]
    page = show_preview(client, "\r\n".join(lines).encode(), name="x.ics", area="Parken")
    assert (len(refusals_on(page)), parse(page).select("tr.cells, button.correct")) == (1, [])
    apply_preview(client, page)
    found = Event.objects.values_list("title", "area__name", "occasions__location")
    assert found.get() == ("Fest", "Parken", None)
