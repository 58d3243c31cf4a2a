"""Users, as administrators edit them; roles are given on the page of an account (festival/accounts/)."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.forms import Script
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from programme.backoffice.admin.base import fold
from programme.backoffice.roles import LABELS, role_of

admin.site.unregister(User)


@admin.register(User)
class BackOfficeUserAdmin(UserAdmin):  # type: ignore[type-arg]  # generic in its stubs only
    """Only superusers create and edit superusers."""

    class Media:
        js = [Script("programme/unsaved.js", type="module")]

    actions_on_top, actions_on_bottom = False, True
    search_fields = ["username", "first_name", "last_name", "email"]
    readonly_fields = ["last_login", "date_joined"]
    fieldsets = [(None, {"fields": ["username", ("first_name", "last_name"), "email", "is_active"]})]
    beyond = fold(_("Beyond roles"), "is_staff", "is_superuser", "groups", "user_permissions")
    dates = fold(_("Important dates"), ("last_login", "date_joined"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        users = super().get_queryset(request)
        return users.prefetch_related("groups", "user_permissions", "edited_areas__area")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None:
            return fieldsets
        beyond = [self.beyond] if request.user.is_superuser else []
        return [*fieldsets, *beyond, self.dates]

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        if user := kwargs.get("obj"):
            # As in the forms of everything else.
            context |= {"title": str(user), "subtitle": None}
        return super().render_change_form(request, context, *args, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    @admin.display(description=_("name"), ordering="last_name__in_order")
    def full_name(self, user: User) -> str:
        return user.get_full_name()

    @admin.display(description=_("role"))
    def role(self, user: User) -> Any:
        role = role_of(user)
        if role is None and user.is_superuser:
            return _("superuser")
        return LABELS[role] if role else "–"

    @admin.display(description=_("areas"))
    def area_names(self, user: User) -> str:
        return ", ".join(each.area.name for each in user.edited_areas.all())


def _may_touch(request: HttpRequest, user: User | None) -> bool:
    return user is None or request.user.is_superuser or not user.is_superuser
