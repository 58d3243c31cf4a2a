"""Inviting, in two steps: a list and what its people get, then accounts for all of them, each with a link."""

from collections.abc import Collection, Iterable
from datetime import date
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
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
from festival.accounts.access import account_of
from festival.accounts.adapters import find_festival_name
from festival.accounts.log import record_all
from festival.accounts.models import Account, Kind
from festival.accounts.passwords import build_link, send_in_background
from festival.accounts.people.forms import Grants, InvitationForm
from festival.accounts.people.pasted import Row
from programme.backoffice.roles import LABELS, Role
from programme.models import Area, AreaEditor


@transaction.atomic
def invite(people: Iterable[Row], role: Role, areas: Collection[Area], last_day: date | None) -> list[User]:
    """Create the accounts, forty in as many queries as one; raise IntegrityError if there is one already."""
    users = User.objects.bulk_create(
        User(
            username=row.email,
            email=row.email,
            first_name=row.first_name,
            last_name=row.last_name,
            password=make_password(None),
            is_staff=True,
        )
        for row in people
    )
    group = Group.objects.get(name=role.value)
    User.groups.through.objects.bulk_create(User.groups.through(user=user, group=group) for user in users)
    AreaEditor.objects.bulk_create(AreaEditor(user=user, area=area) for user in users for area in areas)
    Account.objects.bulk_create(
        Account(user=user, last_day=last_day, link_at=clock.now(), language="", is_undelivered=False)
        for user in users
    )
    given = [role.value, *map(str, areas), *([last_day.isoformat()] if last_day else [])]
    record_all(Kind.INVITED, users, detail=", ".join(f"+{each}" for each in given))
    return users


def send_invitations(users: Collection[User], role: Role | None, by: Any) -> None:
    """Send the messages once all is written."""
    shared = {
        "by": by.get_full_name() or by.get_username(),
        "festival": find_festival_name(),
        "role": LABELS[role] if role else "",
        "address": settings.BASE_URL,
    }
    written = [(user, build_message(user, shared)) for user in users]
    transaction.on_commit(partial(send_in_background, written))


def build_message(user: User, shared: dict[str, Any]) -> EmailMessage:
    """Return the message in the user's language, or in all languages as long as nobody knows it."""
    own = account_of(user).language
    first = own or get_language() or settings.LANGUAGE_CODE
    others = [] if own else [code for code, _name in settings.LANGUAGES if code != first]
    context = shared | {"user": user, "link": build_link(user)}
    texts = [_write(context, language) for language in (first, *others)]
    body = "\n\n".join(text for _subject, text in texts)
    return EmailMessage(texts[0][0], f"{body}\n", None, [user.email])


def _write(context: dict[str, Any], language: str) -> tuple[str, str]:
    """Return the subject, which is one line, and the text of an invitation."""
    with override(language):
        subject = render_to_string("admin/people/invitation_subject.txt", context)
        return " ".join(subject.split()), render_to_string("admin/people/invitation.txt", context).strip()


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
