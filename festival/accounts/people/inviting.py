"""Inviting, in two steps: a list and what its people get, then accounts for all of them, each with a link."""

from collections.abc import Collection
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from festival import clock
from festival.accounts.access import keep
from festival.accounts.log import record
from festival.accounts.models import Kind
from festival.accounts.passwords import build_link, send_in_background
from festival.accounts.people.forms import Grants, InvitationForm
from programme.backoffice.roles import DESCRIPTIONS, LABELS, role_of
from programme.models import Festival


@transaction.atomic
def invite(form: InvitationForm) -> list[User]:
    """Create the accounts; raise IntegrityError if there is one already."""
    users = []
    for row in form.rows:
        names = {"first_name": row.first_name, "last_name": row.last_name}
        user = User.objects.create_user(row.email, row.email, is_staff=True, **names)
        keep(user, link_at=clock.now())
        form.give_to(user, row.role)
        record(Kind.INVITED, user)
        users.append(user)
    return users


def send_invitations(users: Collection[User], by: Any) -> None:
    """Send the messages once all is written."""
    written = [(user, build_message(user, by)) for user in users]
    transaction.on_commit(partial(send_in_background, written))


def build_message(user: User, by: Any) -> EmailMessage:
    """Return the message in all languages, the active one first: nobody knows yet which the user reads."""
    festival = Festival.objects.values_list("name_sv", flat=True).first() or _("Festival programme")
    role = role_of(user)
    context = {
        "user": user,
        "by": by.get_full_name() or by.get_username(),
        "festival": festival,
        "role": LABELS[role] if role else "",
        "may": DESCRIPTIONS[role] if role else "",
        "link": build_link(user),
        "address": settings.BASE_URL,
    }
    subject = " ".join(render_to_string("admin/people/invitation_subject.txt", context).split())
    texts = []
    for language, _name in sorted(settings.LANGUAGES, key=lambda each: each[0] != get_language()):
        with override(language):
            texts.append(render_to_string("admin/people/invitation.txt", context).strip())
    return EmailMessage(subject, "\n\n".join(texts) + "\n", None, [user.email])


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
        users = invite(form)
    except IntegrityError:
        # Somebody else has invited one of them at this moment.
        form.full_clean()
        return _show(request, "form", form)
    if step == "links" or not settings.HAS_EMAIL:
        return _show(request, "links", form, people=[(user, build_link(user)) for user in users])
    send_invitations(users, request.user)
    text = ngettext(
        "{count} invitation is on its way.", "{count} invitations are on their way.", len(users)
    ).format(count=len(users))
    messages.success(request, text)
    return HttpResponseRedirect(f"{reverse('admin:auth_user_changelist')}?last_login__isnull=True")


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
