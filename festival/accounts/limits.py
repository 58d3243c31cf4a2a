"""Limits of failed attempts are django-allauth's; nobody is locked out where they have signed in before."""

from typing import Any

from allauth.core.internal import ratelimit
from django.http import HttpRequest

from festival.accounts.log import UNLOCKED, find_networks, record
from festival.http.client_address import find_network, get_client_address

APP, ELSEWHERE = "allauth.account", "elsewhere"
FAILED = "login_failed"


def build_key(request: HttpRequest, name: str) -> str:
    """Return what attempts at an account are counted by, even an unknown one: name and known network."""
    network = find_network(get_client_address(request.META))
    return f"{name.casefold()}|{network if network in find_networks(name) else ELSEWHERE}"


def unlock(user: Any) -> None:
    """Forget the failed attempts at an account from everywhere, those at its second step included."""
    unlock_password(user)
    _clear(f"mfa-auth-user-{user.pk}")
    record(UNLOCKED, user)


def unlock_password(user: Any) -> None:
    """Forget wrong passwords only."""
    name = user.get_username()
    for network in (ELSEWHERE, *find_networks(name)):
        _clear(f"{name.casefold()}|{network}")


def _clear(key: str) -> None:
    """Forget what is counted by a key; the limit by address, which is no account's, stays."""
    rates = ratelimit.get_rates(app=APP, action=FAILED)
    config = {FAILED: ",".join(f"{each.amount}/{each.duration}s/key" for each in rates if each.per == "key")}
    ratelimit.clear(None, app=APP, action=FAILED, key=key, config=config)
