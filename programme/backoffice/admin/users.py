"""Users, as administrators edit them: with a role each, and with areas for area editors."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import (
    AdminUserCreationForm,
    ReadOnlyPasswordHashField,
    ReadOnlyPasswordHashWidget,
    UserChangeForm,
)
from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.forms import Script
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.roles import DESCRIPTIONS, LABELS, Role, assign_areas, assign_role, role_of
from programme.models import Area

NO_ROLE = ""


def describe_roles(roles: Iterable[Role]) -> list[tuple[str, Any]]:
    """Return roles as choices, each with what it is for."""
    return [
        (
            role.value,
            format_html('{} <span class="help">{}</span>', capfirst(LABELS[role]), DESCRIPTIONS[role]),
        )
        for role in roles
    ]


class PasswordWidget(ReadOnlyPasswordHashWidget):
    """Whether there is a password, without anything of its hash."""

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        is_usable = bool(value) and is_password_usable(value)
        context["summary"] = [{"label": _("Password set.") if is_usable else _("No password set.")}]
        context["button_label"] = _("Set a password")
        return context


class NewUserForm(AdminUserCreationForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A new user, who signs in with a password or in another way."""

    usable_password = forms.ChoiceField(
        label=_("Signs in with a password"),
        required=False,
        initial="true",
        choices={"true": _("Yes"), "false": _("No")},
        widget=forms.RadioSelect(attrs={"class": "radiolist inline"}),
    )


class RoleForm(UserChangeForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A user with one role, which gives access to the back office, and with the areas it needs."""

    # Users who edit themselves may not change their role, lest they lock themselves out.
    is_own = False

    password = ReadOnlyPasswordHashField(label=_("Password"), widget=PasswordWidget)
    role = forms.ChoiceField(label=capfirst(_("role")), required=False, widget=forms.RadioSelect)
    areas = forms.ModelMultipleChoiceField(
        Area.objects.all(),
        label=capfirst(_("areas")),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("For area editors: the areas whose events they write and correct."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "password" in self.fields:
            # Django's speaks of authentication.
            self.fields["password"].help_text = _(
                "Better is a link at which they choose it themselves: under Account, above."
            )
        if "role" in self.fields:
            none = (NO_ROLE, _("No role: does not get into the back office."))
            self.fields["role"].choices = [*describe_roles(Role), none]  # type: ignore[attr-defined]
            self.initial["role"] = role_of(self.instance) or NO_ROLE
            self.initial["areas"] = list(self.instance.edited_areas.values_list("area", flat=True))
        if "groups" in self.fields:
            groups = self.fields["groups"].queryset  # type: ignore[attr-defined]
            self.fields["groups"].queryset = groups.exclude(name__in=list(Role))  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("role") == Role.AREA_EDITOR and not cleaned.get("areas"):
            self.add_error("areas", _("Choose the areas of this area editor."))
        if self.is_own and cleaned.get("role", NO_ROLE) != (role_of(self.instance) or NO_ROLE):
            self.add_error("role", _("You cannot change your own role. Ask another administrator."))
        return cleaned

    def save_role(self) -> None:
        """Save the role and the areas, once the user and its groups are saved."""
        user = self.instance
        role = Role(self.cleaned_data["role"]) if self.cleaned_data["role"] else None
        assign_role(user, role)
        assign_areas(user, self.cleaned_data["areas"])
        # Something other than a role may let the user into the back office.
        others = user.groups.exclude(name__in=list(Role)).exists()
        has_other = user.is_superuser or others or user.user_permissions.exists()
        stays = user.is_staff and ("is_staff" in self.fields or has_other)
        user.is_staff = bool(role) or stays
        user.save(update_fields=["is_staff"])


admin.site.unregister(User)


@admin.register(User)
class BackOfficeUserAdmin(UserAdmin):  # type: ignore[type-arg]  # the same
    """Only superusers create and edit superusers; administrators assign roles."""

    class Media:
        js = [Script("programme/unsaved.js", type="module")]

    form = RoleForm
    add_form = NewUserForm
    search_fields = ["username", "first_name", "last_name", "email"]
    readonly_fields = ["last_login", "date_joined"]
    fieldsets = [
        (None, {"fields": ["username", "password", ("first_name", "last_name"), "email", "is_active"]}),
        (_("What they may do"), {"fields": ["role", "areas"]}),
    ]
    beyond: Any = (
        _("Beyond roles"),
        {"classes": ["collapse"], "fields": ["is_staff", "is_superuser", "groups", "user_permissions"]},
    )
    dates: Any = (_("Important dates"), {"classes": ["collapse"], "fields": [("last_login", "date_joined")]})

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups", "edited_areas__area")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None:
            return fieldsets
        if not self.has_change_permission(request, obj):
            # Django would show the hash of the password.
            return [(None, {"fields": ["username", ("first_name", "last_name"), "email", "is_active"]})]
        beyond = [self.beyond] if request.user.is_superuser else []
        return [*fieldsets, *beyond, self.dates]

    def get_form(
        self, request: HttpRequest, obj: User | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.is_own = obj is not None and obj.pk == request.user.pk and not request.user.is_superuser
        return form

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        if user := kwargs.get("obj"):
            # As in the forms of everything else.
            context |= {"title": str(user), "subtitle": None}
        return super().render_change_form(request, context, *args, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if "role" in form.fields:
            form.save_role()

    @admin.display(description=_("name"), ordering="last_name")
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
