"""Readers are told of what an import changes for them, by one question for all of it."""

from typing import Any

import pytest
from bs4 import BeautifulSoup

from programme.models import Event, Occasion, Status
from tests.programme.backoffice.imports.pages import ROWS, apply_preview, build_sheet, show_preview
from tests.programmes import utc

pytestmark = pytest.mark.django_db

# Fest on 12 September starts an hour later, Konsert is in the tent.
LATER = build_sheet(
    "Fest;Parken;Scen;2026-09-12;20;21;Fri", *ROWS[1:2], "Konsert;Parken;Tält;2026-09-14;19;20;50 kr"
)


def read_marks() -> list[tuple[Any, ...]]:
    """Return of each occasion in order its mark, and from when and where it was moved."""
    return list(
        Occasion.objects.order_by("start").values_list("changed_at", "previous_start", "previous_place")
    )


def find_question(page: Any) -> str:
    found = BeautifulSoup(page.content, "lxml").select_one("section.questions legend")
    return found.get_text() if found else ""


def count(number: int) -> str:
    return (
        f"{number} published occasion{'s change' if number > 1 else ' changes'} for readers. Are they told?"
    )


def test_what_changes_for_readers_is_told_by_default(imported):
    page = show_preview(imported, LATER)
    assert find_question(page) == count(2)
    [chosen] = BeautifulSoup(page.content, "lxml").select("section.questions [checked]")
    assert chosen["value"] == "yes"
    apply_preview(imported, page)
    moved, second, placed = read_marks()
    assert moved[0] is not None
    assert moved[1:] == (utc(2026, 9, 12, 17), "")
    assert second == (None, None, "")
    assert placed[0] == moved[0]
    assert not Event.objects.exclude(changed_at=None).exists()


def test_who_says_no_tells_nothing_and_is_asked_again(imported):
    page = show_preview(imported, LATER)
    imported.post(page.redirect_chain[-1][0] + "apply/", {"apply": "1", "tell": "no"})
    assert read_marks() == [(None, None, "")] * 3
    assert Occasion.objects.filter(start=utc(2026, 9, 12, 18)).exists()
    assert find_question(show_preview(imported, build_sheet(*ROWS))) == count(2)


@pytest.mark.parametrize(
    "rows",
    [ROWS, ["Fest;Parken;Scen;2026-09-12;19;20;90 kr", *ROWS[1:]], [*ROWS, "Nytt;Parken;;2026-09-15;19;20;"]],
)
def test_texts_and_what_is_new_are_not_asked_about(imported, rows):
    assert find_question(show_preview(imported, build_sheet(*rows))) == ""


def test_drafts_and_what_is_over_are_not_asked_about(imported, at):
    Event.objects.filter(title="Fest").update(status=Status.DRAFT)
    page = show_preview(imported, LATER)
    assert find_question(page) == count(1)
    at(utc(2026, 9, 20))
    assert find_question(show_preview(imported, LATER)) == ""


def test_a_cancelled_event_is_told_with_the_note_that_the_file_has(imported):
    headings = "Titel;Område;Plats;Datum;Start;Slut;Pris;Inställt;Vad som har ändrats"
    rows = [f"{row};{'ja;Regn' if row.startswith('Konsert') else ';'}" for row in ROWS]
    page = show_preview(imported, build_sheet(*rows, headings=headings))
    assert find_question(page) == count(1)
    apply_preview(imported, page)
    occasion = Occasion.objects.get(event__title="Konsert")
    assert (occasion.cancelled, occasion.event.change_info) == (True, "Regn")
    assert occasion.changed_at is not None
