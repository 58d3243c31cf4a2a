"""Inviting: accounts for all people of a list or for none, and the message with each one's link."""

from collections.abc import Collection, Iterable
from datetime import date
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.translation import get_language, override

from festival import clock
from festival.accounts.access import account_of
from festival.accounts.adapters import find_festival_name
from festival.accounts.log import record_all
from festival.accounts.models import Account, Kind
from festival.accounts.passwords import build_link, send_in_background
from festival.accounts.people.pasted import Row
from programme.backoffice.roles import LABELS, Role
from programme.models import Area, AreaEditor


def find_taken(addresses: Collection[str]) -> set[str]:
    """Return those addresses, in small letters, that an account has as its name or its e-mail address."""
    named = User.objects.values_list("username", "email")
    return {name.lower() for names in named for name in names} & {*addresses}


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
    messages = [(user, build_message(user, shared)) for user in users]
    transaction.on_commit(partial(send_in_background, messages))


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
