"""The page of one account: what it may, until when, how it signs in, and what can be done about it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from festival.accounts import limits, two_factor
from festival.accounts.access import account_of, find_today, has_access, has_ended, is_invited
from festival.accounts.log import record
from festival.accounts.models import WORDS, AccountEvent, Kind
from festival.accounts.passwords import renew_link
from festival.accounts.people.forms import Grants, GrantsForm, set_last_day
from festival.accounts.people.inviting import send_invitations
from programme.backoffice.roles import LABELS, role_of

# Lines of the log on the page.
RECENT = 20


class AccountPage:
    """What one user sees of another's account, and may do with it."""

    def __init__(self, request: HttpRequest, user: User, *, may_change: bool) -> None:
        self.request, self.user = request, user
        # Administrators, who also see how it signs in.
        self.may_change = may_change
        grants = Grants(request.user)
        sent = request.POST if request.POST.get("do") == "save" else None
        self.form = GrantsForm.of(user, sent, grants) if grants.may_look_after(user) else None

    def respond(self) -> HttpResponse:
        actions: dict[str, Callable[[], HttpResponse]] = {}
        if self.may_change:
            actions |= {"unlock": self._unlock, "reset": self._reset}
        if self.form:
            actions |= {"save": self._save, "end": self._end}
            actions |= {"link": self._show_link, "send": self._send, "withdraw": self._withdraw}
        if not actions:
            raise PermissionDenied
        if self.request.method != "POST":
            return self._show()
        action = actions.get(self.request.POST.get("do", ""))
        if action is None:
            raise PermissionDenied
        return action()

    def _done(self, message: str) -> HttpResponse:
        messages.success(self.request, message)
        return HttpResponseRedirect(reverse("admin:auth_user_sign_in", args=[self.user.pk]))

    def _unlock(self) -> HttpResponse:
        limits.unlock(self.user)
        record(Kind.UNLOCKED, self.user)
        return self._done(_("The account is unlocked."))

    def _reset(self) -> HttpResponse:
        two_factor.reset(self.user)
        text = _("The second step is removed. {user} signs in with the password alone.")
        return self._done(text.format(user=self.user))

    def _save(self) -> HttpResponse:
        form = self.form
        if form is None or not form.is_valid():
            return self._show()
        form.give_to(self.user)
        return self._done(_("Saved: {user} is {role}.").format(user=self.user, role=LABELS[form.chosen_role]))

    def _end(self) -> HttpResponse:
        set_last_day(self.user, find_today() - timedelta(days=1))
        return self._done(_("The account has ended. {user} is signed out.").format(user=self.user))

    def _show_link(self) -> HttpResponse:
        if not has_access(self.user):
            raise PermissionDenied
        link = renew_link(self.user)
        record(Kind.LINK, self.user)
        return self._show(link=link)

    def _send(self) -> HttpResponse:
        is_open = has_access(self.user) and is_invited(self.user)
        if not (is_open and self.user.email and settings.HAS_EMAIL):
            raise PermissionDenied
        renew_link(self.user)
        record(Kind.INVITED, self.user)
        send_invitations([self.user], self.request.user)
        return self._done(_("The invitation is on its way. Links sent before no longer work."))

    def _withdraw(self) -> HttpResponse:
        """Delete an account that nobody has used, so that nothing of the history is lost."""
        if not is_invited(self.user):
            raise PermissionDenied
        self.user.delete()
        messages.success(self.request, _("The invitation of {user} is withdrawn.").format(user=self.user))
        return HttpResponseRedirect(reverse("admin:auth_user_changelist"))

    def _show(self, **more: Any) -> HttpResponse:
        user, role = self.user, role_of(self.user)
        context = admin.site.each_context(self.request) | {
            "title": _("The account of {user}").format(user=user.get_full_name() or user),
            "opts": User._meta,
            "original": user,
            "role": LABELS[role] if role else "",
            "areas": [each.area.name for each in user.edited_areas.all()],
            "account": account_of(user),
            "has_access": has_access(user),
            "has_ended": has_ended(user),
            "is_invited": is_invited(user),
            "has_email": settings.HAS_EMAIL and user.email,
            "form": self.form,
            "may_change": self.may_change,
            **more,
        }
        if self.may_change:
            context |= {
                "is_required": two_factor.is_required(user),
                "steps": [_describe_step(each) for each in Authenticator.objects.filter(user=user)],
                "events": AccountEvent.objects.filter(account=user)[:RECENT],
                "may_read_log": self.request.user.has_perm("accounts.view_accountevent"),
            }
        response = TemplateResponse(self.request, "admin/accounts/sign_in.html", context)
        response["Cache-Control"] = "no-store"
        return response


def _describe_step(authenticator: Authenticator) -> str:
    name = authenticator.wrap().name if authenticator.type == Authenticator.Type.WEBAUTHN else ""
    label = capfirst(WORDS[authenticator.type])
    return f"{label}: {name}" if name else str(label)
