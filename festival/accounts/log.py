"""What happens to accounts, as lines of Django's log (LogEntry), until they are swept."""

import logging
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from allauth.account.internal.flows.login import get_authentication_records
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet, TextChoices
from django.db.models.signals import m2m_changed
from django.dispatch import Signal, receiver
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from festival import clock
from festival.accounts.models import CacheEntry
from festival.http.client_address import find_network, get_client_address
from festival.metrics import SIGN_INS
from programme.backoffice.roles import LABELS, Role

logger = logging.getLogger(__name__)

# Where an account has signed in before is known for as long.
KEPT = timedelta(days=90)
# Between what happened, its details and the network that it came from.
SEPARATOR = " · "
SIGNS = {"post_add": "+", "post_remove": "−"}


class Kind(TextChoices):
    """What happened to an account, as it is stored and as it is shown."""

    SIGNED_IN = "signed in", _("signed in")
    FAILED = "wrong password", _("wrong password")
    FACTOR_FAILED = "wrong second step", _("wrong second step")
    UNLOCKED = "unlocked", _("unlocked")
    PASSWORD = "password set", _("password set")
    FACTOR_ADDED = "second step added", _("second step added")
    FACTOR_REMOVED = "second step removed", _("second step removed")
    RIGHTS = "rights changed", _("rights changed")
    LAST_DAY = "last day changed", _("last day changed")
    LINK = "link for a password made", _("link for a password made")


# What is stored of how somebody signed in, and of rights.
WORDS = {
    "password": _("password"),
    "totp": _("authenticator app"),
    "webauthn": _("passkey"),
    "recovery_codes": _("recovery code"),
    "socialaccount": _("the organization’s sign-in"),
} | {f"{sign}{role}": LABELS[role] for role in Role for sign in SIGNS.values()}


class Line(NamedTuple):
    """A line of the log, in words."""

    at: datetime
    text: str
    by: str
    network: str = ""


def record(kind: Kind, user: Any, detail: str = "", *, request: HttpRequest | None = None) -> None:
    """Write a line about an account; network and who did it are those of the request that is served."""
    request = request or context.request
    by = getattr(request, "user", None)
    network = find_network(get_client_address(request.META)) if request else ""
    LogEntry.objects.create(
        action_time=clock.now(),
        user_id=by.pk if by and by.is_authenticated else user.pk,
        content_type=ContentType.objects.get_for_model(User),
        object_id=user.pk,
        object_repr=user.get_username(),
        action_flag=CHANGE,
        change_message=SEPARATOR.join([kind, detail, network]),
    )


def _entries() -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User))


def read_lines(user: Any, count: int) -> list[Line]:
    """Return what has happened to an account lately, in the active language."""
    entries = _entries().filter(object_id=str(user.pk)).select_related("user").order_by("-pk")[:count]
    return [_read_line(entry) for entry in entries]


def _read_line(entry: LogEntry) -> Line:
    by = "" if str(entry.user_id) == entry.object_id else entry.user.get_username()
    kind, *more = entry.change_message.split(SEPARATOR)
    if kind not in Kind.values:
        # Django's own, of its form.
        return Line(entry.action_time, entry.get_change_message(), by)
    words = ", ".join(map(_translate, filter(None, SEPARATOR.join(more[:-1]).split(", "))))
    label = str(Kind(kind).label)
    return Line(entry.action_time, f"{label}: {words}" if words else label, by, more[-1])


def _translate(part: str) -> str:
    word = str(WORDS.get(part, part))
    return f"{part[0]} {word}" if part in WORDS and part[0] in SIGNS.values() else word


def find_networks(name: str) -> set[str]:
    """Return the networks from which the account of this name has signed in."""
    found = _entries().filter(user__username=name, change_message__startswith=Kind.SIGNED_IN + SEPARATOR)
    return {text.rpartition(SEPARATOR)[2] for text in found.values_list("change_message", flat=True)}


@receiver(user_logged_in)
def _signed_in(request: HttpRequest, user: User, **_signal: Any) -> None:
    SIGN_INS.labels("succeeded").inc()
    steps = [each.get("type") or each["method"] for each in get_authentication_records(request, user)]
    record(Kind.SIGNED_IN, user, ", ".join(steps), request=request)


@receiver(user_login_failed)
def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_signal: Any) -> None:
    """Record it at the account; a name that is no account's may be a password, and is not kept."""
    SIGN_INS.labels("failed").inc()
    if user := User.objects.filter(username=credentials.get("username", "")).first():
        record(Kind.FAILED, user, request=request)
    else:
        address = get_client_address(request.META) if request else ""
        logger.warning("Somebody without an account tried to sign in from %s", address)


@receiver(authentication_failed)
def _step_failed(request: HttpRequest, user: User, **_signal: Any) -> None:
    record(Kind.FACTOR_FAILED, user, request=request)


@receiver([authenticator_added, authenticator_removed])
def _step_changed(signal: Signal, authenticator: Authenticator, **_signal: Any) -> None:
    kind = Kind.FACTOR_ADDED if signal is authenticator_added else Kind.FACTOR_REMOVED
    record(kind, authenticator.user, authenticator.type)


@receiver(m2m_changed, sender=User.groups.through)
@receiver(m2m_changed, sender=User.user_permissions.through)
def _granted(instance: Any, action: str, reverse: bool, model: Any, pk_set: set[int], **_signal: Any) -> None:
    # Nothing in the back office changes the users of a group, or clears the groups of a user.
    if action in SIGNS and pk_set and not reverse:
        names = [getattr(each, "codename", each.name) for each in model.objects.filter(pk__in=pk_set)]
        record(Kind.RIGHTS, instance, ", ".join(f"{SIGNS[action]}{name}" for name in names))


def sweep_log(instant: datetime) -> int:
    return _entries().filter(action_time__lt=instant - KEPT).delete()[0]


def sweep_attempts(instant: datetime) -> int:
    return CacheEntry.objects.filter(expires__lt=instant).delete()[0]
