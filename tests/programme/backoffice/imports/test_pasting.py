"""A programme that is pasted as text is read as a file of its kind would be."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from programme.models import Occasion
from tests.programme.backoffice.imports.pages import apply_and_list_messages, messages_on, read_upload
from tests.programme.backoffice.requests import parse

pytestmark = pytest.mark.django_db

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:a
DTSTART;TZID=Europe/Stockholm:20260912T180000
DTEND;TZID=Europe/Stockholm:20260912T200000
SUMMARY:Jazz
LOCATION:Stora scenen
END:VEVENT
END:VCALENDAR
"""
CELLS = "Titel\tDatum\tTid\tPlats\nJazz\t2026-09-12\t18-20\tStora scenen\nClown\t2026-09-13\t14\tLilla scenen"
JAZZ, CLOWN = ("Jazz", "12 18:00", "20:00", "Stora scenen"), ("Clown", "13 14:00", "14:30", "Lilla scenen")


def paste(client, text: str, **values: str):
    return client.post("/admin/import/", {"pasted": text} | values)


def import_pasted(client, text: str) -> list[tuple[str, ...]]:
    address = paste(client, text)["Location"]
    apply_and_list_messages(client, read_upload(client, address))
    found = Occasion.objects.order_by("start").select_related("event", "location")
    return [
        (
            each.event.title,
            f"{each.start.astimezone():%d %H:%M}",
            f"{each.end.astimezone():%H:%M}",
            each.location.name,
        )
        for each in found
    ]


@pytest.mark.parametrize(
    ("text", "expected"), [(CALENDAR, [JAZZ]), (CELLS, [JAZZ, CLOWN])], ids=["calendar", "cells"]
)
def test_a_pasted_programme_is_imported(client, text, expected):
    assert import_pasted(client, text) == expected
    assert {*Occasion.objects.values_list("source", flat=True)} == {"pasted text"}


@pytest.mark.parametrize(
    ("values", "errors"),
    [
        ({}, ["Choose a file."]),
        ({"pasted": " \n"}, ["Choose a file."]),
        (
            {"pasted": "x", "file": SimpleUploadedFile("x.csv", b"y")},
            ["Give one of them: a file or a pasted text."],
        ),
        ({"pasted": "å" * 600_000}, ["The file is larger than 1 MB: divide it into several files."]),
    ],
)
def test_exactly_one_is_given_within_the_limits(client, settings, values, errors):
    settings.IMPORT_MB = 1
    page = paste(client, values.pop("pasted", ""), **values)
    assert [each.text for each in parse(page).select(".errorlist li")] == errors


def test_what_cannot_be_read_is_still_in_the_form(client):
    page = read_upload(client, paste(client, 'Titel;Datum\n"Jazz;12/9')["Location"])
    assert messages_on(page) == [
        "Nothing is imported from “pasted text.txt”: row 2: a quotation mark is opened and not closed."
    ]
    assert parse(page).select_one("#id_pasted").text.strip() == 'Titel;Datum\n"Jazz;12/9'
