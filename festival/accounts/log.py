"""The log of accounts, as Django's LogEntry rows, which are deleted after `KEPT`."""

import logging
from datetime import datetime, timedelta
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.db.models.signals import m2m_changed
from django.dispatch import Signal, receiver
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext_noop

from festival import clock
from festival.accounts.models import CacheEntry
from festival.metrics import SIGN_INS
from programme.api.client_address import find_network, get_client_address
from programme.backoffice.roles import Role

logger = logging.getLogger(__name__)

# Lines are stored for this long.
KEPT = timedelta(days=90)
# Separates the action, its details and the network, all in English.
SEPARATOR = " · "
LINK_MADE, STEP_REMOVED = gettext_noop("link for a password made"), gettext_noop("second step removed")
RIGHTS = {"post_add": gettext_noop("rights given"), "post_remove": gettext_noop("rights taken")}
ROLES: dict[str, str] = {role.value: role.name.lower().replace("_", " ") for role in Role}
METHODS = {
    "password": gettext_noop("password"),
    "totp": gettext_noop("authenticator app"),
    "webauthn": gettext_noop("passkey"),
    "recovery_codes": gettext_noop("recovery code"),
    "socialaccount": gettext_noop("the organization’s sign-in"),
}


def record(what: str, user: Any, *details: str, request: HttpRequest | None = None) -> None:
    """Write a line about an account, with the user and the network of the current request."""
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
        change_message=SEPARATOR.join([what, *details, network]),
    )


def _entries() -> QuerySet[LogEntry]:
    return LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User))


def read_lines(user: Any, count: int) -> list[tuple[LogEntry, str]]:
    """Return the latest lines of an account, each with its text in the active language.

    The service's own words are translated; names and Django's messages are not.
    """
    entries = _entries().filter(object_id=str(user.pk)).select_related("user").order_by("-pk")[:count]
    messages = [(entry, filter(None, entry.get_change_message().split(SEPARATOR))) for entry in entries]
    return [(entry, SEPARATOR.join(map(translation.gettext, parts))) for entry, parts in messages]


@receiver(user_logged_in)
def _signed_in(request: HttpRequest, user: User, **_signal: Any) -> None:
    SIGN_INS.labels("succeeded").inc()
    steps = [each.get("type") or each["method"] for each in get_authentication_records(request, user)]
    record(gettext_noop("signed in"), user, *(METHODS.get(step, step) for step in steps), request=request)


@receiver(user_login_failed)
def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_signal: Any) -> None:
    """Record a failed sign-in at the account; an unknown name may be a password, and is not stored."""
    SIGN_INS.labels("failed").inc()
    if user := User.objects.filter(username=credentials.get("username", "")).first():
        record(gettext_noop("wrong password"), user, request=request)
    else:
        address = get_client_address(request.META) if request else ""
        logger.warning("Somebody without an account tried to sign in from %s", address)


@receiver(authentication_failed)
def _step_failed(request: HttpRequest, user: User, **_signal: Any) -> None:
    record(gettext_noop("wrong second step"), user, request=request)


@receiver([authenticator_added, authenticator_removed])
def _step_changed(signal: Signal, authenticator: Authenticator, **_signal: Any) -> None:
    is_added = signal is authenticator_added
    what = gettext_noop("second step added") if is_added else STEP_REMOVED
    record(what, authenticator.user, METHODS[authenticator.type])


@receiver(m2m_changed, sender=User.groups.through)
@receiver(m2m_changed, sender=User.user_permissions.through)
def _granted(instance: Any, action: str, reverse: bool, model: Any, pk_set: set[int], **_signal: Any) -> None:
    # Nothing in the back office changes the users of a group, or clears the groups of a user.
    if action in RIGHTS and pk_set and not reverse:
        for each in model.objects.filter(pk__in=pk_set):
            record(RIGHTS[action], instance, ROLES.get(each.name, each.name))


def sweep_log(instant: datetime) -> int:
    return _entries().filter(action_time__lt=instant - KEPT).delete()[0]


def sweep_attempts(instant: datetime) -> int:
    return CacheEntry.objects.filter(expires__lt=instant).delete()[0]
