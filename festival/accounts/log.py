"""The log of accounts: what Django and django-allauth tell is written into it, until it is swept."""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save
from django.dispatch import Signal, receiver
from django.http import HttpRequest

from festival import clock
from festival.accounts.models import AccountEvent, CacheEntry, Kind
from festival.http.client_address import find_network, get_client_address
from festival.metrics import SIGN_INS
from programme.models import AreaEditor

# Where an account has signed in before is known for as long.
KEPT = timedelta(days=90)

# Flags of a user that are rights.
FLAGS = ("is_active", "is_staff", "is_superuser")
# When the end of a session was last moved, in its data.
EXTENDED = "accounts.extended"
SIGNS = {"post_add": "+", "post_remove": "−"}


def record(
    kind: Kind,
    account: Any = None,
    *,
    name: str | None = None,
    detail: str = "",
    request: HttpRequest | None = None,
) -> None:
    """Write a line about an account, or about the account of that `name` if there is one.

    Address and who did it are those of the request, by default the one that is being served.
    """
    if account is None and name:
        account = User.objects.filter(username=name).first()
    request = request or context.request
    address = get_client_address(request.META) if request else ""
    user = getattr(request, "user", None)
    is_by_another = user and user.is_authenticated and user.pk != getattr(account, "pk", None)
    AccountEvent.objects.create(
        at=clock.now(),
        kind=kind,
        account=account if account and account.pk else None,
        name=account.get_username() if account else "",
        by=user.get_username() if user and is_by_another else "",
        address=address or None,
        network=find_network(address),
        detail=detail,
    )


@receiver(user_logged_in)
def _signed_in(request: HttpRequest, user: User, **_signal: Any) -> None:
    SIGN_INS.labels("succeeded").inc()
    request.session[EXTENDED] = int(clock.now().timestamp())
    steps = [each.get("type") or each["method"] for each in get_authentication_records(request, user)]
    record(Kind.SIGNED_IN, user, detail=", ".join(steps), request=request)


@receiver(user_login_failed)
def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_signal: Any) -> None:
    SIGN_INS.labels("failed").inc()
    record(Kind.FAILED, name=credentials.get("username", ""), request=request)


@receiver(authentication_failed)
def _step_failed(request: HttpRequest, user: User, **_signal: Any) -> None:
    record(Kind.FACTOR_FAILED, user, request=request)


@receiver([authenticator_added, authenticator_removed])
def _step_changed(signal: Signal, request: HttpRequest, authenticator: Authenticator, **_signal: Any) -> None:
    kind = Kind.FACTOR_ADDED if signal is authenticator_added else Kind.FACTOR_REMOVED
    record(kind, authenticator.user, detail=authenticator.type, request=request)


@receiver(m2m_changed, sender=User.groups.through)
@receiver(m2m_changed, sender=User.user_permissions.through)
def _granted(instance: Any, action: str, reverse: bool, model: Any, pk_set: set[int], **_signal: Any) -> None:
    # Nothing in the back office changes the users of a group, or clears the groups of a user.
    if action in SIGNS and pk_set and not reverse:
        names = [getattr(each, "codename", each.name) for each in model.objects.filter(pk__in=pk_set)]
        record(Kind.RIGHTS, instance, detail=", ".join(f"{SIGNS[action]}{name}" for name in names))


@receiver(post_save, sender=AreaEditor)
def _area_given(instance: AreaEditor, created: bool, **_signal: Any) -> None:
    if created:
        record(Kind.RIGHTS, instance.user, detail=f"+{instance.area}")


@receiver(post_delete, sender=AreaEditor)
def _area_taken(instance: AreaEditor, origin: Any, **_signal: Any) -> None:
    # Not where the account or the area is deleted, which takes the row along.
    if isinstance(origin, AreaEditor) or getattr(origin, "model", None) is AreaEditor:
        record(Kind.RIGHTS, instance.user, detail=f"−{instance.area}")


@receiver(pre_save, sender=User)
def _flags_changed(instance: User, **_signal: Any) -> None:
    before = User.objects.filter(pk=instance.pk).values(*FLAGS).first() or {}
    changed = [name for name, value in before.items() if getattr(instance, name) != value]
    if changed:
        detail = ", ".join(f"{'+' if getattr(instance, name) else '−'}{name}" for name in changed)
        record(Kind.RIGHTS, instance, detail=detail)


@receiver(post_save, sender=User)
def _created(instance: User, created: bool, **_signal: Any) -> None:
    if created:
        record(Kind.CREATED, instance, detail="+is_superuser" if instance.is_superuser else "")


@receiver(post_delete, sender=User)
def _deleted(instance: User, **_signal: Any) -> None:
    # Its name alone: the row is not there any more.
    record(Kind.DELETED, User(username=instance.username))


def sweep_log(instant: datetime) -> int:
    return AccountEvent.objects.filter(at__lt=instant - KEPT).delete()[0]


def sweep_attempts(instant: datetime) -> int:
    return CacheEntry.objects.filter(expires__lt=instant).delete()[0]
