"""System checks of the settings that are texts, each with a hint; numbers are checked as they are read."""

import re
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

PLACEHOLDERS = {"id": 1, "uuid": "u", "event_id": 2}


def _is_web_address(text: str, unwanted: str = r"\s") -> bool:
    url = urlsplit(text)
    return url.scheme in {"http", "https"} and bool(url.hostname) and not re.search(unwanted, text)


def _is_template(text: str) -> bool:
    try:
        url = text.format(**PLACEHOLDERS)
    except (KeyError, IndexError, ValueError, AttributeError):
        return False
    return url.startswith(("http://", "https://")) and url != text


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


TEMPLATE = "a web address with {id}, {uuid} or {event_id}: https://kulturnatten.example/program/{id}"
# The test of each setting, or of each part of a list, and the valid values. Empty settings are valid.
RULES: dict[str, tuple[Callable[[str], bool], str]] = {
    "BASE_URL": (
        lambda text: _is_web_address(text, r"[\s?#]"),
        "the beginning of every absolute link: https://programme.example.org",
    ),
    "ALLOWED_HOSTS": (
        # An IPv6 address may end like an address with a port.
        lambda text: not re.search(r"/|[^:]:\d+$", text),
        "hosts without scheme and port, separated by commas: program.example,.festival.example",
    ),
    "OCCASION_URL_SV": (_is_template, TEMPLATE),
    "OCCASION_URL_EN": (_is_template, TEMPLATE),
    "TRUSTED_PROXIES": (_is_network, "addresses or networks, separated by commas: 127.0.0.1,10.0.0.0/8"),
    "OIDC_SERVER_URL": (
        lambda text: _is_web_address(text) and bool(settings.OIDC_CLIENT_ID and settings.OIDC_CLIENT_SECRET),
        "the provider's address, and set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET to what it gives you there",
    ),
}


@register()
def check_settings(app_configs: Any, **_options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check each of the service's own settings."""
    return [
        Error(f"{name} is {each!r}.", f"Set it to {hint}.", id="festival.E001")
        for name, (is_valid, hint) in RULES.items()
        for value in [getattr(settings, name)]
        for each in (value if isinstance(value, list) else [value])
        if each and not is_valid(each)
    ]
