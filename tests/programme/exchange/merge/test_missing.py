"""What a file no longer has is withdrawn on request, but not what an editor changed."""

import pytest

from programme.history import edits
from programme.models import Event, Occasion, Status
from tests.programme.backoffice.imports.pages import (
    ROWS,
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    preview_rows,
    read_upload,
    row_kinds,
    show_preview,
)
from tests.programme.backoffice.requests import parse
from tests.programme.exchange.schedules import JAZZ, TEA, build_xml

pytestmark = pytest.mark.django_db

FEST, SECOND, KONSERT = ROWS


def test_what_is_missing_is_listed_row_by_row_and_counted(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Parken;;2026-09-14;19;20;")))
    Event.objects.filter(title="Mässa").update(status=Status.DRAFT)
    page = show_preview(client, build_sheet(FEST), withdraw_missing="on")
    gone = "no longer in the file"
    assert preview_rows(page) == [
        ("", "withdrawn", "Konsert", "no longer in the file: it becomes a draft, and readers do not see it"),
        ("", "deleted", "Fest, Sun 13 Sep 19:00", f"{gone}: this occasion is deleted, and its event stays"),
    ]
    assert "Mässa: is a draft, and stays as it is" in page.content.decode()
    assert apply_and_list_messages(client, page) == ["Withdrawn: 1 event. Deleted: 1 occasion."]
    expected = {"Fest": "published", "Konsert": "draft", "Mässa": "draft"}
    assert dict(Event.objects.values_list("title", "status")) == expected
    assert Occasion.objects.filter(event__title="Fest").count() == 1


def test_what_is_missing_stays_unasked(client, imported):
    page = show_preview(client, build_sheet(FEST))
    assert (row_kinds(page), page.context["folded"]) == ([], 1)
    text = page.content.decode()
    assert "2 rows are no longer in the file, and stay" in text
    assert "open" in parse(page).select_one("details.staying").attrs
    assert apply_and_list_messages(client, page) == ["Nothing had to be changed."]
    assert (Event.objects.filter(status="published").count(), Occasion.objects.count()) == (2, 3)


def test_a_new_event_is_said_to_be_one_that_is_missing(imported):
    known = Event.objects.values_list("pk", "occasions").get(title="Konsert")
    page = show_preview(imported, build_sheet(FEST, SECOND, KONSERT.replace("Konsert", "Recital")))
    [asked] = page.context["preview"]["names"]
    choices = [(each["value"], each["label"]) for each in asked["choices"]]
    assert choices == [("Konsert", "Konsert (Mon 14 Sep 19:00–20:00)"), ("+", "it is new")]
    assert (asked["answer"], asked["group"]) == ("+", "New, or the same under another title?")
    address = page.wsgi_request.path
    for typed, kind in (("Mässa", "new"), ("konsert", "changed")):
        imported.post(f"{address}answers/", {f"other-{asked['key']}": typed})
        page = read_upload(imported, address)
        assert (kind, "Recital") in row_kinds(page)
        assert ("There is no “Mässa” here." in page.content.decode()) == (kind == "new")
    assert apply_and_list_messages(imported, page) == ["Imported: 1 event."]
    assert Event.objects.values_list("pk", "occasions").get(title="Recital") == known


def edit(rows, **values) -> None:
    with edits.record():
        rows.update(**values)


def without(client, *rows: str):
    return show_preview(client, build_sheet(*rows), withdraw_missing="on")


def test_an_event_that_was_edited_here_stays_until_it_is_ticked(imported):
    edit(Event.objects.filter(title="Konsert"), highlighted=True)
    event = Event.objects.get(title="Konsert")
    page = without(imported, FEST, SECOND)
    (row,) = [each for each in preview_rows(page) if each[2] == "Konsert"]
    assert row[1] == "kept"
    assert row[3].startswith("no longer in the file, but edited here on ")
    assert apply_and_list_messages(imported, page) == ["Nothing had to be changed."]
    assert Event.objects.get(title="Konsert").status == Status.PUBLISHED
    page = without(imported, FEST, SECOND)
    assert apply_and_list_messages(imported, page, f"event-{event.pk}-missing") == ["Withdrawn: 1 event."]
    assert Event.objects.get(title="Konsert").status == Status.DRAFT


def test_an_occasion_that_was_edited_here_stays_until_it_is_ticked(imported):
    occasion = Occasion.objects.order_by("start")[1]
    edit(Occasion.objects.filter(pk=occasion.pk), cancelled=True)
    page = without(imported, FEST, KONSERT)
    assert ("kept", "Fest, Sun 13 Sep 19:00") in row_kinds(page)
    apply_preview(imported, page)
    assert Occasion.objects.filter(pk=occasion.pk).exists()
    page = without(imported, FEST, KONSERT)
    said = apply_and_list_messages(imported, page, f"occasion-{occasion.pk}-missing")
    assert said == ["Deleted: 1 occasion."]
    assert not Occasion.objects.filter(pk=occasion.pk).exists()


def test_an_event_whose_occasion_was_edited_or_added_here_stays(imported):
    event = Event.objects.get(title="Konsert")
    first = Occasion.objects.get(event=event)
    with edits.record():
        Occasion.objects.create(event=event, start=first.start, end=first.end)
    assert ("kept", "Konsert") in row_kinds(without(imported, FEST, SECOND))


def test_publishing_or_editing_back_is_no_edit(imported):
    konsert = Event.objects.filter(title="Konsert")
    edit(konsert, status=Status.DRAFT)
    edit(konsert, status=Status.PUBLISHED)
    edit(konsert, price="10 kr")
    edit(konsert, price="50 kr")
    assert ("withdrawn", "Konsert") in row_kinds(without(imported, FEST, SECOND))


def test_what_an_import_has_overwritten_since_is_no_edit(run):
    run(build_xml(TEA, JAZZ))
    edit(Event.objects.filter(title="Jazz"), title="Blues")
    run(build_xml(TEA, JAZZ), "--overwrite")
    run(build_xml(TEA), "--withdraw-missing")
    assert Event.objects.get(title="Jazz").status == Status.DRAFT
