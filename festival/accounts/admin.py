"""The log in the back office; the list of users, whom chief editors invite, and a page for each account."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from festival.accounts.access import account_of, has_access, has_ended, is_invited
from festival.accounts.models import AccountEvent
from festival.accounts.people.account import AccountPage
from festival.accounts.people.forms import Grants
from festival.accounts.people.inviting import show_invitation
from programme.backoffice.admin.base import OrderedList
from programme.backoffice.admin.users import BackOfficeUserAdmin
from programme.backoffice.dates import format_date_and_time

# Tables of django-allauth: some hold secrets, the others nothing.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(AccountEvent)
class AccountEventAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in its stubs only
    """A list to read; nothing in it can be changed."""

    list_display = ["moment", "kind", "name", "by", "details", "address"]
    list_display_links = None
    list_filter = ["kind", "at"]
    search_fields = ["name", "by", "address"]
    list_per_page = 50

    def get_urls(self) -> list[URLPattern]:
        return [each for each in super().get_urls() if each.name == "accounts_accountevent_changelist"]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | {"title": _("Sign-ins and rights")})

    def has_no_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's hook
        return False

    has_add_permission = has_change_permission = has_delete_permission = has_no_permission

    @admin.display(description=gettext_lazy("time"), ordering="at")
    def moment(self, event: AccountEvent) -> str:
        return format_date_and_time(event.at)


admin.site.unregister(User)


class UserList(OrderedList):
    """Users, each with what who looks at the list may do with the account."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        grants = Grants(request.user)
        for user in self.result_list:
            user.is_looked_after = grants.may_look_after(user)

    def url_for_result(self, result: Any) -> str:
        return build_account_url(result) if result.is_looked_after else super().url_for_result(result)


def build_account_url(user: User) -> str:
    return reverse("admin:auth_user_sign_in", args=[user.pk])


@admin.register(User)
class AccountUserAdmin(BackOfficeUserAdmin):
    """Users for who edits or invites them, with pages for inviting and for each account."""

    change_form_template = "admin/accounts/user_form.html"
    change_list_template = "admin/accounts/user_list.html"
    list_display = ["username", "full_name", "last_sign_in", "last_day", "role", "area_names"]
    list_filter = ["is_active", "last_login"]
    list_select_related = ["account"]
    ordering = ["username__in_order"]

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("invite/", wrap(show_invitation), name="auth_user_invite"),
            path("<int:pk>/sign-in/", wrap(self.account_view), name="auth_user_sign_in"),
            # Passwords are chosen at a link.
            *[each for each in super().get_urls() if each.name != "auth_user_password_change"],
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().changelist_view(request, {"title": _("Users")} | (extra_context or {}))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:  # noqa: ARG002 - Django's hook
        return UserList

    def account_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        user = get_object_or_404(self.get_queryset(request).select_related("account"), pk=pk)
        may_change = self.has_change_permission(request, user)
        return AccountPage(request, user, may_change=may_change).respond()

    @admin.display(description=gettext_lazy("last sign-in"), ordering="last_login")
    def last_sign_in(self, user: Any) -> str:
        if user.last_login:
            return format_date_and_time(user.last_login)
        if not is_invited(user):
            return _("Never")
        text = _("The message could not be sent.") if user.account.is_undelivered else _("Not accepted yet.")
        if not user.is_looked_after or not has_access(user):
            return text
        again = _("Send again") if settings.HAS_EMAIL and user.email else _("New link")
        return format_html('{} <a href="{}">{}</a>', text, build_account_url(user), again)

    @admin.display(description=gettext_lazy("last day"), ordering="account__last_day")
    def last_day(self, user: User) -> str:
        if not user.is_active:
            return _("Deactivated")
        day = account_of(user).last_day
        if day is None:
            return ""
        return _("Ended {day}").format(day=day) if has_ended(user) else day.isoformat()
