"""Limits of attempts to sign in, by network address and by account; django-allauth counts them.

Attempts at an account from networks where it has signed in before are counted apart for each of them, so that
nobody elsewhere can lock an editor out. Unknown names are counted like known ones.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _

from festival import clock
from festival.accounts.log import record
from festival.accounts.models import AccountEvent, Kind
from festival.http.client_address import find_network, get_client_address

# Names in ACCOUNT_RATE_LIMITS.
BY_ADDRESS, BY_ACCOUNT = "sign_in_from_address", "sign_in_to_account"
SECOND_STEP = "second_step_of_account"
APP = "allauth.account"
ELSEWHERE = "elsewhere"


class BlockedError(Exception):
    """Too many attempts; `until` is when the next one is allowed."""

    def __init__(self, action: str, until: datetime) -> None:
        super().__init__(action)
        self.action = action
        self.until = until

    def describe(self) -> str:
        """Return what happened, when to try again and what else helps, whether the account exists or not."""
        time = f"{self.until.astimezone(get_current_timezone()):%H:%M}"
        if self.action == BY_ADDRESS:
            text = _(
                "There were too many failed attempts to sign in from your network. Try again after {time}. "
                "If it is urgent, use another network, such as your phone’s."
            )
        elif settings.HAS_EMAIL:
            text = _(
                "There were too many failed attempts to sign in with this username. Try again after {time}, "
                "reset the password by e-mail, or ask an administrator to unlock the account."
            )
        else:
            text = _(
                "There were too many failed attempts to sign in with this username. Try again after {time}, "
                "or ask an administrator to unlock the account."
            )
        return text.format(time=time)


class Attempt:
    """An attempt that counts as failed until `forgive` says otherwise."""

    def __init__(self) -> None:
        self._counted: list[ratelimit.RateLimitUsage] = []

    def count(self, request: HttpRequest, action: str, key: str) -> None:
        usage = ratelimit.consume(request, app=APP, action=action, key=key)
        if usage is None:
            self.forgive()
            raise BlockedError(action, _find_end(request, action, key))
        self._counted.append(usage)

    def forgive(self) -> None:
        for usage in self._counted:
            usage.rollback()


def begin_attempt(request: HttpRequest, name: str) -> Attempt:
    """Count an attempt to sign in; raise BlockedError if there were too many, which is logged once."""
    attempt = Attempt()
    key = _build_key(name, find_network(get_client_address(request.META)))
    try:
        attempt.count(request, BY_ADDRESS, key)
        attempt.count(request, BY_ACCOUNT, key)
    except BlockedError as error:
        seconds = (error.until - clock.now()).total_seconds()
        if cache.add(f"accounts:{_find_cache_key(request, error.action, key)}", 1, max(1, seconds)):
            record(Kind.BLOCKED, name=name, request=request)
        raise
    return attempt


def begin_second_step(request: HttpRequest, name: str) -> Attempt:
    """Count a second step that is tried; raise BlockedError if there were too many."""
    attempt = Attempt()
    attempt.count(request, SECOND_STEP, _build_key(name, find_network(get_client_address(request.META))))
    return attempt


def unlock(name: str) -> None:
    """Forget the failed attempts at an account from everywhere, those at its second step included."""
    unlock_password(name)
    _clear(name, SECOND_STEP)


def unlock_password(name: str) -> None:
    """Forget wrong passwords only."""
    _clear(name, BY_ACCOUNT)


def is_locked(name: str) -> bool:
    """Return whether attempts at an account are refused, from anywhere."""
    return any(
        ratelimit.consume(None, app=APP, action=action, key=key, dry_run=True, limit_get=True) is None
        for key in _build_keys(name)
        for action in (BY_ACCOUNT, SECOND_STEP)
    )


def _clear(name: str, action: str) -> None:
    for key in _build_keys(name):
        ratelimit.clear(None, app=APP, action=action, key=key)


def _build_key(name: str, network: str) -> str:
    is_known = AccountEvent.objects.filter(name=name, kind=Kind.SIGNED_IN, network=network).exists()
    return f"{name.casefold()}|{network if is_known else ELSEWHERE}"


def _build_keys(name: str) -> Iterable[str]:
    events = AccountEvent.objects.filter(name=name, kind=Kind.SIGNED_IN).order_by()
    networks = events.values_list("network", flat=True).distinct()
    return [f"{name.casefold()}|{network}" for network in (ELSEWHERE, *networks)]


def _find_cache_key(request: HttpRequest, action: str, key: str) -> str:
    [rate] = ratelimit.get_rates(app=APP, action=action)
    found: str = ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key)
    return found


def _find_end(request: HttpRequest, action: str, key: str) -> datetime:
    """Return when the oldest of the counted attempts is forgotten."""
    [rate] = ratelimit.get_rates(app=APP, action=action)
    # Newest first.
    instants = cache.get(_find_cache_key(request, action, key)) or [clock.now().timestamp()]
    return datetime.fromtimestamp(instants[-1] + rate.duration, UTC)
