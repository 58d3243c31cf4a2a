"""An import is undone in one step, and the same file brings its rows again."""

from typing import Any

import pytest
from django.test import Client

from programme.models import Edit, Event, ImportedRow, Location, Occasion
from tests.programme.backoffice.changes.pages import list_changes, undo
from tests.programme.backoffice.imports.pages import (
    ROWS,
    apply_preview,
    build_sheet,
    show_preview,
    sign_in_administrator,
)
from tests.programme.backoffice.requests import parse, submission


@pytest.fixture
def client(db: None) -> Client:
    return sign_in_administrator()


def apply(client: Client, content: bytes) -> Any:
    done = apply_preview(client, show_preview(client, content))
    return client.get(done["Location"], follow=True)


def read_rows() -> list[Any]:
    return [
        *Event.objects.order_by("title").values_list("title", "price", "area__name"),
        *Occasion.objects.order_by("start").values_list("start", "event__title", "location__name"),
    ]


def test_an_import_is_undone_and_brings_its_rows_again(client: Client) -> None:
    done = apply(client, build_sheet(*ROWS))
    imported = read_rows()
    assert len(imported) == 5
    edit = Edit.objects.latest("pk")
    link = parse(done).select_one(".messagelist a.undo")["href"]
    assert link == f"/admin/changes/{edit.pk}/undo/"
    undo(client, edit)
    assert (read_rows(), Location.objects.count()) == ([], 0)
    assert list_changes(client)[0] == "Undid: Imported office: 2 events, 3 occasions"
    apply(client, build_sheet(*ROWS))
    assert read_rows() == imported


def test_an_import_that_is_done_again_knows_what_it_stated(client: Client) -> None:
    apply(client, build_sheet(*ROWS))
    memory = list(ImportedRow.objects.order_by("pk").values())
    undo(client, Edit.objects.latest("pk"))
    assert set(ImportedRow.objects.values_list("kind", flat=True)) == {
        *("choices", "undone-event", "undone-occasion")
    }
    undo(client, Edit.objects.latest("pk"))
    assert list(ImportedRow.objects.order_by("pk").values()) == memory
    # What an editor has changed since is a conflict, as it would have been.
    Event.objects.filter(title="Fest").update(price="1 kr")
    apply(client, build_sheet(*ROWS).replace(b"Fri", b"2 kr"))
    assert Event.objects.get(title="Fest").price == "1 kr"


def test_a_row_that_an_editor_has_deleted_stays_deleted_when_its_restoring_is_undone(client: Client) -> None:
    apply(client, build_sheet(*ROWS))
    event = Event.objects.get(title="Konsert")
    client.post(f"/admin/programme/event/{event.pk}/delete/", {"post": "yes"})
    page = client.get(f"/admin/programme/event/{event.pk}/bring-back/")
    client.post(f"/admin/programme/event/{event.pk}/bring-back/", submission(page))
    assert Event.objects.filter(pk=event.pk).exists()
    undo(client, Edit.objects.latest("pk"))
    apply(client, build_sheet(*ROWS))
    assert not Event.objects.filter(title="Konsert").exists()
