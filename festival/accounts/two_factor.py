"""Signing in with a second step: who must have one, who has one, and taking it away."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings

from festival.accounts.log import record
from festival.accounts.models import Kind
from programme.backoffice.roles import Role, role_of

# Recovery codes only stand in for one of these.
STEPS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
ROLES = (Role.ADMINISTRATOR, Role.CHIEF_EDITOR)


def is_required(user: Any) -> bool:
    return bool(settings.TWO_FACTOR_REQUIRED) and (user.is_superuser or role_of(user) in ROLES)


def is_set_up(user: Any) -> bool:
    return bool(Authenticator.objects.filter(user=user, type__in=STEPS).exists())


def reset(user: Any) -> None:
    """Remove all second steps of an account, whose owner has lost them."""
    Authenticator.objects.filter(user=user).delete()
    record(Kind.FACTOR_REMOVED, user)
