"""The list of users, whom chief editors invite, and a page for each account."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from festival.accounts.access import account_of, is_invited
from festival.accounts.people.forms import Grants
from festival.accounts.people.pages import show_account, show_invitation
from programme.backoffice.admin.base import OrderedList
from programme.backoffice.admin.users import BackOfficeUserAdmin
from programme.backoffice.dates import format_moment

# Tables of django-allauth with secrets, or without rows.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken, User):
    admin.site.unregister(model)


class UserList(OrderedList):
    """Users, each linked to the page with the most rights for the viewer."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.grants = Grants(request.user)

    def url_for_result(self, result: Any) -> str:
        if self.grants.may_manage(result):
            return reverse("admin:auth_user_sign_in", args=[result.pk])
        return super().url_for_result(result)


@admin.register(User)
class AccountUserAdmin(BackOfficeUserAdmin):
    """Users, with pages for inviting and for each account."""

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
            # Users choose passwords by links.
            *[each for each in super().get_urls() if each.name != "auth_user_password_change"],
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().changelist_view(request, {"title": _("Users")} | (extra_context or {}))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:  # noqa: ARG002 - Django's hook
        return UserList

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:  # noqa: ARG002 - Django's hook
        """Show the account's page instead: the log has sign-ins, which require further rights."""
        return self.account_view(request, int(object_id))

    def account_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        user = get_object_or_404(self.get_queryset(request).select_related("account"), pk=pk)
        return show_account(request, user, may_change=self.has_change_permission(request, user))

    @admin.display(description=gettext_lazy("last sign-in"), ordering="last_login")
    def last_sign_in(self, user: Any) -> str:
        if user.last_login:
            return format_moment(user.last_login)
        if not is_invited(user):
            return _("Never")
        return _("The message could not be sent.") if user.account.is_undelivered else _("Not accepted yet.")

    @admin.display(description=gettext_lazy("last day"), ordering="account__last_day")
    def last_day(self, user: User) -> str:
        return str(account_of(user).last_day or "")
