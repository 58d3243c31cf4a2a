"""Readers are told of what an import changes for them, by one question for all of it."""

from typing import Any

import pytest

from feeds.marks import NO_MARK, Mark
from feeds.vocabulary import Text
from programme.backoffice.roles import Role
from programme.models import Area, Edit, Event, News, Occasion, Status
from programme.publishing.news_reader import read_marks
from tests.programme.backoffice.imports.pages import (
    HEADINGS,
    ROWS,
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    create_user_in_role,
    odd_on,
    show_preview,
)
from tests.programme.backoffice.requests import parse
from tests.programmes import utc

pytestmark = pytest.mark.django_db

# Fest on 12 September starts an hour later, Konsert is in the tent.
LATER = build_sheet(
    "Fest;Parken;Scen;2026-09-12;20;21;Fri", *ROWS[1:2], "Konsert;Parken;Tält;2026-09-14;19;20;50 kr"
)


def list_marks() -> list[Mark]:
    """Return of each occasion in order its mark."""
    rows = list(Occasion.objects.select_related("event", "location", "room__location").order_by("start"))
    marks = read_marks(rows)
    return [marks.get(row.pk, NO_MARK) for row in rows]


def list_notes() -> list[str]:
    return [mark.change_info.sv for mark in list_marks()]


def find_question(page: Any) -> str:
    found = parse(page).select_one("section.questions legend")
    return found.get_text() if found else ""


def count(number: int) -> str:
    return f"{number} occasion{'s change' if number > 1 else ' changes'} for readers. Are they told?"


def test_what_changes_for_readers_is_told_by_default(imported):
    page = show_preview(imported, LATER)
    assert find_question(page) == count(2)
    # In the words of the forms, and sent with what applies the import.
    yes, no = parse(page).select("section.questions label:has([form=apply])")
    assert (yes.text.strip(), yes.input.has_attr("checked"), no.text.strip()) == ("Yes", True, "No")
    apply_preview(imported, page)
    moved, second, placed = list_marks()
    assert moved == Mark(moved.changed_at, Text(), utc(2026, 9, 12, 17), "")
    assert second == NO_MARK
    assert placed.changed_at == moved.changed_at is not None


def test_who_says_no_tells_nothing_and_is_asked_again(imported):
    page = show_preview(imported, LATER)
    imported.post(page.redirect_chain[-1][0] + "apply/", {"apply": "1", "tell": "no"})
    assert list_marks() == [NO_MARK] * 3
    assert Occasion.objects.filter(start=utc(2026, 9, 12, 18)).exists()
    assert find_question(show_preview(imported, build_sheet(*ROWS))) == count(2)


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (ROWS, ""),
        (["Fest;Parken;Scen;2026-09-12;19;20;90 kr", *ROWS[1:]], ""),
        ([*ROWS, "Nytt;Parken;;2026-09-15;19;20;"], count(1)),
    ],
)
def test_texts_are_not_asked_about_and_what_is_new_is(imported, rows, question):
    assert find_question(show_preview(imported, build_sheet(*rows))) == question


@pytest.mark.parametrize("tell", ["yes", "no"])
def test_what_is_new_is_told_unless_the_editor_says_no(imported, tell):
    News.objects.all().delete()
    page = show_preview(imported, build_sheet(*ROWS, "Nytt;Parken;;2026-09-15;19;20;"))
    imported.post(
        page.redirect_chain[-1][0] + "apply/", {"apply": "1", "tell": tell, "accept": [*odd_on(page)]}
    )
    assert News.objects.filter(kind="new").count() == (tell == "yes")


def test_drafts_and_what_is_over_are_not_asked_about(imported, at):
    Event.objects.filter(title="Fest").update(status=Status.DRAFT)
    page = show_preview(imported, LATER)
    assert find_question(page) == count(1)
    at(utc(2026, 9, 20))
    assert find_question(show_preview(imported, LATER)) == ""


# --- Notes of the file


def add_notes(*notes: str, heading: str = "Vad som har ändrats") -> bytes:
    rows = (f"{row};{note}" for row, note in zip(ROWS, notes, strict=True))
    return build_sheet(*rows, headings=f"{HEADINGS};{heading}")


def list_told(page: Any) -> list[tuple[str, str]]:
    """Return the kinds of the shown occasions, and what readers are told of them."""
    shown = [each for row in page.context["preview"]["rows"] for each in row["occasions"]]
    return [(each["kind"], text) for each in shown for _name, _old, text in each["fields"]]


def test_a_cancelled_event_is_told_with_the_note_that_the_file_has(imported):
    headings = f"{HEADINGS};Inställt;Vad som har ändrats"
    rows = [f"{row};{'ja;Regn' if row.startswith('Konsert') else ';'}" for row in ROWS]
    page = show_preview(imported, build_sheet(*rows, headings=headings))
    assert find_question(page) == count(1)
    apply_preview(imported, page)
    assert list_notes() == ["", "", "Regn"]
    assert News.objects.get(note_sv="Regn").kind == "cancelled"


def test_a_note_alone_is_asked_about_and_told_once(imported):
    page = show_preview(imported, add_notes("", "", "Ny artist"))
    assert (find_question(page), list_told(page)) == (count(1), [("changed", "Ny artist")])
    assert apply_and_list_messages(imported, page) == ["Readers are told."]
    assert list_notes() == ["", "", "Ny artist"]
    piece = News.objects.get(note_sv="Ny artist")
    assert (piece.kind, Edit.objects.get(pk=piece.edit_id).reason) == ("changed", "import")
    page = show_preview(imported, add_notes("", "", "Ny artist"))
    assert (find_question(page), page.context["preview"]["writes"]) == ("", False)
    assert list_told(show_preview(imported, add_notes("", "", "Ny scen"))) == [("changed", "Ny scen")]


def test_a_note_is_not_written_without_telling(imported):
    page, before = show_preview(imported, add_notes("", "", "Ny artist")), Edit.objects.count()
    imported.post(page.redirect_chain[-1][0] + "apply/", {"apply": "1", "tell": "no"})
    assert (list_notes(), Edit.objects.count()) == (["", "", ""], before)


def test_a_note_of_an_event_is_told_of_all_that_is_not_over(imported, at):
    assert len(list_told(show_preview(imported, add_notes("Ny artist", "Ny artist", "")))) == 2
    at(utc(2026, 9, 13))
    apply_preview(imported, show_preview(imported, add_notes("Ny artist", "Ny scen", "")))
    assert list_notes() == ["", "Ny scen", ""]
    at(utc(2026, 9, 13, 1))
    apply_preview(imported, show_preview(imported, add_notes("Ny artist", "Ny artist", "")))
    assert list_notes() == ["", "Ny artist", ""]


def test_notes_of_drafts_and_of_new_occasions_are_told_nobody(imported):
    Event.objects.filter(title="Konsert").update(status=Status.DRAFT)
    new = "Nytt;Parken;;2026-09-15;19;20;;Ny artist"
    page = show_preview(imported, add_notes("", "", "Ny artist") + f"\n{new}".encode())
    assert find_question(page) == count(1)
    apply_preview(imported, page)
    assert not News.objects.exclude(note_sv="").exists()


def test_notes_in_areas_of_others_are_told_nobody(imported):
    Area.objects.create(name="Torget")
    for area, told in (("Parken", count(1)), ("Torget", "")):
        user = create_user_in_role(Role.AREA_EDITOR, area)
        imported.force_login(user)
        assert find_question(show_preview(imported, add_notes("", "", "Ny artist"))) == told
        user.delete()
