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


def mark(model: Any, **values: Any) -> Any:
    """Return the only row of a model, cancelled and with a note."""
    model.objects.update(**{"cancelled": True, **NOTE, "changed_at": MARKED_AT, **values})
    return model.objects.get()


def list_address(row: Event | Occasion) -> str:
    return EVENTS if isinstance(row, Event) else OCCASIONS


def in_its_form(office: Client, row: Event | Occasion, **typed: str) -> Any:
    address = f"{list_address(row)}{row.pk}/change/"
    return send(office, address, follow=True, cancelled="", **typed)


def in_the_form_of_its_event(office: Client, row: Occasion, **typed: str) -> Any:
    return send(office, change_address(row.event), follow=True, **{"occasions-0-cancelled": ""}, **typed)


def in_its_list(office: Client, row: Event | Occasion, **typed: str) -> Any:
    chosen = {"action": "reinstate", "_selected_action": [row.pk]}
    asked = office.post(list_address(row), chosen)
    if asked.status_code == 302:
        # Of drafts nothing is asked.
        return office.get(list_address(row))
    return office.post(list_address(row), submission(asked) | chosen | typed, follow=True)


def with_many(office: Client, row: Occasion, **typed: str) -> Any:
    return pages.change(office, [row.pk], cancelled="reinstate", **typed)


WAYS = [
    (Occasion, in_its_form),
    (Occasion, in_the_form_of_its_event),
    (Occasion, in_its_list),
    (Occasion, with_many),
    (Event, in_its_form),
    (Event, in_its_list),
]
each_way = pytest.mark.parametrize(
    ("model", "way"), WAYS, ids=[f"{model.__name__}-{way.__name__}" for model, way in WAYS]
)


@each_way
@pytest.mark.parametrize(
    ("typed", "note", "is_marked_now"),
    [
        ({}, "", True),
        ({"tell": "nothing"}, "", False),
        ({"tell": "keep"}, "Åska", False),
        ({"tell": "this", "note": "Det blir av"}, "Det blir av", True),
    ],
)
def test_the_note_goes_with_the_cancellation_unless_it_is_kept_or_replaced(  # noqa: PLR0917 - a table of cases
    office: Client, model: Any, way: Way, typed: dict[str, str], note: str, is_marked_now: bool
) -> None:
    row = mark(model)
    this = "event" if model is Event else "occasions"
    way(office, row, **{name: this if value == "this" else value for name, value in typed.items()})
    row.refresh_from_db()
    assert (row.cancelled, row.change_info) == (False, note)
    assert row.change_info_en == ("Thunder" if note == "Åska" else "")
    assert (row.changed_at != MARKED_AT) == is_marked_now


@each_way
def test_a_draft_loses_its_note_too(office, model, way):
    row = mark(model)
    Event.objects.update(status=Status.DRAFT)
    way(office, row)
    row.refresh_from_db()
    assert (row.cancelled, row.change_info, row.change_info_en) == (False, "", "")


def test_drafts_among_many_lose_their_notes_where_readers_are_told_of_the_others(office):
    row = mark(Occasion)
    Event.objects.update(status=Status.DRAFT)
    with_many(office, row, tell="occasions", note="Det blir av")
    row.refresh_from_db()
    assert (row.cancelled, row.change_info, row.changed_at) == (False, "", MARKED_AT)


@pytest.mark.parametrize(("values", "is_offered"), [({}, True), (dict.fromkeys(NOTE, ""), False)])
def test_keeping_a_note_is_offered_where_there_is_one(office, jazz, values, is_offered):
    row = mark(Occasion, **values)
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


@pytest.mark.parametrize("way", [way for model, way in WAYS if model is Occasion and way is not with_many])
def test_a_note_about_the_whole_event_is_named_because_it_stays(office, way):
    row = mark(Occasion, **dict.fromkeys(NOTE, ""), changed_at=None)
    Event.objects.update(change_info="Åska", changed_at=MARKED_AT)
    assert WHOLE in list_messages(way(office, row, tell="nothing"))
    assert Event.objects.get().change_info == "Åska"


@pytest.mark.parametrize(
    ("event", "typed"),
    [
        ({"change_info": "Åska", "changed_at": MARKED_AT}, {"tell": "event", "note": "Det blir av"}),
        ({"change_info": "Åska", "changed_at": MARKED_AT, "cancelled": True}, {}),
        ({"change_info": "Åska", "changed_at": utc(2026, 6, 1)}, {}),
        ({"change_info": "", "changed_at": MARKED_AT}, {}),
    ],
)
def test_a_note_about_the_whole_event_that_is_true_or_unseen_is_not_named(office, event, typed):
    row = mark(Occasion, **dict.fromkeys(NOTE, ""), changed_at=utc(2026, 6, 15))
    Event.objects.update(**event)
    assert WHOLE not in list_messages(in_its_form(office, row, **typed))


def test_many_are_shown_with_what_readers_see_then(office):
    row = mark(Occasion)
    words = {
        tell: pages.read_rows(pages.show(office, [row.pk], cancelled="reinstate", tell=tell))
        for tell in ("", "nothing", "keep")
    }
    assert [cells[row.pk][3] for cells in words.values()] == ["CHANGED.", "CHANGED.", "CHANGED. Thunder"]
