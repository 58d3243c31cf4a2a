"""The log in the back office, and how each user signs in, with what an administrator can do about it."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from festival.accounts import limits, two_factor
from festival.accounts.log import record
from festival.accounts.models import AccountEvent, Kind
from festival.accounts.wording import WORDS, describe_all, describe_detail, describe_kind, find_browser
from programme.backoffice.admin.users import BackOfficeUserAdmin
from programme.backoffice.dates import format_date_and_time

# Lines of the log on a user's page.
RECENT = 20
# Tables of django-allauth: some hold secrets, the others nothing.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(AccountEvent)
class AccountEventAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in its stubs only
    """A list to read; nothing in it can be changed."""

    class Media:
        css = {"all": ["accounts/log.css"]}

    list_display = ["moment", "event", "name", "by", "details", "address", "browser"]
    list_display_links = None
    list_filter = ["kind", "at"]
    search_fields = ["name", "by", "address"]
    date_hierarchy = "at"
    list_per_page = 50

    def get_urls(self) -> list[URLPattern]:
        return [each for each in super().get_urls() if each.name == "accounts_accountevent_changelist"]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | {"title": _("Sign-ins and rights")})

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's hook
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - the same
        return False

    @admin.display(description=gettext_lazy("time"), ordering="at")
    def moment(self, event: AccountEvent) -> str:
        return format_date_and_time(event.at)

    @admin.display(description=gettext_lazy("what happened"), ordering="kind")
    def event(self, event: AccountEvent) -> str:
        return describe_kind(event)

    @admin.display(description=gettext_lazy("details"))
    def details(self, event: AccountEvent) -> str:
        return describe_detail(event)

    @admin.display(description=gettext_lazy("browser"))
    def browser(self, event: AccountEvent) -> str:
        return find_browser(event.user_agent)


admin.site.unregister(User)


@admin.register(User)
class AccountUserAdmin(BackOfficeUserAdmin):
    """Users, with a page on how each of them signs in."""

    change_form_template = "admin/accounts/user_form.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.sign_in_view)
        return [path("<int:pk>/sign-in/", view, name="auth_user_sign_in"), *super().get_urls()]

    def sign_in_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show how a user signs in; unlock the account, or remove its second step."""
        user = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        if request.method == "POST":
            messages.success(request, self._do(request.POST.get("do", ""), user))
            return HttpResponseRedirect(reverse("admin:auth_user_sign_in", args=[pk]))
        context = self.admin_site.each_context(request) | {
            "title": _("How {user} signs in").format(user=user),
            "opts": self.opts,
            "original": user,
            "is_locked": limits.is_locked(user.get_username()),
            "is_required": two_factor.is_required(user),
            "steps": [_describe_step(each) for each in Authenticator.objects.filter(user=user)],
            "events": describe_all(AccountEvent.objects.filter(account=user)[:RECENT]),
            "may_read_log": request.user.has_perm("accounts.view_accountevent"),
        }
        return TemplateResponse(request, "admin/accounts/sign_in.html", context)

    @staticmethod
    def _do(action: str, user: User) -> str:
        if action == "unlock":
            limits.unlock(user.get_username())
            record(Kind.UNLOCKED, user)
            return _("The account is unlocked.")
        if action == "reset":
            two_factor.reset(user)
            return _("The second step is removed. {user} signs in with the password alone.").format(user=user)
        raise PermissionDenied


def _describe_step(authenticator: Authenticator) -> str:
    name = authenticator.wrap().name if authenticator.type == Authenticator.Type.WEBAUTHN else ""
    label = capfirst(WORDS[authenticator.type])
    return f"{label}: {name}" if name else str(label)
