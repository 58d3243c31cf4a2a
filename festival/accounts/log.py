"""The log of accounts: what is written into it, and a signal for whoever counts it."""

from collections.abc import Iterable
from typing import Any

from allauth.core import context
from django.contrib.auth import get_user_model
from django.dispatch import Signal
from django.http import HttpRequest

from festival import clock
from festival.accounts.models import AccountEvent, Kind
from festival.http.client_address import find_network, get_client_address

# Sent with `kind` for each line of the log.
recorded = Signal()


def record(
    kind: Kind,
    account: Any = None,
    *,
    name: str | None = None,
    detail: str = "",
    request: HttpRequest | None = None,
) -> None:
    """Write a line about an account, or about the account of that `name` if there is one.

    Address, browser and who did it are those of the request, by default the one that is being served.
    """
    request = request or context.request
    if account is None and name:
        account = get_user_model().objects.filter(username=name).first()
    _build(kind, account, detail, request).save()
    recorded.send(sender=AccountEvent, kind=kind)


def record_all(kind: Kind, accounts: Iterable[Any], *, detail: str = "") -> None:
    """Write the same line about each of several accounts."""
    lines = [_build(kind, account, detail, context.request) for account in accounts]
    AccountEvent.objects.bulk_create(lines)
    for _line in lines:
        recorded.send(sender=AccountEvent, kind=kind)


def _build(kind: Kind, account: Any, detail: str, request: HttpRequest | None) -> AccountEvent:
    address = get_client_address(request.META) if request else ""
    return AccountEvent(
        at=clock.now(),
        kind=kind,
        # A deleted account still has its name.
        account_id=None if kind == Kind.DELETED else getattr(account, "pk", None),
        name=account.get_username() if account else "",
        by=_find_other(request, account),
        address=address or None,
        network=find_network(address),
        user_agent=request.headers.get("User-Agent", "")[:300] if request else "",
        detail=detail,
    )


def _find_other(request: HttpRequest | None, account: Any) -> str:
    """Return the name of who did it to the account, "" if it was its own user or nobody is signed in."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or user.pk == getattr(account, "pk", None):
        return ""
    name: str = user.get_username()
    return name
