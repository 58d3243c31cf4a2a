"""The log of accounts: what is written into it, its words, and when it is swept (`festival/sweeping/`)."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from allauth.core import context
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from festival import clock
from festival.accounts.models import AccountEvent, CacheEntry, Kind
from festival.http.client_address import find_network, get_client_address
from programme.backoffice.roles import LABELS, Role

# Where an account has signed in before is known for as long.
KEPT = timedelta(days=90)

# What is stored of how somebody signed in, and of rights.
WORDS = {
    "password": _("password"),
    "totp": _("authenticator app"),
    "webauthn": _("passkey"),
    "recovery_codes": _("recovery code"),
    "openid_connect": _("the organization’s sign-in"),
    "socialaccount": _("the organization’s sign-in"),
    "is_active": _("active"),
    "is_staff": _("may sign in"),
    "is_superuser": _("superuser"),
} | {role.value: LABELS[role] for role in Role}

# Marks in User-Agents: browsers name those that they descend from too.
BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android"}
SYSTEMS |= {"Windows": "Windows", "Mac OS": "Mac", "Linux": "Linux"}


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
    if account is None and name:
        account = User.objects.filter(username=name).first()
    _build(kind, account, detail, request or context.request).save()


def record_all(kind: Kind, accounts: Iterable[Any], *, detail: str = "") -> None:
    """Write the same line about each of several accounts."""
    AccountEvent.objects.bulk_create(_build(kind, each, detail, context.request) for each in accounts)


def _build(kind: Kind, account: Any, detail: str, request: HttpRequest | None) -> AccountEvent:
    address = get_client_address(request.META) if request else ""
    user = getattr(request, "user", None)
    is_by_another = user and user.is_authenticated and user.pk != getattr(account, "pk", None)
    return AccountEvent(
        at=clock.now(),
        kind=kind,
        # A deleted account still has its name.
        account_id=None if kind == Kind.DELETED else getattr(account, "pk", None),
        name=account.get_username() if account else "",
        by=user.get_username() if user and is_by_another else "",
        address=address or None,
        network=find_network(address),
        user_agent=request.headers.get("User-Agent", "")[:300] if request else "",
        detail=detail,
    )


def describe_detail(event: AccountEvent) -> str:
    """Return the details of an event in the active language: `− redaktör, + chefredaktör`."""
    parts = []
    for part in filter(None, event.detail.split(", ")):
        sign, name = (part[0], part[1:]) if part[0] in "+−" else ("", part)
        parts.append(f"{sign} {WORDS.get(name, name)}".strip())
    return ", ".join(parts)


def describe_latest(account: Any, count: int) -> list[tuple[AccountEvent, str]]:
    """Return the latest lines about an account, each with its details."""
    return [(each, describe_detail(each)) for each in AccountEvent.objects.filter(account=account)[:count]]


def find_browser(user_agent: str) -> str:
    """Return the browser and the system that a User-Agent names, as far as people need it."""
    tables = [table.items() for table in (BROWSERS, SYSTEMS)]
    found = [next((name for mark, name in table if mark in user_agent), "") for table in tables]
    return ", ".join(filter(None, found)) or user_agent[:30]


def sweep_log(instant: datetime) -> int:
    return AccountEvent.objects.filter(at__lt=instant - KEPT).delete()[0]


def sweep_attempts(instant: datetime) -> int:
    return CacheEntry.objects.filter(expires__lt=instant).delete()[0]
