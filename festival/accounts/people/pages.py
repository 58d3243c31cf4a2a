"""The page of inviting, and that of one account: what it may, until when, and what can be done about it."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from festival import clock
from festival.accounts import limits
from festival.accounts.access import (
    account_of,
    find_today,
    has_access,
    has_ended,
    is_invited,
    keep,
    needs_second_step,
)
from festival.accounts.links import build_link, build_message, renew_link, send_in_background
from festival.accounts.log import Kind, read_lines, record
from festival.accounts.people.forms import Grants, GrantsForm, InvitationForm, set_last_day
from programme.backoffice.roles import LABELS, role_of


@transaction.atomic
def invite(form: InvitationForm) -> Sequence[User]:
    """Create the accounts, all or none; raise IntegrityError if there is one already."""
    people: Sequence[User] = form.cleaned_data["people"]
    for user in people:
        user.set_unusable_password()
        user.save(force_insert=True)
        keep(user, link_at=clock.now())
        form.give_to(user)
        record(Kind.LINK, user)
    return people


def _send(users: Sequence[User], by: Any) -> None:
    """Send the messages once all is written."""
    transaction.on_commit(partial(send_in_background, [build_message(user, by) for user in users]))


def show_invitation(request: HttpRequest) -> HttpResponse:
    """Show the form; create all accounts, and send their links or show them."""
    grants = Grants(request.user)
    if not grants.may_invite:
        raise PermissionDenied
    form = InvitationForm(request.POST or None, grants=grants)
    show = partial(_show, request, "invite", title=_("Invite people"), has_email=settings.HAS_EMAIL)
    if not form.is_valid():
        return show(form=form)
    try:
        users = invite(form)
    except IntegrityError:
        # Somebody else has invited one of them at this moment.
        form.full_clean()
        return show(form=form)
    if request.POST.get("do") != "send" or not settings.HAS_EMAIL:
        return show(people=[(user, build_link(user)) for user in users])
    _send(users, request.user)
    text = ngettext("{count} invitation is on its way.", "{count} invitations are on their way.", len(users))
    messages.success(request, text.format(count=len(users)))
    return HttpResponseRedirect(f"{reverse('admin:auth_user_changelist')}?last_login__isnull=True")


def _show(request: HttpRequest, page: str, **context: Any) -> HttpResponse:
    context = admin.site.each_context(request) | {"opts": User._meta} | context
    response = TemplateResponse(request, f"admin/people/{page}.html", context)
    response["Cache-Control"] = "no-store"
    return response


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
            actions |= {
                "save": self._save,
                "end": self._end,
                "link": self._make_link,
                "send": self._mail_link,
            }
        do = self.request.POST.get("do", "")
        if not actions or (self.request.method == "POST" and do not in actions):
            raise PermissionDenied
        return actions.get(do, self._show)()

    def _done(self, message: str) -> HttpResponse:
        messages.success(self.request, message.format(user=self.user))
        return HttpResponseRedirect(reverse("admin:auth_user_sign_in", args=[self.user.pk]))

    def _unlock(self) -> HttpResponse:
        limits.unlock(self.user)
        record(Kind.UNLOCKED, self.user)
        return self._done(_("The account is unlocked."))

    def _reset(self) -> HttpResponse:
        Authenticator.objects.filter(user=self.user).delete()
        record(Kind.FACTOR_REMOVED, self.user)
        return self._done(_("The second step is removed. {user} signs in with the password alone."))

    def _save(self) -> HttpResponse:
        if self.form is None or not self.form.is_valid():
            return self._show()
        self.form.give_to(self.user)
        return self._done(_("Saved: {user}"))

    def _end(self) -> HttpResponse:
        set_last_day(self.user, find_today() - timedelta(days=1))
        return self._done(_("The account has ended. {user} is signed out."))

    def _make_link(self) -> HttpResponse:
        if not has_access(self.user):
            raise PermissionDenied
        record(Kind.LINK, self.user)
        return self._show(link=renew_link(self.user))

    def _mail_link(self) -> HttpResponse:
        if not (self.user.email and settings.HAS_EMAIL):
            raise PermissionDenied
        self._make_link()
        _send([self.user], self.request.user)
        return self._done(_("The link is on its way. Links made before no longer work."))

    def _show(self, **context: Any) -> HttpResponse:
        user, role = self.user, role_of(self.user)
        if self.may_change:
            context["is_required"] = needs_second_step(user)
            context["steps"] = [each.wrap() for each in Authenticator.objects.filter(user=user)]
            context["events"] = read_lines(user, 100)
        return _show(
            self.request,
            "account",
            title=_("The account of {user}").format(user=user.get_full_name() or user),
            original=user,
            role=LABELS[role] if role else "",
            account=account_of(user),
            has_access=has_access(user),
            has_ended=has_ended(user),
            is_invited=is_invited(user),
            has_email=settings.HAS_EMAIL and user.email,
            form=self.form,
            may_change=self.may_change,
            **context,
        )
