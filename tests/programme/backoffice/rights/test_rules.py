"""The rules of rights, and the permissions of roles."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.exceptions import PermissionDenied

from programme.backoffice.rights import EventState, require_transition, rights_of
from programme.backoffice.roles import Role, update_roles
from programme.models import AreaEditor, Event, Occasion, Status
from tests.programme.backoffice.rights.people import ROLES, VERBS, office_of, user_of
from tests.programmes import PARKEN, TORGET

pytestmark = pytest.mark.usefixtures("sample")


@pytest.mark.parametrize("role", [None, *ROLES])
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("model", [Event, Occasion])
def test_rows_that_are_allowed_are_those_that_may_be(model: Any, verb: Any, role: Role | None) -> None:
    rights = rights_of(user_of(role))
    one_by_one = {row.pk for row in model.objects.all() if rights.can(verb, row)}
    assert set(rights.filter_allowed(verb, model.objects.all()).values_list("pk", flat=True)) == one_by_one


STEPS = [
    (None, EventState(TORGET, Status.DRAFT), "xxxx"),
    (None, EventState(PARKEN, Status.DRAFT), "xxx-"),
    (None, EventState(TORGET, Status.PUBLISHED), "xx--"),
    (EventState(TORGET, Status.DRAFT), EventState(TORGET, Status.DRAFT), "xxxx"),
    (EventState(TORGET, Status.PUBLISHED), EventState(TORGET, Status.PUBLISHED), "xxxx"),
    (EventState(TORGET, Status.DRAFT), EventState(TORGET, Status.PUBLISHED), "xx--"),
    (EventState(TORGET, Status.PUBLISHED), EventState(TORGET, Status.DRAFT), "xx--"),
    (EventState(TORGET, Status.DRAFT), EventState(PARKEN, Status.DRAFT), "xxx-"),
    (EventState(PARKEN, Status.DRAFT), EventState(TORGET, Status.DRAFT), "xxx-"),
    (EventState(TORGET, Status.DRAFT), None, "xxxx"),
    (EventState(TORGET, Status.PUBLISHED), None, "xx--"),
    (EventState(PARKEN, Status.DRAFT), None, "xxx-"),
    (None, None, "xxxx"),
]


@pytest.mark.parametrize(("before", "after", "expected"), STEPS)
@pytest.mark.parametrize("role", ROLES)
def test_a_step_from_one_state_to_another_is_refused_or_not(
    before: EventState | None, after: EventState | None, expected: str, role: Role
) -> None:
    user = user_of(role)
    if expected[ROLES.index(role)] == "x":
        require_transition(user, before, after)
        assert rights_of(user).find_refusals(before, after) == {}
    else:
        with pytest.raises(PermissionDenied):
            require_transition(user, before, after)


def test_an_editor_of_no_area_adds_nothing() -> None:
    user = user_of(Role.AREA_EDITOR)
    AreaEditor.objects.all().delete()
    client = office_of(user)
    assert [client.get(f"/admin/programme/{kind}/add/").status_code for kind in ("event", "occasion")] == [
        403,
        403,
    ]


# --- The roles ------------------------------------------------------------------------------------


def test_migrating_again_gives_the_roles_back_what_they_have() -> None:
    def held() -> dict[str, set[str]]:
        groups = {role: Role(role) for role in Role}
        return {role: set(_permissions(role)) for role in groups}

    def _permissions(role: Role) -> list[str]:
        return list(Permission.objects.filter(group__name=role).values_list("codename", flat=True))

    before = held()
    assert {len(codenames) > 10 for codenames in before.values()} == {True}
    assert "publish_event" not in before[Role.EDITOR] | before[Role.AREA_EDITOR]
    assert "edit_every_area" in before[Role.EDITOR] - before[Role.AREA_EDITOR]
    Permission.objects.filter(codename="publish_event").get().group_set.clear()
    Permission.objects.filter(codename="edit_every_area").get().group_set.set(
        User.groups.rel.model.objects.filter(name=Role.AREA_EDITOR)
    )
    update_roles()
    assert held() == before
