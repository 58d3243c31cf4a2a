"""Access to the back office: active accounts until their last day ends, and required second steps."""

import datetime as dt
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.backends import ModelBackend

from festival import clock
from festival.accounts.log import STEP_REMOVED, record
from festival.accounts.models import Account
from programme.backoffice.roles import Role, role_of
from programme.models.festival_time import festival_time

# Recovery codes only stand in for one of these.
STEPS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def account_of(user: Any) -> Account:
    """Return the account of a user, unsaved if there is none."""
    return getattr(user, "account", None) or Account(user=user)


def update_account(user: Any, **values: Any) -> None:
    """Store values of a user's account; other columns may be written at the same time."""
    user.account, _is_new = Account.objects.update_or_create(user=user, defaults=values)


def find_today() -> dt.date:
    """Return the festival day, so that night workers are not signed out at midnight."""
    return festival_time().day_of(clock.now())


def has_ended(user: Any) -> bool:
    last_day = account_of(user).last_day
    return last_day is not None and find_today() > last_day


def has_access(user: Any) -> bool:
    return bool(user.is_active and user.is_staff and not has_ended(user))


def is_invited(user: Any) -> bool:
    """Return whether a user has a link for a first password and has never signed in."""
    return account_of(user).link_at is not None and user.last_login is None


def needs_second_step(user: Any) -> bool:
    roles = (Role.ADMINISTRATOR, Role.CHIEF_EDITOR)
    return bool(settings.TWO_FACTOR_REQUIRED) and (user.is_superuser or role_of(user) in roles)


def has_second_step(user: Any) -> bool:
    return bool(Authenticator.objects.filter(user=user, type__in=STEPS).exists())


def remove_steps(user: Any) -> None:
    """Remove the second steps and recovery codes of a user who has lost them."""
    Authenticator.objects.filter(user=user).delete()
    record(STEP_REMOVED, user)


class BackOfficeBackend(ModelBackend):
    """Refuse accounts without access after checking the password, with the same response.

    Django checks every request, so users who lose access are signed out at once.
    """

    def user_can_authenticate(self, user: Any) -> bool:
        return has_access(user)

    def get_user(self, user_id: Any) -> Any:
        # With the account, which each request needs.
        user = get_user_model().objects.select_related("account").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None
