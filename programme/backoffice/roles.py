"""The four roles: groups of Django's, whose permissions are kept here and brought up to date by migrating."""

from enum import StrEnum
from typing import Any

from django.apps import AppConfig, apps
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

WRITTEN = ["event", "occasion"]
# What events name and what somebody who writes one may find missing.
ADDED_BESIDE = ["organizer", "location", "room"]


class Role(StrEnum):
    """The name of a role's group; it begins so that no group of somebody's own is taken for it."""

    ADMINISTRATOR = "Programme: administrator"
    CHIEF_EDITOR = "Programme: chief editor"
    EDITOR = "Programme: editor"
    AREA_EDITOR = "Programme: area editor"


LABELS = {
    Role.ADMINISTRATOR: _("administrator"),
    Role.CHIEF_EDITOR: _("chief editor"),
    Role.EDITOR: _("editor"),
    Role.AREA_EDITOR: _("area editor"),
}
EXPLAINED = {
    Role.ADMINISTRATOR: _("Everything a chief editor may, and looks after users and their roles."),
    Role.CHIEF_EDITOR: _("Keeps the whole programme, and publishes."),
    Role.EDITOR: _("Writes and corrects events of every area. Publishes nothing."),
    Role.AREA_EDITOR: _("Writes and corrects events of the areas given to them. Publishes nothing."),
}


def _named(verbs: list[str], models: list[str]) -> set[str]:
    return {f"{verb}_{model}" for verb in verbs for model in models}


def _wanted(role: Role) -> Q:
    """Return which permissions a role has."""
    programme = Q(content_type__app_label="programme")
    if role is Role.CHIEF_EDITOR:
        return programme
    if role is Role.ADMINISTRATOR:
        users = Q(content_type__app_label="auth", codename__in=_named(["view", "add", "change"], ["user"]))
        return programme | users
    codenames = _named(["add", "change", "delete"], WRITTEN)
    if role is Role.EDITOR:
        codenames |= {"edit_every_area"} | _named(["add", "change"], ADDED_BESIDE)
    return programme & (Q(codename__startswith="view_") | Q(codename__in=codenames))


def update_roles(sender: AppConfig | None = None, using: str = "default", **_signal: Any) -> None:  # noqa: ARG001 - a receiver
    """Make the groups of the roles and give them the permissions that they have in this version."""
    group_model, permission_model = apps.get_model("auth.Group"), apps.get_model("auth.Permission")
    for role in Role:
        group, _new = group_model.objects.using(using).get_or_create(name=role.value)
        wanted = permission_model.objects.using(using).filter(_wanted(role))
        group.permissions.set(wanted)


def role_of(user: Any) -> Role | None:
    """Return the role of a user, the one that may most where somebody has given several."""
    # Not a query of its own, so that a list of users can fetch the groups of all at once.
    names = {group.name for group in user.groups.all()}
    return next((role for role in Role if role in names), None)


def assign_role(user: Any, role: Role | None) -> None:
    """Give a user this role and no other; groups that are no roles stay."""
    group_model = apps.get_model("auth.Group")
    user.groups.remove(*group_model.objects.filter(name__in=set(Role) - {role}))
    if role:
        user.groups.add(group_model.objects.get(name=role.value))
