"""The four roles: Django groups, whose permissions every migration brings up to date."""

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from django.apps import AppConfig, apps
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

EDITED_MODELS = ["event", "occasion"]
# Models that events refer to, and to which an editor may have to add.
RELATED_MODELS = ["organizer", "location", "room", "occasionlist"]


class Role(StrEnum):
    """The name of a role's group, with a prefix that sets it apart from other groups."""

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
DESCRIPTIONS = {
    Role.ADMINISTRATOR: _("Everything a chief editor may, and looks after users and their roles."),
    Role.CHIEF_EDITOR: _("Keeps the whole programme, publishes, and invites people."),
    Role.EDITOR: _(
        "Writes events of every area, and corrects published ones, too: readers see that at once. "
        "Neither publishes nor withdraws."
    ),
    Role.AREA_EDITOR: _(
        "Writes events of the areas given to them, and corrects published ones, too: "
        "readers see that at once. Neither publishes nor withdraws."
    ),
}


def _codenames(verbs: list[str], models: list[str]) -> set[str]:
    return {f"{verb}_{model}" for verb in verbs for model in models}


def _permissions_of(role: Role) -> Q:
    programme = Q(content_type__app_label="programme")
    people = Q(content_type__app_label="auth", codename="view_user")
    people |= Q(content_type__app_label="accounts", codename="invite_people")
    if role is Role.CHIEF_EDITOR:
        return programme | people
    if role is Role.ADMINISTRATOR:
        users = Q(content_type__app_label="auth", codename="change_user")
        return programme | people | users
    codenames = _codenames(["add", "change", "delete"], EDITED_MODELS)
    if role is Role.EDITOR:
        codenames |= _codenames(["add", "change", "delete"], ["listitem"])
        codenames |= {"edit_every_area"} | _codenames(["add", "change"], RELATED_MODELS)
    return programme & (Q(codename__startswith="view_") | Q(codename__in=codenames))


def update_roles(sender: AppConfig | None = None, using: str = "default", **_signal: Any) -> None:  # noqa: ARG001 - a receiver
    group_model, permission_model = apps.get_model("auth.Group"), apps.get_model("auth.Permission")
    for role in Role:
        group, _new = group_model.objects.using(using).get_or_create(name=role.value)
        wanted = permission_model.objects.using(using).filter(_permissions_of(role))
        group.permissions.set(wanted)


def role_of(user: Any) -> Role | None:
    # From `groups.all()`, so that a list of users can prefetch the groups.
    names = {group.name for group in user.groups.all()}
    return next((role for role in Role if role in names), None)


def is_administrator(user: Any) -> bool:
    """Return whether somebody looks after the installation, too."""
    return bool(user.has_perm("auth.change_user"))


def assign_role(user: Any, role: Role) -> None:
    """Give a user this role and no other, and with it the back office; other groups stay."""
    user.groups.remove(*user.groups.filter(name__in=set(Role) - {role}))
    user.groups.add(apps.get_model("auth.Group").objects.get(name=role.value))
    if not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])


def assign_areas(user: Any, areas: Collection[Any]) -> None:
    """Give a user these areas and no others, one by one: the log of rights hears of each."""
    given = apps.get_model("programme.AreaEditor").objects
    given.filter(user=user).exclude(area__in=areas).delete()
    for area in areas:
        given.get_or_create(user=user, area=area)
