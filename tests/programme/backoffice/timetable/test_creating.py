"""Creating an occasion in an empty slot: of an event that is there, or of a new draft."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from programme.models import Edit, Event, Occasion
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.samples import make_events
from tests.programme.backoffice.timetable.reading import DAY, page
from tests.programme.backoffice.timetable.writing import add
from tests.programmes import DRAFT, JAZZ, PARKEN, TORGET, utc


@pytest.fixture(autouse=True)
def _clock(at: SetClock, sample: None) -> None:
    at(NOW)


def newest() -> Occasion:
    return Occasion.objects.select_related("event").latest("pk")


def test_an_event_gets_another_occasion(office: Client, anna: User) -> None:
    answer = add(office, event=JAZZ, minute=18 * 60 + 15, minutes=45).json()
    occasion = newest()
    assert (occasion.event_id, occasion.start, occasion.end, occasion.location_id, occasion.room_id) == (
        *(JAZZ, utc(2026, 7, 29, 16, 15), utc(2026, 7, 29, 17)),
        *(5001, 6002),
    )
    assert answer["message"] == f"Added {occasion.event.title}: 18:15–19:00, Biblioteket, Källaren."
    assert (answer["occasion"], answer["link"]) == (occasion.pk, None)
    assert f'data-occasion="{occasion.pk}"' in answer["html"]
    edit = Edit.objects.get(pk=answer["undo"])
    assert (edit.user, edit.reason) == (anna, "added on the timetable")


@pytest.mark.parametrize("column", ["none", "r6001"])
def test_in_its_events_own_place_or_in_none_it_states_nothing(office: Client, column: str) -> None:
    answer = add(office, event=JAZZ, column=column).json()
    assert (newest().location_id, newest().room_id) == (None, None)
    assert answer["message"].endswith("18:00–19:00, Biblioteket, Sal 2.")


def test_a_title_makes_a_draft_in_the_place_of_its_occasion(office: Client) -> None:
    answer = add(office, title="  Yoga i gräset ", area=PARKEN).json()
    event = newest().event
    assert (event.title, event.status, event.area_id, event.location_id, event.room_id) == (
        *("Yoga i gräset", "draft", PARKEN),
        *(5001, 6002),
    )
    assert event.type.name_sv == "Övrigt"
    assert (newest().location_id, newest().room_id) == (None, None)
    assert answer["message"] == "Added the draft Yoga i gräset: 18:00–19:00, Biblioteket, Källaren."
    assert answer["link"] == {
        "text": "Open the draft",
        "href": f"/admin/programme/event/{event.pk}/change/?back={DAY}",
    }
    # Readers know nothing of a draft.
    assert answer["news"] == {"tell": False, "clear": False}


def test_readers_may_be_told_of_a_new_occasion(office: Client) -> None:
    answer = add(office, event=JAZZ).json()
    assert answer["news"] == {"tell": True, "clear": False}
    sent = {"occasion": answer["occasion"], "seen": answer["seen"], "move": answer["undo"]}
    office.post(DAY, sent | {"tell": "occasions", "note": "Extra"})
    assert (newest().change_info, newest().changed_at, newest().previous_start) == ("Extra", NOW, None)


@pytest.mark.parametrize(
    ("fields", "status", "why"),
    [
        ({"event": JAZZ, "minute": 24 * 60}, 400, "This is outside the day."),
        ({"event": JAZZ, "minute": ""}, 400, "This field is required."),
        ({"event": JAZZ, "minutes": 0}, 400, "Ensure this value is greater than or equal to 1."),
        ({"event": JAZZ, "column": "r99"}, 409, "This room is no longer here."),
        ({"event": JAZZ, "column": "l5001"}, 400, "The event has a room in this location."),
        ({"event": 99}, 409, "This event has been deleted by someone else."),
        ({"title": "", "area": TORGET}, 400, "This field is required."),
        ({"title": "Yoga", "area": 99}, 400, "What was chosen here is no longer there."),
        ({"title": "x" * 301, "area": TORGET}, 400, "Ensure this value has at most 300 characters"),
    ],
)
def test_what_cannot_be_is_refused_and_leaves_nothing_behind(
    office: Client, fields: dict[str, Any], status: int, why: str
) -> None:
    before = Event.objects.count(), Occasion.objects.count(), Edit.objects.count()
    refused = add(office, **fields)
    assert (refused.status_code, refused.json()["message"][: len(why)]) == (status, why)
    assert (Event.objects.count(), Occasion.objects.count(), Edit.objects.count()) == before


def test_an_hour_that_the_clock_jumps_over_is_refused(office: Client) -> None:
    refused = add(office, "/admin/timetable/2026-03-29/", event=JAZZ, minute=90, minutes=60)
    assert refused.json()["message"] == "There is no 02:30 on 29 March: the clock goes forward."


def test_the_column_knows_the_area_of_most_of_its_occasions(office: Client) -> None:
    Occasion.objects.create(
        event_id=DRAFT, start=utc(2026, 7, 29, 8), end=utc(2026, 7, 29, 9), location_id=5001, room_id=6001
    )
    heads = {head["data-column"]: head["data-area"] for head in page(office).select(".rooms .head")}
    assert (heads["r6001"], heads["l5002"]) == (str(TORGET), str(PARKEN))


@pytest.mark.parametrize("count", [1, 20])
@pytest.mark.parametrize(("is_new", "queries"), [(False, 33), (True, 45)])
def test_creating_takes_as_many_queries_however_many_occasions(
    office: Client, count: int, is_new: bool, queries: int, django_assert_num_queries: Any
) -> None:
    make_events(count)
    fields = {"title": "Yoga", "area": TORGET} if is_new else {"event": JAZZ}
    ContentType.objects.get_for_models(Event, Occasion)
    with django_assert_num_queries(queries):
        assert add(office, **fields).status_code == 200
