"""Undoing what was written on the timetable: whole, only one's own, and never over another edit."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client

from programme.models import Edit, Event, Occasion, Revision
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.timetable.reading import DAY
from tests.programme.backoffice.timetable.writing import add, drop, undo
from tests.programmes import JAZZ, TORGET, utc

JAZZ_AT_FOUR, DRAFT_AT_FOUR = 8001, 8017
UNKNOWN = (400, "This was not understood. Open the page again.")


@pytest.fixture(autouse=True)
def _clock(at: SetClock, sample: None) -> None:
    at(NOW)


def stated(occasion: int) -> tuple[Any, ...]:
    return Occasion.objects.values_list("start", "end", "location", "room").get(pk=occasion)


@pytest.mark.parametrize(
    ("occasion", "fields"),
    [
        (JAZZ_AT_FOUR, {"minute": 600, "column": "r6003"}),
        (JAZZ_AT_FOUR, {"day": "2026-08-02", "minute": 600}),
        (DRAFT_AT_FOUR, {"column": "l5002"}),
    ],
)
def test_a_move_is_undone_exactly(office: Client, occasion: int, fields: dict[str, Any]) -> None:
    # States its place although it is the event's, and has seconds.
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(
        location=5001, room=6001, end=utc(2026, 7, 29, 14, 59, 59)
    )
    before = stated(occasion)
    moved = drop(office, occasion, **fields)
    assert stated(occasion) != before
    back = undo(office, moved)
    assert (back.status_code, back.json()["message"].partition(":")[0]) == (200, "Undone")
    assert stated(occasion) == before


def test_what_was_added_is_gone_again_with_the_draft_that_was_made_for_it(office: Client) -> None:
    events, occasions = Event.objects.count(), Occasion.objects.count()
    of_jazz, of_draft = add(office, event=JAZZ), add(office, title="Yoga", area=TORGET)
    assert (Event.objects.count(), Occasion.objects.count()) == (events + 1, occasions + 2)
    answer = undo(office, of_draft).json()
    assert (answer["message"], answer["occasion"], answer["link"]) == (
        "Undone: Yoga is not here any more.",
        None,
        None,
    )
    assert answer["news"] == {"tell": False, "clear": False}
    undo(office, of_jazz)
    assert (Event.objects.count(), Occasion.objects.count()) == (events, occasions)


def test_it_is_a_batch_of_the_history_that_can_be_done_again_there(office: Client, anna: User) -> None:
    moved = drop(office, JAZZ_AT_FOUR, minute=600).json()["undo"]
    undone = office.post(DAY, {"undo": moved}).json()["undo"]
    edit = Edit.objects.get(pk=undone)
    assert (edit.user, edit.reason, edit.detail) == (anna, "undid change", str(moved))
    again = office.get(f"/admin/changes/{undone}/undo/")
    office.post(f"/admin/changes/{undone}/undo/", {"seen": again.context["seen"]})
    assert stated(JAZZ_AT_FOUR)[0] == utc(2026, 7, 29, 8)


def test_what_others_have_changed_besides_stays(office: Client) -> None:
    before = stated(JAZZ_AT_FOUR)
    moved = drop(office, JAZZ_AT_FOUR, minute=600)
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(cancelled=True)
    assert undo(office, moved).status_code == 200
    assert stated(JAZZ_AT_FOUR) == before
    assert Occasion.objects.get(pk=JAZZ_AT_FOUR).cancelled


def test_nothing_is_undone_over_another_edit(office: Client) -> None:
    moved, added = drop(office, JAZZ_AT_FOUR, minute=600), add(office, title="Yoga", area=TORGET)
    Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(start=utc(2026, 7, 29, 7))
    Event.objects.filter(title="Yoga").update(intro_sv="Kom.")
    number = Revision.objects.get().number
    for written in (moved, added):
        refused = undo(office, written)
        assert (refused.status_code, refused.json()["message"]) == (
            409,
            "Someone else has changed this occasion in the meantime. Here it is as it is now.",
        )
    assert Revision.objects.get().number == number


def test_nothing_is_undone_twice(office: Client) -> None:
    moved = drop(office, JAZZ_AT_FOUR, minute=600)
    undo(office, moved)
    again = undo(office, moved)
    assert (again.status_code, again.json()["message"]) == (409, "There is nothing to undo.")


def test_only_ones_own_writes_on_the_timetable_are_undone_here(office: Client, anna: User) -> None:
    moved = drop(office, JAZZ_AT_FOUR, minute=600).json()["undo"]
    form = Edit.objects.create(moment=NOW, user=anna, reason="")
    Edit.objects.filter(pk=moved).update(user=User.objects.create_user("bo"))
    for key in (moved, form.pk, "x", "9" * 40):
        refused = office.post(DAY, {"undo": key})
        assert (refused.status_code, refused.json()["message"]) == UNKNOWN


def test_who_may_not_change_it_any_more_undoes_nothing(office: Client, anna: User) -> None:
    moved = drop(office, JAZZ_AT_FOUR, minute=600)
    after = stated(JAZZ_AT_FOUR)
    anna.is_superuser, anna.is_staff = False, True
    anna.save()
    grant(anna, "view_occasion", "view_event")
    refused = undo(office, moved)
    assert (refused.status_code, refused.json()["message"]) == (403, "You may not change this occasion.")
    assert stated(JAZZ_AT_FOUR) == after


def grant(user: User, *codenames: str) -> None:
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))


@pytest.mark.parametrize("count", [1, 10])
def test_an_undo_takes_as_many_queries_however_many_edits(
    office: Client, count: int, django_assert_num_queries: Any
) -> None:
    for number in range(count):
        written = drop(office, JAZZ_AT_FOUR, minute=600 + 5 * number)
    # Who edits, the plan, its rights, the occasion before and after, what imports remember, and the day.
    # PostgreSQL checks constraints in two statements.
    with django_assert_num_queries(38 if connection.vendor == "postgresql" else 37):
        assert undo(office, written).status_code == 200
