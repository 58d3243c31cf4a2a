"""The timetable for each role: who may move what, and that nobody is offered more."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from programme.backoffice.roles import Role, assign_role
from programme.models import AreaEditor, Occasion
from tests.conftest import NOW, SetClock
from tests.programme.backoffice.timetable.reading import DAY, page
from tests.programmes import TORGET

# On this day in Torget: jazz, what has but a title (three times), a draft, the night.
IN_TORGET = {8001, 8004, 8013, 8015, 8016, 8017}
# In the park, which has one occasion in the room of the jazz.
IN_PARKEN = {8005, 8006, 8010, 8014}
JAZZ_AT_FOUR, CLOCKS_AT_FOUR = 8001, 8014


@pytest.fixture(autouse=True)
def _clock(at: SetClock, sample: None) -> None:
    at(NOW)


def office_of(role: Role) -> Client:
    user = User.objects.create_user("bo", is_staff=True)
    assign_role(user, role)
    AreaEditor.objects.create(user=user, area_id=TORGET)
    client = Client(HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("role", "movable"),
    [
        (Role.ADMINISTRATOR, IN_TORGET | IN_PARKEN),
        (Role.CHIEF_EDITOR, IN_TORGET | IN_PARKEN),
        (Role.EDITOR, IN_TORGET | IN_PARKEN),
        (Role.AREA_EDITOR, IN_TORGET),
    ],
)
def test_each_role_sees_the_whole_day_and_can_take_hold_of_its_own(role: Role, movable: set[int]) -> None:
    shown = page(office_of(role))
    assert {int(item["data-occasion"]) for item in shown.select(".occasion")} == IN_TORGET | IN_PARKEN
    assert {int(item["data-occasion"]) for item in shown.select(".movable[data-seen]")} == movable


@pytest.mark.parametrize("role", [*Role])
@pytest.mark.parametrize("occasion", [JAZZ_AT_FOUR, CLOCKS_AT_FOUR])
def test_a_crafted_move_of_somebody_elses_is_refused(office: Client, role: Role, occasion: int) -> None:
    before = Occasion.objects.values().get(pk=occasion)
    as_seen = page(office).select_one(f'[data-occasion="{occasion}"]')["data-seen"]
    fields: dict[str, Any] = {"occasion": occasion, "seen": as_seen, "minute": 600, "column": "r6002"}
    response = office_of(role).post(DAY, fields)
    if role is Role.AREA_EDITOR and occasion == CLOCKS_AT_FOUR:
        assert (response.status_code, response.json()["message"]) == (
            403,
            "You may not change this occasion.",
        )
        assert Occasion.objects.values().get(pk=occasion) == before
    else:
        assert response.status_code == 200
        assert Occasion.objects.get(pk=occasion).room_id == 6002


def test_rights_take_no_query_for_each_occasion(django_assert_num_queries: Any) -> None:
    area_editor = office_of(Role.AREA_EDITOR)
    # As for everybody, and for the permissions of the user and of the role, and for the areas.
    with django_assert_num_queries(14):
        page(area_editor)
