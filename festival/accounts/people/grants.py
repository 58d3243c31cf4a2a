"""Grants: which roles, areas and last days somebody may give to others; nobody gives more than they have."""

import datetime as dt
from functools import cached_property
from typing import Any

from django.contrib.auth.models import Group
from django.db.models import QuerySet

from festival.accounts.access import account_of
from programme.backoffice.rights import rights_of
from programme.backoffice.roles import Role
from programme.models import Area

INVITE = "accounts.invite_people"


class Grants:
    """What one user may give. Roles are compared by their permissions, as the groups have them now."""

    def __init__(self, user: Any) -> None:
        self.user = user

    @property
    def may_invite(self) -> bool:
        return bool(self.user.has_perm(INVITE))

    @cached_property
    def roles(self) -> list[Role]:
        if not self.may_invite:
            return []
        groups = Group.objects.filter(name__in=list(Role)).prefetch_related("permissions__content_type")
        held = {Role(group.name) for group in groups if self._has_all(group)}
        return [role for role in Role if role in held]

    def _has_all(self, group: Group) -> bool:
        named = {f"{each.content_type.app_label}.{each.codename}" for each in group.permissions.all()}
        return bool(self.user.has_perms(named))

    def areas(self) -> QuerySet[Area]:
        return rights_of(self.user).assignable_areas()

    @property
    def latest_day(self) -> dt.date | None:
        """The last day that the user may give at most: the user's own; None for any, or none at all."""
        return account_of(self.user).last_day

    def may_look_after(self, other: Any) -> bool:
        """Return whether the user may end and extend an account, and make links for its password.

        So may who edits users anyway; others may with accounts that have nothing but what they could have
        given to them. Nobody may with the own account.
        """
        if not self.may_invite or other.pk == self.user.pk:
            return False
        if self.user.is_superuser or (self.user.has_perm("auth.change_user") and not other.is_superuser):
            return True
        if other.is_superuser or not other.is_active or other.user_permissions.all():
            return False
        names = [group.name for group in other.groups.all()]
        return len(names) == 1 and names[0] in self.roles and self._has_areas_of(other)

    def _has_areas_of(self, other: Any) -> bool:
        areas = rights_of(self.user).areas
        return areas is None or all(each.area_id in areas for each in other.edited_areas.all())
