"""The address in the identifiers of feeds: stored once used, and compared with the settings."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Tags, register
from django.core.checks import Warning as CheckWarning
from django.db import Error, transaction

from programme.models import Occasion, Revision, Status

MOVED = (
    "Occasions were published under {known}, and now they are under {address}: feed readers, blogs and e-mail"
    " take each for a new one and show it once more. Calendars keep theirs, and are asked for under the old"
    " address. Stars in browsers and passkeys stay behind."
)
HINT = "Set BASE_URL as it was, or run `festival address --accept` if this is meant to be."

# The host names of the machine itself.
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def is_local(url: str) -> bool:
    """Return whether a URL works only on this machine."""
    return urlsplit(url).hostname in {*LOOPBACK, "", None}


def build_address() -> str:
    """Return the address that identifiers in feeds begin with or are made from."""
    return str(settings.OCCASION_URL_SV or settings.BASE_URL)


def find_address() -> str:
    """Return the stored address, '' before anything was published."""
    return Revision.objects.values_list("base_url", flat=True).first() or ""


def store_address() -> None:
    """Store the present address if none is stored and something is published for other machines."""
    is_published = Occasion.objects.filter(event__status=Status.PUBLISHED)
    if not is_local(build_address()) and is_published.exists():
        Revision.objects.filter(base_url="").update(base_url=build_address())


@register(Tags.security, deploy=True)
def check_address(app_configs: Any, **_options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Warn if feed readers would show all occasions as new."""
    try:
        with transaction.atomic():
            known, address = find_address(), build_address()
    except Error:
        return []
    moved = MOVED.format(known=known, address=address)
    return [CheckWarning(moved, HINT, id="festival.W009")] if known not in {"", address} else []
