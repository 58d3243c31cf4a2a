"""What is reinstated loses the note that said why it was cancelled, whichever way, unless its editor keeps it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from programme.models import Event, Occasion, Status
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.bulk import pages
from tests.programme.backoffice.requests import list_messages, parse, send, submission
from tests.programmes import utc

OCCASIONS = "/admin/programme/occasion/"
MARKED_AT = utc(2026, 7, 1)
WHOLE = "Readers still see the news about the whole event."

# Reinstates a row, with what is typed beside that.
Way = Callable[..., Any]
NOTE = {"change_info": "Åska", "change_info_en": "Thunder"}


@pytest.fixture(autouse=True)
def _published(jazz: Event) -> None:
    Event.objects.update(status=Status.PUBLISHED)


def mark(**values: Any) -> Occasion:
    """Return the only occasion, cancelled and with a note."""
    Occasion.objects.update(**{"cancelled": True, **NOTE, "changed_at": MARKED_AT, **values})
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
    ("typed", "note", "is_marked_now"),
    [
        ({}, "", True),
        ({"tell": "nothing"}, "", False),
        ({"tell": "keep"}, "Åska", False),
        ({"tell": "occasions", "note": "Det blir av"}, "Det blir av", True),
    ],
)
def test_the_note_goes_with_the_cancellation_unless_it_is_kept_or_replaced(
    office, way, typed, note, is_marked_now
):
    row = mark()
    way(office, row, **typed)
    row.refresh_from_db()
    assert (row.cancelled, row.change_info) == (False, note)
    assert row.change_info_en == ("Thunder" if note == "Åska" else "")
    assert (row.changed_at != MARKED_AT) == is_marked_now


@each_way
def test_a_draft_loses_its_note_too(office, way):
    row = mark()
    Event.objects.update(status=Status.DRAFT)
    way(office, row)
    row.refresh_from_db()
    assert (row.cancelled, row.change_info, row.change_info_en) == (False, "", "")


def test_drafts_among_many_lose_their_notes_where_readers_are_told_of_the_others(office):
    row = mark()
    Event.objects.update(status=Status.DRAFT)
    with_many(office, row, tell="occasions", note="Det blir av")
    row.refresh_from_db()
    assert (row.cancelled, row.change_info, row.changed_at) == (False, "", MARKED_AT)


@pytest.mark.parametrize(("values", "is_offered"), [({}, True), (dict.fromkeys(NOTE, ""), False)])
def test_keeping_a_note_is_offered_where_there_is_one(office, jazz, values, is_offered):
    row = mark(**values)
    chosen = {"action": "reinstate", "_selected_action": [row.pk]}
    shown = [
        office.get(f"{OCCASIONS}{row.pk}/change/"),
        office.get(change_address(jazz)),
        office.post(OCCASIONS, chosen),
    ]
    assert [_offers_to_keep(each) for each in shown] == [is_offered] * len(shown)


def _offers_to_keep(response: Any) -> bool:
    page = parse(response)
    return page.select_one("select[name=tell] option[value=keep]") is not None


@pytest.mark.parametrize("way", [way for way in WAYS if way is not with_many])
def test_a_note_about_the_whole_event_is_named_because_it_stays(office, way):
    row = mark(**dict.fromkeys(NOTE, ""), changed_at=None)
    Event.objects.update(change_info="Åska", changed_at=MARKED_AT)
    assert WHOLE in list_messages(way(office, row, tell="nothing"))
    assert Event.objects.get().change_info == "Åska"


@pytest.mark.parametrize(
    ("event", "typed"),
    [
        ({"change_info": "Åska", "changed_at": MARKED_AT}, {"tell": "event", "note": "Det blir av"}),
        ({"change_info": "Åska", "changed_at": utc(2026, 6, 1)}, {}),
        ({"change_info": "", "changed_at": MARKED_AT}, {}),
    ],
)
def test_a_note_about_the_whole_event_that_is_true_or_unseen_is_not_named(office, event, typed):
    row = mark(**dict.fromkeys(NOTE, ""), changed_at=utc(2026, 6, 15))
    Event.objects.update(**event)
    assert WHOLE not in list_messages(in_its_form(office, row, **typed))


def test_many_are_shown_with_what_readers_see_then(office):
    row = mark()
    words = {
        tell: pages.read_rows(pages.show(office, [row.pk], cancelled="reinstate", tell=tell))
        for tell in ("", "nothing", "keep")
    }
    assert [cells[row.pk][3] for cells in words.values()] == ["CHANGED.", "CHANGED.", "CHANGED. Thunder"]
