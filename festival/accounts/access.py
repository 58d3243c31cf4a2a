"""Who gets into the back office, and in which language: each user's own choice, kept with the account.

Active accounts with a role get in, until the end of their last day. The browser keeps the language in
Django's cookie, so that the sign-in page and pages about errors, for which no account is read, are in it too.
"""

import datetime as dt
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest, HttpResponse
from django.utils.translation import activate

from festival import clock
from festival.accounts.models import Account
from festival.http.headers import BACK_OFFICE
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


def speak(request: HttpRequest, language: str) -> None:
    """Answer this request in a language, and let the browser ask for it from now on; "" changes nothing."""
    if language:
        activate(language)
        request.LANGUAGE_CODE = request.own_language = language  # type: ignore[attr-defined]


def keep_first_language(request: HttpRequest, user: object) -> None:
    """Keep the language in which somebody signs in for the first time, which is the browser's."""
    # Requests that tests and commands make up have none.
    if not account_of(user).language and hasattr(request, "LANGUAGE_CODE"):
        keep(user, language=request.LANGUAGE_CODE)


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Let the browser ask for the language that was spoken."""
    language = getattr(request, "own_language", "")
    if language and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            path=BACK_OFFICE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
