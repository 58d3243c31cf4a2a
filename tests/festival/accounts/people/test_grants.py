"""Nobody gives more than they have: every role to every role, with and without areas."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User

from festival.accounts.access import find_today, keep
from festival.accounts.people.forms import Grants
from programme.backoffice.roles import Role, role_of
from programme.models import Area
from tests.conftest import NOW, SetClock
from tests.festival.accounts.people.office import (
    INVITE,
    account_page,
    an_invitation,
    create_user,
    open_office,
)
from tests.programmes import PARKEN, TORGET

ROLES = [*Role]
# Who may give what, in the order of ROLES.
GIVEN = {
    Role.ADMINISTRATOR: "xxxx",
    Role.CHIEF_EDITOR: "-xxx",
    Role.EDITOR: "----",
    Role.AREA_EDITOR: "----",
}
# The same if a permission of its own lets each of them invite: still nothing that they do not have.
GIVEN_BY_PERMISSION = GIVEN | {Role.EDITOR: "--xx", Role.AREA_EDITOR: "---x"}

pytestmark = pytest.mark.usefixtures("sample", "_now")


@pytest.fixture
def _now(at: SetClock) -> None:
    at(NOW)


def giver_of(role: Role, *, may_invite: bool) -> User:
    areas = (TORGET,) if role is Role.AREA_EDITOR else ()
    user = create_user("giver", role, areas)
    if may_invite:
        user.user_permissions.add(Permission.objects.get(codename="invite_people"))
    return User.objects.get(pk=user.pk)


def mark(values: list[bool]) -> str:
    return "".join("x" if value else "-" for value in values)


@pytest.mark.parametrize("may_invite", [False, True])
@pytest.mark.parametrize("role", ROLES)
def test_roles_are_given_by_who_has_all_that_they_have(role: Role, may_invite: bool) -> None:
    giver = giver_of(role, may_invite=may_invite)
    browser, found = open_office(giver), []
    for given in ROLES:
        email = f"{given.name.lower()}@x.se"
        areas = [TORGET] if given is Role.AREA_EDITOR else []
        browser.post(INVITE, an_invitation(email, role=given.value, areas=areas))
        user = User.objects.filter(username=email).first()
        assert user is None or role_of(user) is given
        found.append(user is not None)
        # Who has an account is not raised to what cannot be given either.
        other = create_user(f"other-{given.name}", Role.AREA_EDITOR, (TORGET,))
        browser.post(account_page(other), {"do": "role", "role": given.value, "areas": areas})
        now = role_of(User.objects.get(pk=other.pk))
        # Administrators change roles in Django's form.
        assert now is (given if found[-1] and role is not Role.ADMINISTRATOR else Role.AREA_EDITOR)
    assert mark(found) == (GIVEN_BY_PERMISSION if may_invite else GIVEN)[role]


@pytest.mark.parametrize("role", ROLES)
def test_areas_are_given_by_who_has_them(role: Role) -> None:
    browser = open_office(giver_of(role, may_invite=True))
    found = []
    for number, areas in enumerate([[TORGET], [PARKEN], [TORGET, PARKEN], []]):
        email = f"a{number}@x.se"
        browser.post(INVITE, an_invitation(email, role=Role.AREA_EDITOR.value, areas=areas))
        user = User.objects.filter(username=email).first()
        assert user is None or {each.area_id for each in user.edited_areas.all()} == {*areas}
        found.append(user is not None)
        other = create_user(f"other{number}", Role.AREA_EDITOR, (TORGET,))
        browser.post(account_page(other), {"do": "role", "role": Role.AREA_EDITOR.value, "areas": areas})
        now = {each.area_id for each in other.edited_areas.all()}
        assert now == ({*areas} if found[-1] and role is not Role.ADMINISTRATOR else {TORGET})
    assert mark(found) == ("x---" if role is Role.AREA_EDITOR else "xxx-")


@pytest.mark.parametrize("may_invite", [False, True])
@pytest.mark.parametrize("role", ROLES)
def test_accounts_are_looked_after_by_who_could_have_given_them(role: Role, may_invite: bool) -> None:
    giver = giver_of(role, may_invite=may_invite)
    others = [create_user(each.name, each, (TORGET,) * (each is Role.AREA_EDITOR)) for each in ROLES]
    browser = open_office(giver)
    found = [
        browser.post(account_page(other), {"do": "end"}).status_code == 302
        and open_office(other).get("/admin/").status_code != 200
        for other in others
    ]
    assert mark(found) == (GIVEN_BY_PERMISSION if may_invite else GIVEN)[role]


def test_nobody_changes_the_own_role() -> None:
    user = create_user("chief", Role.CHIEF_EDITOR)
    sent = {"do": "role", "role": Role.EDITOR.value}
    assert open_office(user).post(account_page(user), sent).status_code == 403
    assert role_of(User.objects.get(pk=user.pk)) is Role.CHIEF_EDITOR


def test_an_area_editor_of_another_area_is_not_theirs() -> None:
    giver = giver_of(Role.AREA_EDITOR, may_invite=True)
    there = create_user("there", Role.AREA_EDITOR, (TORGET, PARKEN))
    assert not Grants(giver).may_look_after(there)


DONE = ["role", "last-day", "end", "link", "send", "withdraw", "unlock", "reset"]


def with_a_permission(user: User) -> None:
    user.user_permissions.add(Permission.objects.get(codename="change_user"))


def with_a_group(user: User) -> None:
    user.groups.add(Group.objects.create(name="Volunteers"))


def as_superuser(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_superuser=True)


def inactive(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def without_a_role(user: User) -> None:
    user.groups.clear()


@pytest.mark.parametrize("change", [with_a_permission, with_a_group, as_superuser, inactive, without_a_role])
def test_who_has_more_or_was_shut_out_is_not_a_chief_editors(change: Any) -> None:
    other = create_user("other", Role.EDITOR)
    change(other)
    browser = open_office(create_user("chief", Role.CHIEF_EDITOR))
    assert browser.get(account_page(other)).status_code == 403
    done = [browser.post(account_page(other), {"do": do}).status_code for do in DONE]
    assert done == [403] * len(DONE)
    assert User.objects.filter(pk=other.pk, account=None).exists()


@pytest.mark.parametrize("role", [Role.CHIEF_EDITOR, Role.ADMINISTRATOR])
def test_nobody_extends_the_own_account(role: Role) -> None:
    user = create_user("chief", role)
    keep(user, last_day=find_today())
    assert open_office(user).post(account_page(user), {"do": "last-day", "last_day": ""}).status_code == 403
    assert User.objects.get(pk=user.pk).account.last_day == find_today()


@pytest.mark.parametrize(("days", "is_given"), [(-1, False), (0, True), (5, True), (6, False), (None, False)])
def test_no_last_day_is_later_than_that_of_who_gives_it(days: int | None, is_given: bool) -> None:
    chief, other = create_user("chief", Role.CHIEF_EDITOR), create_user("other", Role.EDITOR)
    keep(chief, last_day=find_today() + timedelta(days=5))
    day = "" if days is None else (find_today() + timedelta(days=days)).isoformat()
    browser = open_office(chief)
    browser.post(INVITE, an_invitation("bo@x.se", last_day=day))
    browser.post(account_page(other), {"do": "last-day", "last_day": day})
    assert User.objects.filter(username="bo@x.se").exists() == is_given
    assert User.objects.filter(pk=other.pk, account__last_day__isnull=False).exists() == is_given


def test_what_a_role_may_give_follows_its_permissions(django_assert_num_queries: Any) -> None:
    Group.objects.get(name=Role.EDITOR.value).permissions.add(Permission.objects.get(codename="delete_user"))
    chief = User.objects.get(pk=create_user("chief", Role.CHIEF_EDITOR).pk)
    with django_assert_num_queries(5):
        assert Grants(chief).roles == [Role.CHIEF_EDITOR, Role.AREA_EDITOR]
    assert Area.objects.count() == Grants(chief).areas().count()
