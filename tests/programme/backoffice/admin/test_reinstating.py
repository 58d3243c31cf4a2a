"""What is reinstated has no mark that said it was cancelled, whichever way, and what is told of it instead."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from feeds.vocabulary import Text
from programme.models import Event, Occasion, Status
from tests.conftest import NOW
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.bulk import pages
from tests.programme.backoffice.marks import list_told, read_mark
from tests.programme.backoffice.requests import send, submission
from tests.programmes import mark_changed, utc

OCCASIONS = "/admin/programme/occasion/"

# Reinstates a row, with what is typed beside that.
Way = Callable[..., Any]


@pytest.fixture
def row(jazz: Event) -> Occasion:
    """The only occasion, cancelled and with a note."""
    Event.objects.update(status=Status.PUBLISHED)
    Occasion.objects.update(cancelled=True)
    mark_changed(Occasion.objects.all(), Text("Åska", "Thunder"), utc(2026, 7, 1))
    return Occasion.objects.get()


def in_its_form(office: Client, row: Occasion, **typed: str) -> Any:
    return send(office, f"{OCCASIONS}{row.pk}/change/", follow=True, cancelled="", **typed)


def in_the_form_of_its_event(office: Client, row: Occasion, **typed: str) -> Any:
    return send(office, change_address(row.event), follow=True, **{"occasions-0-cancelled": ""}, **typed)


def in_its_list(office: Client, row: Occasion, **typed: str) -> Any:
    return act(office, OCCASIONS, row.pk, typed)


def in_the_list_of_events(office: Client, row: Occasion, **typed: str) -> Any:
    return act(office, EVENTS, row.event_id, typed)


def act(office: Client, address: str, key: int, typed: dict[str, str]) -> Any:
    chosen = {"action": "reinstate", "_selected_action": [key]}
    asked = office.post(address, chosen)
    if asked.status_code == 302:
        # Of drafts nothing is asked.
        return office.get(address)
    return office.post(address, submission(asked) | chosen | typed, follow=True)


def with_many(office: Client, row: Occasion, **typed: str) -> Any:
    return pages.change(office, [row.pk], cancelled="reinstate", **typed)


WAYS: list[Way] = [in_its_form, in_the_form_of_its_event, in_its_list, in_the_list_of_events, with_many]
each_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


@each_way
@pytest.mark.parametrize(
    ("typed", "note"), [({}, ""), ({"tell": "no"}, None), ({"note": "Det blir av"}, "Det blir av")]
)
def test_why_it_was_cancelled_is_said_no_more_and_readers_are_told_unless_the_editor_says_no(
    office, row, way, typed, note
):
    assert read_mark(row.pk).change_info == Text("Åska", "Thunder")
    way(office, row, **typed)
    assert not Occasion.objects.get().cancelled
    assert list_told(NOW) == ([] if note is None else [("reinstated", row.pk, note)])
    assert read_mark(row.pk)[:2] == ((None, Text()) if note is None else (NOW, Text(note)))


@each_way
def test_of_a_draft_nobody_is_told(office, row, way):
    Event.objects.update(status=Status.DRAFT)
    way(office, row)
    assert not Occasion.objects.get().cancelled
    assert list_told(NOW) == []


def test_many_are_shown_with_what_readers_see_then(office, row):
    words = {
        tell: pages.read_rows(pages.show(office, [row.pk], cancelled="reinstate", tell=tell))
        for tell in ("yes", "no")
    }
    assert [cells[row.pk][3] for cells in words.values()] == ["CHANGED.", "nothing about it"]
