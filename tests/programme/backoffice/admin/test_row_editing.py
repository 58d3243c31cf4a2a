"""Rows of lists that are edited in place: what is saved, refused, and shown of what others have saved."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from programme.backoffice.changes.messages import find_undo
from programme.backoffice.roles import Role, assign_role
from programme.history import edits
from programme.models import Area, Edit, Event, Location, Occasion, Room, Status
from tests.conftest import NOW
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.requests import list_messages, parse, row_submission, words
from tests.programme.backoffice.rights.people import office_of
from tests.programmes import utc

OCCASIONS = "/admin/programme/occasion/"
START, LATER = utc(2026, 7, 29, 12), utc(2026, 7, 29, 14)


@pytest.fixture
def occasion(jazz: Event) -> Occasion:
    """The only occasion of Jazz, which is published, at 14:00."""
    Event.objects.update(status=Status.PUBLISHED)
    return Occasion.objects.get()


def row_address(row: Event | Occasion) -> str:
    return f"{EVENTS if isinstance(row, Event) else OCCASIONS}{row.pk}/row/"


def send(office: Client, row: Event | Occasion, **typed: str) -> Any:
    address = row_address(row)
    return office.post(address, row_submission(office.get(address)) | typed)


def read_notes(response: Any) -> dict[str, list[str]]:
    """Return what stands beside the fields: errors, and what others have saved."""
    fields = parse(response).select(".field.errors")
    return {
        str(field.select_one("[name]")["name"]): [
            words(each) for each in field.select(".errorlist li, .theirs")
        ]
        for field in fields
    }


# --- Saving ---------------------------------------------------------------------------------------


def test_an_occasion_is_moved_placed_and_cancelled_in_one_step_of_the_history(
    office: Client, occasion: Occasion, biblioteket: Location
) -> None:
    room = Room.objects.create(location=biblioteket, name="Sal 2")
    before = Edit.objects.count()
    sent = {"start_time": "16", "end_time": "17:30", "room": str(room.pk), "cancelled": "on"}
    saved = send(office, occasion, **sent, tell="occasions", note="Åska")
    assert saved.status_code == 204
    occasion.refresh_from_db()
    assert (occasion.start, occasion.end) == (LATER, utc(2026, 7, 29, 15, 30))
    assert (occasion.location, occasion.room, occasion.cancelled) == (biblioteket, room, True)
    assert (occasion.change_info, occasion.changed_at, occasion.previous_start) == ("Åska", NOW, START)
    assert Edit.objects.count() == before + 1
    page = office.get(OCCASIONS)
    assert list_messages(page) == [
        f'Cancelled, and readers see it: <a href="https://program.example/en/occasion/{occasion.pk}">Jazz, 2026-07-29 16:00</a>'
    ]
    undone = [find_undo(message.tags) for message in page.context["messages"]]
    assert undone == [Edit.objects.latest("pk").pk]


def test_what_is_sent_as_it_was_writes_nothing(office: Client, occasion: Occasion) -> None:
    before = Edit.objects.count()
    assert send(office, occasion).status_code == 204
    assert Edit.objects.count() == before
    assert list_messages(office.get(OCCASIONS)) == []


def test_nothing_of_a_row_is_saved_if_a_field_of_it_is_refused(
    office: Client, occasion: Occasion, biblioteket: Location
) -> None:
    room = Room.objects.create(location=Location.objects.create(name="Parken"), name="Scenen")
    typed = {"start_time": "25", "cancelled": "on", "location": str(biblioteket.pk), "room": str(room.pk)}
    refused = send(office, occasion, **typed)
    assert refused.status_code == 422
    assert read_notes(refused) == {
        "start_time": ["Write it as 19:00. Midnight is 00:00."],
        "room": ["This room is not in the location chosen."],
    }
    assert row_submission(refused) | typed == row_submission(refused)
    occasion.refresh_from_db()
    assert (occasion.start, occasion.cancelled, occasion.room) == (START, False, None)


@pytest.mark.parametrize("status", Status.values)
def test_a_draft_has_no_news_and_an_occasion_has_no_status(
    office: Client, occasion: Occasion, status: str
) -> None:
    Event.objects.update(status=status)
    fields = row_submission(office.get(row_address(occasion)))
    assert ("tell" in fields, "status" in fields) == (status == "published", False)
    other = {"draft": "published", "published": "draft"}[status]
    assert send(office, occasion, status=other).status_code == 204
    assert Event.objects.get().status == status


def test_an_event_is_changed_with_its_only_occasion(
    office: Client, occasion: Occasion, biblioteket: Location
) -> None:
    event = occasion.event
    saved = send(
        office,
        event,
        **{"occasion-start_time": "16", "occasion-end_time": "17", "location": str(biblioteket.pk)},
        tell="event",
        note="Åska",
    )
    assert saved.status_code == 204
    event.refresh_from_db()
    occasion.refresh_from_db()
    assert (event.location, event.change_info, event.changed_at) == (biblioteket, "Åska", NOW)
    # The mark comes first, so that the former start is kept.
    assert (occasion.start, occasion.previous_start, occasion.changed_at) == (LATER, START, None)
    assert send(office, event, tell="clear", **{"occasion-start_time": "15"}).status_code == 204
    event.refresh_from_db()
    occasion.refresh_from_db()
    assert (event.change_info, event.changed_at, occasion.previous_start) == ("", None, None)


def test_times_of_several_occasions_are_in_the_form(office: Client, occasion: Occasion) -> None:
    shown = office.get(row_address(occasion.event))
    typed = row_submission(shown) | {"occasion-start_time": "16"}
    Occasion.objects.create(event=occasion.event, start=LATER, end=utc(2026, 7, 29, 15))
    refused = office.post(row_address(occasion.event), typed)
    assert refused.status_code == 422
    assert "Somebody has added or deleted occasions meanwhile." in refused.content.decode()
    assert [name for name in row_submission(refused) if name.startswith("occasion-")] == []
    assert parse(refused).select_one(f"a[href='{change_address(occasion.event)}']")
    occasion.refresh_from_db()
    assert occasion.start == START


# --- Others ---------------------------------------------------------------------------------------


@pytest.fixture
def bertil(occasion: Occasion) -> Any:
    """A function that changes the occasion as another editor."""
    user = User.objects.create_user("bertil")

    def change(**values: Any) -> None:
        with edits.record(user, NOW):
            Occasion.objects.filter(pk=occasion.pk).update(**values)

    return change


def test_what_another_editor_has_saved_stands_beside_the_field_and_is_overwritten_knowingly(
    office: Client, occasion: Occasion, bertil: Any
) -> None:
    typed = row_submission(office.get(row_address(occasion))) | {"start_time": "16", "end_time": "17"}
    bertil(end=utc(2026, 7, 29, 13, 15), cancelled=True)
    conflict = office.post(row_address(occasion), typed)
    assert conflict.status_code == 409
    assert read_notes(conflict) == {
        "day": ["Now saved: 2026-07-29, 14:00, 15:15"],
        "cancelled": ["Now saved: Yes"],
    }
    assert "bertil, 2026-07-29 14:00" in conflict.content.decode()
    occasion.refresh_from_db()
    assert occasion.start == START
    # What only the other has changed is taken over.
    fields = row_submission(conflict)
    assert (fields["start_time"], fields["end_time"], fields["cancelled"]) == ("16", "17", "on")
    assert office.post(row_address(occasion), fields).status_code == 204
    occasion.refresh_from_db()
    assert (occasion.start, occasion.cancelled) == (LATER, True)


def test_the_time_in_the_row_of_an_event_is_compared_too(
    office: Client, occasion: Occasion, bertil: Any
) -> None:
    typed = row_submission(office.get(row_address(occasion.event))) | {"occasion-start_time": "16"}
    bertil(start=utc(2026, 7, 29, 11))
    conflict = office.post(row_address(occasion.event), typed)
    assert conflict.status_code == 409
    assert read_notes(conflict) == {"occasion-day": ["Now saved: 2026-07-29, 13:00, 15:00"]}


def test_another_editors_change_of_something_else_is_no_conflict(
    office: Client, occasion: Occasion, bertil: Any
) -> None:
    typed = row_submission(office.get(row_address(occasion))) | {"cancelled": "on"}
    bertil(stream=None, change_info="Åska", changed_at=NOW)
    assert office.post(row_address(occasion), typed).status_code == 204
    occasion.refresh_from_db()
    assert (occasion.cancelled, occasion.change_info) == (True, "Åska")


def test_a_row_that_is_deleted_says_so(office: Client, occasion: Occasion) -> None:
    address = row_address(occasion)
    typed = row_submission(office.get(address))
    occasion.delete()
    for answer in (office.get(address), office.post(address, typed)):
        assert (answer.status_code, answer.content) == (410, b"Somebody has deleted it in the meantime.")


def test_a_row_without_the_state_that_it_shows_overwrites_nothing(office: Client, occasion: Occasion) -> None:
    typed = row_submission(office.get(row_address(occasion))) | {"start_time": "16", "_state": "x"}
    assert office.post(row_address(occasion), typed).status_code == 409
    occasion.refresh_from_db()
    assert occasion.start == START


# --- The list -------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", [EVENTS, OCCASIONS])
def test_only_rows_that_one_may_change_have_the_button(area_office: Client, address: str) -> None:
    page = parse(area_office.get(address))
    buttons = [row.select_one("button.edit-row") is not None for row in page.select("#result_list tbody tr")]
    assert sorted(buttons) == [False, True]


@pytest.fixture
def area_office(jazz: Event, biblioteket: Location) -> Client:
    """The office of an area editor who has Torget; there is an event in Parken, too."""
    other = Event.objects.create(title="Kör", area=Area.objects.create(name="Parken"), type=jazz.type)
    Occasion.objects.create(event=other, start=START, end=LATER)
    editor = User.objects.create_user("berit", is_staff=True)
    assign_role(editor, Role.AREA_EDITOR)
    editor.edited_areas.create(area=jazz.area)
    return office_of(editor)


def test_a_popup_that_chooses_a_row_edits_none(office: Client, occasion: Occasion) -> None:
    page = parse(office.get(f"{EVENTS}?_popup=1"))
    assert page.select(".edit-row, #row-form") == []
