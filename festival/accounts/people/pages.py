"""The page of invitations, and the page of an account with its rights and actions."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from festival.accounts import access, log
from festival.accounts.links import build_message, renew_link, send_in_background
from festival.accounts.people.forms import Grants, GrantsForm, InvitationForm, set_last_day
from programme.backoffice.roles import LABELS, role_of

DONE = {
    "save": gettext_lazy("Saved: {user}"),
    "end": gettext_lazy("The account has ended. {user} is signed out."),
    "send": gettext_lazy("The link is on its way. Links made before no longer work."),
    "reset": gettext_lazy("The second step is removed. {user} signs in with the password alone."),
}


@transaction.atomic
def invite(form: InvitationForm) -> list[tuple[User, str]]:
    """Create the accounts, all or none, each with a link to choose a password."""
    invited = []
    for user in form.cleaned_data["people"]:
        user.set_unusable_password()
        user.save(force_insert=True)
        form.give_to(user)
        invited.append((user, renew_link(user)))
    return invited


def _send(users: Sequence[User], by: Any) -> None:
    """Send the messages after the commit."""
    transaction.on_commit(partial(send_in_background, [build_message(user, by) for user in users]))


def _send_again(user: User, by: Any) -> None:
    renew_link(user)
    _send([user], by)


def show_invitation(request: HttpRequest) -> HttpResponse:
    """Show the form; create all accounts, and send their links or show them."""
    grants = Grants(request.user)
    if not grants.may_invite:
        raise PermissionDenied
    form = InvitationForm(request.POST or None, grants=grants)
    show = partial(_show, request, "invite", title=_("Invite people"), has_email=settings.HAS_EMAIL)
    if not form.is_valid():
        return show(form=form)
    people = invite(form)
    if request.POST.get("do") != "send" or not settings.HAS_EMAIL:
        return show(people=people)
    _send([user for user, _link in people], request.user)
    text = ngettext("{count} invitation is on its way.", "{count} invitations are on their way.", len(people))
    messages.success(request, text.format(count=len(people)))
    return HttpResponseRedirect(f"{reverse('admin:auth_user_changelist')}?last_login__isnull=True")


def _show(request: HttpRequest, page: str, **context: Any) -> HttpResponse:
    context = admin.site.each_context(request) | {"opts": User._meta} | context
    response = TemplateResponse(request, f"admin/people/{page}.html", context)
    response["Cache-Control"] = "no-store"
    return response


def show_account(request: HttpRequest, user: User, *, may_change: bool) -> HttpResponse:
    """Show the page of another user's account, or carry out the requested action.

    Administrators, who may change users, also see how the account signs in.
    """
    grants, do, link = Grants(request.user), request.POST.get("do", ""), ""
    form = GrantsForm.of(user, request.POST if do == "save" else None, grants)
    has_access, has_email = access.has_access(user), bool(settings.HAS_EMAIL and user.email)
    actions: dict[str, Callable[[], Any]] = {}
    if may_change:
        actions["reset"] = partial(access.remove_steps, user)
    if may_manage := grants.may_manage(user):
        yesterday = access.find_today() - timedelta(days=1)
        actions |= {"save": partial(form.give_to, user), "end": partial(set_last_day, user, yesterday)}
        if has_access:
            actions["link"] = partial(renew_link, user)
        if has_access and has_email:
            actions["send"] = partial(_send_again, user, request.user)
    if not actions or (request.method == "POST" and do not in actions):
        raise PermissionDenied
    if do and (do != "save" or form.is_valid()):
        link = actions[do]()
        if do != "link":
            messages.success(request, DONE[do].format(user=user))
            return HttpResponseRedirect(reverse("admin:auth_user_sign_in", args=[user.pk]))
    role = role_of(user)
    return _show(
        request,
        "account",
        title=_("The account of {user}").format(user=user.get_full_name() or user),
        original=user,
        role=LABELS[role] if role else "",
        account=access.account_of(user),
        has_access=has_access,
        has_ended=access.has_ended(user),
        is_invited=access.is_invited(user),
        has_email=has_email,
        form=form if may_manage else None,
        link=link,
        may_change=may_change,
        is_required=access.needs_second_step(user),
        steps=[each.wrap() for each in Authenticator.objects.filter(user=user)] if may_change else [],
        events=log.read_lines(user, 100) if may_change else [],
    )
