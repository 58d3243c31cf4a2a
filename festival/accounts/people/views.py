"""Inviting, in two steps: the list and what its people get, then who will be invited."""

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from festival.accounts.passwords import build_link
from festival.accounts.people.forms import InvitationForm
from festival.accounts.people.grants import Grants
from festival.accounts.people.inviting import invite, send_invitations
from programme.backoffice.roles import LABELS, Role


def show_invitation(request: HttpRequest) -> HttpResponse:
    """Show the form, then who will be invited; create all accounts if that was confirmed."""
    grants = Grants(request.user)
    if not grants.may_invite:
        raise PermissionDenied
    form = InvitationForm(request.POST or None, grants=grants)
    step = request.POST.get("do", "")
    if not form.is_valid() or form.wrong_rows or step == "change":
        return _show(request, "form", form)
    if step not in {"send", "links"}:
        return _show(request, "preview", form)
    try:
        users = invite(
            form.rows, form.chosen_role, list(form.cleaned_data["areas"]), form.cleaned_data["last_day"]
        )
    except IntegrityError:
        # Somebody else has invited one of them at this moment.
        form.full_clean()
        return _show(request, "form", form)
    if step == "send" and settings.HAS_EMAIL:
        return _send(request, users, form.chosen_role)
    people = [(user, build_link(user)) for user in users]
    return _show(request, "links", form, people=people)


def _send(request: HttpRequest, users: list[User], role: Role) -> HttpResponse:
    send_invitations(users, role, request.user)
    text = ngettext(
        "{count} invitation is on its way.", "{count} invitations are on their way.", len(users)
    ).format(count=len(users))
    messages.success(request, text)
    return HttpResponseRedirect(f"{reverse('admin:auth_user_changelist')}?state=invited")


def _show(request: HttpRequest, page: str, form: InvitationForm, **more: Any) -> HttpResponse:
    role = LABELS[form.chosen_role] if form.is_bound and form.is_valid() else ""
    context = admin.site.each_context(request) | {
        "title": _("Invite people"),
        "opts": User._meta,
        "form": form,
        "role": role,
        "has_email": settings.HAS_EMAIL,
        **more,
    }
    return TemplateResponse(request, f"admin/people/{page}.html", context)
