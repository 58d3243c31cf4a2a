"""Nobody gives more than they have: every role to every role, with and without areas."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission, User

from festival.accounts.access import find_today, update_account
from festival.accounts.people.forms import Grants
from programme.backoffice.roles import Role, role_of
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
GIVEN = {Role.ADMINISTRATOR: "xxxx", Role.CHIEF_EDITOR: "-xxx", Role.EDITOR: "----", Role.AREA_EDITOR: "----"}
# The same if a permission of its own lets each of them invite: still nothing that they do not have.
GIVEN_BY_PERMISSION = GIVEN | {Role.EDITOR: "--xx", Role.AREA_EDITOR: "---x"}

pytestmark = pytest.mark.usefixtures("sample", "at")


def giver_of(role: Role, *, may_invite: bool = False) -> User:
    user = create_user("giver", role, (TORGET,) * (role is Role.AREA_EDITOR))
    if may_invite:
        user.user_permissions.add(Permission.objects.get(codename="invite_people"))
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize("may_invite", [False, True])
@pytest.mark.parametrize("role", ROLES)
def test_roles_are_given_and_accounts_looked_after_by_who_has_as_much(role: Role, may_invite: bool) -> None:
    grants = Grants(giver_of(role, may_invite=may_invite))
    others = [create_user(each.name, each, (TORGET,) * (each is Role.AREA_EDITOR)) for each in ROLES]
    expected = (GIVEN_BY_PERMISSION if may_invite else GIVEN)[role]
    assert "".join("-x"[each in grants.roles] for each in ROLES) == expected
    assert "".join("-x"[grants.may_manage(each)] for each in others) == expected


@pytest.mark.parametrize(
    ("role", "given", "areas"),
    [
        (Role.CHIEF_EDITOR, Role.ADMINISTRATOR, []),
        (Role.CHIEF_EDITOR, Role.AREA_EDITOR, []),
        (Role.AREA_EDITOR, Role.EDITOR, []),
        (Role.AREA_EDITOR, Role.AREA_EDITOR, [PARKEN]),
        (Role.AREA_EDITOR, Role.AREA_EDITOR, [TORGET, PARKEN]),
    ],
)
def test_what_one_does_not_have_is_refused_on_both_pages(role: Role, given: Role, areas: list[int]) -> None:
    browser = open_office(giver_of(role, may_invite=True))
    other = create_user("other", Role.AREA_EDITOR, (TORGET,))
    sent = {"role": given.value, "areas": areas}
    browser.post(INVITE, an_invitation(**sent))
    browser.post(account_page(other), {"do": "save", **sent})
    now = User.objects.get(pk=other.pk)
    assert (role_of(now), [each.area_id for each in now.edited_areas.all()]) == (Role.AREA_EDITOR, [TORGET])
    assert not User.objects.filter(username="bo@x.se").exists()


def test_an_area_editor_of_another_area_is_not_theirs() -> None:
    giver = giver_of(Role.AREA_EDITOR, may_invite=True)
    there = create_user("there", Role.AREA_EDITOR, (TORGET, PARKEN))
    assert not Grants(giver).may_manage(there)


CHANGES: dict[str, Callable[[User], object]] = {
    "a permission": lambda user: user.user_permissions.add(Permission.objects.get(codename="change_user")),
    "a group": lambda user: user.groups.add(Group.objects.create(name="Volunteers")),
    "superuser": lambda user: User.objects.filter(pk=user.pk).update(is_superuser=True),
    "inactive": lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    "no role": lambda user: user.groups.clear(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_who_has_more_or_was_shut_out_is_not_a_chief_editors(change: Callable[[User], object]) -> None:
    other = create_user("other", Role.EDITOR)
    change(other)
    assert not Grants(giver_of(Role.CHIEF_EDITOR)).may_manage(User.objects.get(pk=other.pk))


@pytest.mark.parametrize("role", [Role.CHIEF_EDITOR, Role.ADMINISTRATOR])
def test_nobody_changes_the_own_account(role: Role) -> None:
    user = giver_of(role)
    update_account(user, last_day=find_today())
    browser = open_office(user)
    for do in ("save", "end", "link", "send"):
        sent = {"do": do, "role": Role.EDITOR.value, "last_day": ""}
        assert browser.post(account_page(user), sent).status_code == 403
    now = User.objects.get(pk=user.pk)
    assert (role_of(now), now.account.last_day, now.account.link_at) == (role, find_today(), None)


@pytest.mark.parametrize(("days", "is_given"), [(-1, False), (0, True), (5, True), (6, False), (None, False)])
def test_no_last_day_is_later_than_that_of_who_gives_it(days: int | None, is_given: bool) -> None:
    chief = giver_of(Role.CHIEF_EDITOR)
    update_account(chief, last_day=find_today() + timedelta(days=5))
    day = "" if days is None else (find_today() + timedelta(days=days)).isoformat()
    open_office(chief).post(INVITE, an_invitation("bo@x.se", last_day=day))
    assert User.objects.filter(username="bo@x.se").exists() == is_given
