"""The rules of rights, and the permissions of roles."""

from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.exceptions import PermissionDenied

from programme.backoffice.roles import Role, update_roles
from programme.changes.change import Change
from programme.changes.rights import EventState, require_right, rights_of
from programme.models import AreaEditor, Event, Occasion, Status
from tests.programme.backoffice.rights.people import (
    DRAFT_OCCASION,
    ROLES,
    SOMEBODY,
    THEIR_OCCASION,
    THEIRS,
    VERBS,
    office_of,
    user_of,
)
from tests.programmes import DRAFT, JAZZ, PARKEN, TORGET

pytestmark = pytest.mark.usefixtures("sample")


@pytest.mark.parametrize("role", [None, *ROLES])
def test_rows_that_are_allowed_are_those_that_may_be(role: Role | None) -> None:
    rights = rights_of(user_of(role))
    for model, verb in product((Event, Occasion), VERBS):
        rows = model.objects.all()
        one_by_one = {row.pk for row in rows if rights.can(verb, row)}
        assert {row.pk for row in rights.filter_allowed(verb, rows)} == one_by_one, (model, verb)


EACH_VERB = [(Event, verb) for verb in VERBS] + [
    (Occasion, verb) for verb in ("view", "add", "change", "delete")
]


@pytest.mark.parametrize(("model", "verb"), EACH_VERB)
def test_each_verb_takes_its_own_permission(model: Any, verb: Any) -> None:
    assert _allowed(user_without()) == set(EACH_VERB)
    lost = {(model, verb)}
    # Publishing is a change.
    expected = lost | {(Event, "publish")} if lost == {(Event, "change")} else lost
    assert _allowed(user_without(f"{verb}_{model._meta.model_name}")) == set(EACH_VERB) - expected


def user_without(*codenames: str) -> User:
    user = User.objects.create_user(f"without {codenames}", is_staff=True)
    held = Permission.objects.filter(content_type__app_label="programme").exclude(codename__in=codenames)
    user.user_permissions.set(held)
    return User.objects.get(pk=user.pk)


def _allowed(user: User) -> set[tuple[Any, Any]]:
    """Return what the user may do with drafts, one by one; with rows of lists it is the same."""
    rights, draft = rights_of(user), EventState(TORGET, Status.DRAFT)
    one_by_one = {(model, verb) for model, verb in EACH_VERB if rights.can_in_state(verb, model, draft)}
    listed = {(model, verb) for model, verb in EACH_VERB if rights.filter_allowed(verb, model.objects.all())}
    assert one_by_one == listed
    return one_by_one


@pytest.mark.parametrize(("lost", "may"), [("add_event", False), ("add_occasion", True)])
def test_adding_an_event_takes_the_permission_to(lost: str, *, may: bool) -> None:
    rights = rights_of(user_without(lost))
    assert rights.can_add_event() == may
    assert (rights.find_refusals(None, EventState(TORGET, Status.DRAFT)) == {}) == may


def test_a_right_is_required_for_each_row() -> None:
    user = user_of(Role.AREA_EDITOR)
    own, theirs = Event.objects.get(pk=DRAFT), Event.objects.get(pk=THEIRS)
    require_right(user, "change", [own])
    for rows in ([theirs], [own, theirs]):
        with pytest.raises(PermissionDenied):
            require_right(user, "change", rows)


def test_areas_are_ones_own() -> None:
    user = user_of(Role.AREA_EDITOR)
    AreaEditor.objects.create(user_id=SOMEBODY, area_id=PARKEN)
    assert rights_of(user).areas == {TORGET}


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


@pytest.mark.parametrize("role", ROLES)
def test_a_step_from_one_state_to_another_is_refused_or_not(role: Role) -> None:
    user = user_of(role)
    for before, after, may in STEPS:
        expected = may[ROLES.index(role)] == "x"
        assert (rights_of(user).find_refusals(before, after) == {}) == expected, (before, after)


# An occasion, an event whose it is saved as, and who may, in the order of ROLES. The event JAZZ is published.
SAVED = [
    (None, DRAFT, "xxxx"),
    (None, JAZZ, "xxxx"),
    (None, THEIRS, "xxx-"),
    (8001, JAZZ, "xxxx"),
    (DRAFT_OCCASION, DRAFT, "xxxx"),
    (THEIR_OCCASION, THEIRS, "xxx-"),
    (DRAFT_OCCASION, JAZZ, "xxxx"),
    (8001, DRAFT, "xx--"),
    (DRAFT_OCCASION, THEIRS, "xxx-"),
    (THEIR_OCCASION, DRAFT, "xxx-"),
]


@pytest.mark.parametrize("role", ROLES)
def test_an_occasion_is_saved_as_one_of_an_event_or_refused(role: Role) -> None:
    user = user_of(role)
    for occasion, event, may in SAVED:
        target = Event.objects.get(pk=event)
        stored = Occasion.objects.filter(pk=occasion).first()
        expected = may[ROLES.index(role)] == "x"
        saved = Occasion(pk=occasion, event=target)
        assert (rights_of(user).find_forbidden([Change.of(stored, saved)]) == []) == expected, (
            occasion,
            event,
        )


def test_an_editor_of_no_area_adds_nothing() -> None:
    user = user_of(Role.AREA_EDITOR)
    AreaEditor.objects.all().delete()
    client = office_of(user)
    assert client.get("/admin/programme/event/add/").status_code == 403


def test_migrating_again_gives_the_roles_back_what_they_have() -> None:
    def held() -> dict[Role, set[str]]:
        granted = Permission.objects.values_list("codename", flat=True)
        return {role: set(granted.filter(group__name=role)) for role in Role}

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
