"""A sheet in which every row has its own ID while titles repeat: imported as the person who imports it says."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.core.management import CommandError, call_command
from django.test import Client

from programme.models import Event, Occasion
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    build_sheet,
    read_upload,
    row_kinds,
    show_preview,
)

pytestmark = pytest.mark.django_db

HEADINGS = "ID;Titel;Område;Datum;Start;Slut"
ROWS = ("71;Fanny;Bio;2026-09-11;18;20", "72;Sv;Bio;2026-09-11;21;22", "73;Fanny;Bio;2026-09-12;18;20")
SHEET = build_sheet(*ROWS, headings=HEADINGS)


def answer(client: Client, content: bytes, answer: str):
    address = show_preview(client, content).wsgi_request.path
    client.post(f"{address}answers/", {"answer-ids": answer})
    return read_upload(client, address)


def stored() -> list[tuple[str, str]]:
    return list(Occasion.objects.order_by("start").values_list("event__title", "source_id"))


def test_the_ids_of_occasions_find_them_again(client):
    apply_and_list_messages(client, answer(client, SHEET, "occasion"))
    assert stored() == [("Fanny", "71"), ("Sv", "72"), ("Fanny", "73")]
    assert Event.objects.count() == 2
    moved = build_sheet(*ROWS[:2], ROWS[2].replace("12;18;20", "13;17;19"), headings=HEADINGS)
    page = answer(client, moved, "occasion")
    assert [kind for kind, _title in row_kinds(page)] == [
        "left alone",
        "left alone",
        "changed",
        "left alone",
        "left alone",
    ]
    apply_and_list_messages(client, page)
    assert stored() == [("Fanny", "71"), ("Sv", "72"), ("Fanny", "73")]


def test_the_next_file_of_the_source_is_read_with_the_same_answer(client):
    apply_and_list_messages(client, answer(client, SHEET, "event"))
    assert Event.objects.count() == 3
    longer = build_sheet(*ROWS, "74;Sv;Bio;2026-09-13;21;22", headings=HEADINGS)
    page = show_preview(client, longer)
    ticked = BeautifulSoup(page.content, "lxml").select_one(".questions input[checked]")
    assert ticked["value"] == "event"
    apply_and_list_messages(client, page)
    assert Event.objects.count() == 4
    # Another source's IDs may be something else.
    assert "1 question has to be answered" in show_preview(client, longer, source="x").content.decode()


def test_the_command_says_whose_the_ids_are(tmp_path: Path):
    file = tmp_path / "sheet.csv"
    file.write_bytes(SHEET)
    with pytest.raises(CommandError, match="--answer ids=occasion: "):
        call_command("import", str(file), "--source", "x")
    call_command("import", str(file), "--source", "x", "--ids", "event", verbosity=0)
    events = [("71", "Fanny"), ("72", "Sv"), ("73", "Fanny")]
    assert sorted(Event.objects.values_list("source_id", "title")) == events
    # The answer is remembered.
    call_command("import", str(file), "--source", "x", verbosity=0)
    assert sorted(Event.objects.values_list("source_id", "title")) == events


@pytest.mark.parametrize(
    "rows", [ROWS[:2], (*ROWS, "73;Fanny;Bio;2026-09-13;18;20")], ids=["no title repeats", "an ID repeats"]
)
def test_the_answer_holds_for_a_file_that_would_not_raise_the_question(client, rows):
    apply_and_list_messages(client, answer(client, SHEET, "occasion"))
    page = show_preview(client, build_sheet(*rows, headings=HEADINGS))
    [question] = page.context["preview"]["questions"]
    assert (question["text"], question["answer"]) == ("What does “ID” identify?", "occasion")
    # The second row with the ID is one more occasion.
    assert [kind for kind, _title in row_kinds(page) if kind != "left alone"] == ["new"] * (len(rows) == 4)
    apply_and_list_messages(client, page)
    assert Event.objects.count() == 2
