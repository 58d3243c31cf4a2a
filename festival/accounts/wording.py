"""The log in the words of who reads it."""

from collections.abc import Iterable

from allauth.mfa.models import Authenticator
from django.utils.translation import gettext_lazy as _

from festival.accounts.models import AccountEvent, Kind
from programme.backoffice.roles import LABELS, Role

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
BROWSERS = [("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox")]
BROWSERS += [("Chrome/", "Chrome"), ("Safari/", "Safari")]
SYSTEMS = [("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android")]
SYSTEMS += [("Windows", "Windows"), ("Mac OS", "Mac"), ("Linux", "Linux")]


def describe_kind(event: AccountEvent) -> str:
    """Return what happened. Recovery codes are kept as a second step, but nobody calls them one."""
    if _is_of_recovery_codes(event):
        return str(_("recovery codes made"))
    return event.get_kind_display()


def _is_of_recovery_codes(event: AccountEvent) -> bool:
    return event.kind == Kind.FACTOR_ADDED and event.detail == Authenticator.Type.RECOVERY_CODES


def describe_detail(event: AccountEvent) -> str:
    """Return the details of an event in the active language: `− redaktör, + chefredaktör`."""
    if _is_of_recovery_codes(event):
        return ""
    parts = []
    for part in filter(None, event.detail.split(", ")):
        sign, name = (part[0], part[1:]) if part[0] in "+−" else ("", part)
        parts.append(f"{sign} {WORDS.get(name, name)}".strip())
    return ", ".join(parts)


def describe_all(events: Iterable[AccountEvent]) -> list[tuple[AccountEvent, str, str]]:
    return [(event, describe_kind(event), describe_detail(event)) for event in events]


def find_browser(user_agent: str) -> str:
    """Return the browser and the system that a User-Agent names, as far as people need it."""
    found = [next((name for mark, name in names if mark in user_agent), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found)) or user_agent[:30]
