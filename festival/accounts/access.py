"""Who gets into the back office: active accounts with a role, until the end of their last day."""

import datetime as dt
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.backends import ModelBackend

from festival import clock
from festival.accounts.models import Account
from programme.models.festival_time import festival_time


def account_of(user: Any) -> Account:
    """Return what is kept of a user beside Django's own, as a new row if there is none."""
    account = getattr(user, "account", None)
    return account if account is not None else Account(user=user)


def keep(user: Any, **values: Any) -> None:
    """Store values of a user's account, those columns only: others may be written at the same time."""
    user.account, _is_new = Account.objects.update_or_create(user=user, defaults=values)


def find_today() -> dt.date:
    """Return the festival day: who works until three in the night is not thrown out at midnight."""
    return festival_time().day_of(clock.now())


def has_ended(user: Any) -> bool:
    last_day = account_of(user).last_day
    return last_day is not None and find_today() > last_day


def has_access(user: Any) -> bool:
    return bool(user.is_active and user.is_staff and not has_ended(user))


def is_invited(user: Any) -> bool:
    """Return whether a user has a link for choosing the first password and has never signed in."""
    return account_of(user).link_at is not None and user.last_login is None


class BackOfficeBackend(ModelBackend):
    """Refuse accounts without access, after their password was checked and with the same answer.

    Django asks at every request: who loses the role, or whose last day is over, is signed out at once.
    """

    def user_can_authenticate(self, user: Any) -> bool:
        return has_access(user)

    def get_user(self, user_id: Any) -> Any:
        # Together with the account, which each request needs.
        user = get_user_model().objects.select_related("account").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None
