"""What Django and django-allauth say about accounts, written into the log."""

from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save
from django.dispatch import receiver
from django.http import HttpRequest

from festival import clock
from festival.accounts.language import keep_first_language
from festival.accounts.log import record
from festival.accounts.models import Kind
from programme.models import AreaEditor

# Flags of a user that are rights.
FLAGS = ("is_active", "is_staff", "is_superuser")
# When the end of a session was last moved, in its data.
EXTENDED = "accounts.extended"
SIGNS = {"post_add": "+", "post_remove": "−"}


@receiver(user_logged_in)
def _signed_in(request: HttpRequest, user: User, **_signal: Any) -> None:
    request.session[EXTENDED] = int(clock.now().timestamp())
    keep_first_language(request, user)
    steps = [each.get("type") or each["method"] for each in get_authentication_records(request, user)]
    record(Kind.SIGNED_IN, user, detail=", ".join(steps), request=request)


@receiver(user_logged_out)
def _signed_out(request: HttpRequest, user: User | None, **_signal: Any) -> None:
    if user is not None:
        record(Kind.SIGNED_OUT, user, request=request)


@receiver(user_login_failed)
def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_signal: Any) -> None:
    record(Kind.FAILED, name=credentials.get("username", ""), request=request)


@receiver(authentication_failed)
def _factor_failed(request: HttpRequest, user: User, **_signal: Any) -> None:
    record(Kind.FACTOR_FAILED, user, request=request)


@receiver(authenticator_added)
def _factor_added(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: Any) -> None:
    record(Kind.FACTOR_ADDED, user, detail=authenticator.type, request=request)


@receiver(authenticator_removed)
def _factor_removed(request: HttpRequest, authenticator: Authenticator, **_signal: Any) -> None:
    record(Kind.FACTOR_REMOVED, authenticator.user, detail=authenticator.type, request=request)


@receiver(m2m_changed, sender=User.groups.through)
@receiver(m2m_changed, sender=User.user_permissions.through)
def _granted(instance: Any, action: str, reverse: bool, model: Any, pk_set: set[int], **_signal: Any) -> None:
    # Nothing in the back office changes the users of a group, or clears the groups of a user.
    if action in SIGNS and pk_set and not reverse:
        names = [getattr(each, "codename", each.name) for each in model.objects.filter(pk__in=pk_set)]
        record(Kind.RIGHTS, instance, detail=", ".join(f"{SIGNS[action]}{name}" for name in names))


@receiver(post_save, sender=AreaEditor)
def _area_given(instance: AreaEditor, created: bool, raw: bool, **_signal: Any) -> None:
    if created and not raw:
        record(Kind.RIGHTS, instance.user, detail=f"+{instance.area}")


@receiver(post_delete, sender=AreaEditor)
def _area_taken(instance: AreaEditor, origin: Any, **_signal: Any) -> None:
    # Not where the account or the area is deleted, which takes the row along.
    if isinstance(origin, AreaEditor) or getattr(origin, "model", None) is AreaEditor:
        record(Kind.RIGHTS, instance.user, detail=f"−{instance.area}")


@receiver(pre_save, sender=User)
def _flags_changed(instance: User, raw: bool, update_fields: frozenset[str] | None, **_signal: Any) -> None:
    fields = [each for each in FLAGS if update_fields is None or each in update_fields]
    if raw or not instance.pk or not fields:
        return
    before = User.objects.filter(pk=instance.pk).values(*fields).first() or {}
    changed = [name for name, value in before.items() if getattr(instance, name) != value]
    if changed:
        detail = ", ".join(f"{'+' if getattr(instance, name) else '−'}{name}" for name in changed)
        record(Kind.RIGHTS, instance, detail=detail)


@receiver(post_save, sender=User)
def _created(instance: User, created: bool, raw: bool, **_signal: Any) -> None:
    if created and not raw:
        detail = ", ".join(f"+{name}" for name in FLAGS[1:] if getattr(instance, name))
        record(Kind.CREATED, instance, detail=detail)


@receiver(post_delete, sender=User)
def _deleted(instance: User, **_signal: Any) -> None:
    record(Kind.DELETED, instance)
