"""Uploads that are refused, and what is read in spite of its form."""

import pytest
from django.test import Client

from programme.exchange.readers.interface.documents import pack
from programme.models import (
    Event,
    Occasion,
)
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_preview,
    build_sheet,
    messages_on,
    preview_rows,
    show_preview,
    upload,
)

pytestmark = pytest.mark.django_db


def test_a_row_that_was_copied_in_the_sheet_is_another_occasion(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    header, *lines = client.get(f"{EXPORT}?format=csv&drafts=on").getvalue().decode("utf-8-sig").splitlines()
    copied = next(line for line in lines if "Konsert" in line)
    page = show_preview(
        client, "\n".join([header, *lines, copied.replace("2026-09-14", "2026-09-16")]).encode(), source=""
    )
    apply_preview(client, page)
    starts = Occasion.objects.filter(event__title="Konsert").order_by("start").values_list("start", flat=True)
    assert [f"{start:%m-%d}" for start in starts] == ["09-14", "09-16"]


def refusal(client: Client, content: bytes, name: str) -> str:
    done = client.post(f"{upload(client, content, name=name)['Location']}read/")
    (message,) = messages_on(client.get(done["Location"], follow=True))
    return message.partition("”: ")[2]


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"x", "a.xls", "it is an old Excel file (.xls) or has a password: "
         "save it as a new one (.xlsx) without a password."),
        (b"<html>", "a.xls", "it is an old Excel file (.xls) or has a password: "
         "save it as a new one (.xlsx) without a password."),
        (b'{"a": 1}', "a.json", "it is JSON, but neither a frab schedule, events of the Linked Events API "
         "nor another service's events.json."),
        (b"[1, 2]", "a.json", "it is JSON, but neither a frab schedule, events of the Linked Events API "
         "nor another service's events.json."),
        (b'{"a":\n 1', "a.json", "it is cut off or damaged (line 2)."),
        (b"<a>\n<b>", "a.xml", "it is cut off or damaged (line 2)."),
        (b"PK\x03\x04no", "a.xlsx", "it is cut off or damaged."),
        (pack({"a.csv": b"Titel;Datum;Start"}), "a.zip",
         "it is a zip file, but no spreadsheet: unpack it, and import its files one by one."),
        (b'Titel;Datum;Start\nA;2026-09-12;19\n"B;2026-09-12;19\nC;2026-09-12;19\n', "a.csv",
         "row 3: a quotation mark is opened and not closed."),
        (b'Titel;Datum;Start\n"B' + b"x" * 200_000, "a.csv",
         "row 2: a cell is far too long; is a quotation mark opened and not closed?."),
        (b"\x89PNG", "a.png", "it is no file of a kind that can be imported: a spreadsheet (XLSX, CSV), iCalendar, "
         "frab, Linked Events or another service's events.json."),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused_in_plain_words(client, content, name, message):
    assert refusal(client, content, name) == message


def test_quotation_marks_inside_of_cells_are_no_matter(client):
    page = show_preview(
        client, b'Titel;Omr\xc3\xa5de;Datum;Start\n"A ""x""; y";P;2026-09-12;19\n5" skiva;P;2026-09-12;20'
    )
    assert [row[2] for row in preview_rows(page)][::2] == ['A "x"; y', '5" skiva']


def test_the_history_leaves_out_what_changed_an_identity_alone(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    event = Event.objects.get(title="Konsert")
    Event.objects.filter(pk=event.pk).update(source_id="another")
    page = client.get(f"/admin/programme/event/{event.pk}/history/")
    assert len(page.context["page"].object_list) == 1
