"""System checks of the settings, each with a hint."""

import re
from collections.abc import Callable, Iterator
from email.utils import parseaddr
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from festival.configuration.addresses import LAST_PORT
from programme.publishing import outgoing

# Names of settings by the least number that makes sense.
NUMBERS = {
    0: (
        *("ANSWERS_MB", "CACHE_SECONDS", "SWITCH_DELAY", "BACKUP_KEEP_DAYS", "BACKUP_KEEP_WEEKS"),
        *("SECURE_HSTS_SECONDS", "DATABASE_CONN_MAX_AGE", "WEB_WORKERS"),
    ),
    1: (
        *("WEB_THREADS", "BACK_OFFICE_THREADS", "DATABASE_CONNECT_TIMEOUT", "IMPORT_MB", "IMPORT_ROWS"),
        *("IMPORT_CELLS", "IMPORT_SHARED_STRINGS", "IMPORT_UNPACKED_MB", "IMPORT_SECONDS"),
    ),
}
# With a dot before it: its subdomains too.
HOST = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*\.?|\[[0-9a-fA-F:.]+\]|")
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


def _is_hub(text: str) -> bool:
    host = urlsplit(text).hostname or ""
    is_reachable = not outgoing.is_private_literal(host) or outgoing.is_allowed_by_name(host)
    return _is_web_address(text, r"[\s>]") and is_reachable


def _passes(validate: Callable[[str], Any]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            validate(text)
        except (ValidationError, ValueError):
            return False
        return True

    return check


_is_network = _passes(lambda text: ip_network(text, strict=False))
NETWORKS = "addresses or networks, separated by commas: 127.0.0.1,10.0.0.0/8"
TEMPLATE = "a web address with {id}, {uuid} or {event_id}: https://kulturnatten.example/program/{id}"
SECRET = "what the provider gives you when you register the service there, because OIDC_SERVER_URL is set"  # noqa: S105 - a hint
# What each setting must be, in a list each of its parts, and what to set it to.
RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "BASE_URL": (
        lambda text: _is_web_address(text, r"[\s?#]"),
        "the beginning of every absolute link: https://programme.example.org",
    ),
    "ALLOWED_HOSTS": (
        lambda text: bool(HOST.fullmatch(text)),
        "hosts without scheme and port, separated by commas: program.example,.festival.example",
    ),
    "DEFAULT_FROM_EMAIL": (
        lambda text: "@" in parseaddr(text)[1],
        "an address: Kulturnatten <program@kulturnatten.example>",
    ),
    "ALERT_EMAIL": (
        _passes(validate_email),
        "addresses, separated by commas: technician@kulturnatten.example",
    ),
    "OCCASION_URL_SV": (lambda text: not text or _is_template(text), TEMPLATE),
    "OCCASION_URL_EN": (lambda text: not text or _is_template(text), TEMPLATE),
    "WEBSUB_HUB": (
        lambda text: not text or _is_hub(text),
        "the URL of a WebSub hub, or leave it empty; ALLOWED_PRIVATE_HOSTS names one in a private network",
    ),
    "ALLOWED_PRIVATE_HOSTS": (
        lambda text: bool(re.fullmatch(r"[\w.:-]+", text)) and not text.startswith(("http:", "https:")),
        "host names without scheme and port, separated by commas: localhost,hub.lan",
    ),
    "TRUSTED_PROXIES": (_is_network, NETWORKS),
    "MONITORING_ALLOW": (_is_network, NETWORKS),
    "WEB_PORT": (range(1, LAST_PORT + 1).__contains__, f"a number from 1 to {LAST_PORT}"),
    "BACK_OFFICE_PORT": (range(LAST_PORT + 1).__contains__, f"a number from 0 to {LAST_PORT}"),
    "FESTIVAL_DAY_FIRST_HOUR": (range(13).__contains__, "an hour from 0 to 12"),
    "OIDC_SERVER_URL": (
        lambda text: not text or _is_web_address(text),
        "the provider's address, below which it has .well-known/openid-configuration",
    ),
    "OIDC_CLIENT_ID": (lambda text: bool(text) or not settings.OIDC_SERVER_URL, SECRET),
    "OIDC_CLIENT_SECRET": (lambda text: bool(text) or not settings.OIDC_SERVER_URL, SECRET),
}


@register()
def check_settings(app_configs: Any, **_options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check each of the service's own settings."""
    return [
        Error(f"{name.removeprefix('SECURE_')} is {value!r}.", f"Set it to {hint}.", id="festival.E001")
        for name, value, hint in _find_invalid()
    ]


def _find_invalid() -> Iterator[tuple[str, Any, str]]:
    for name, (is_valid, hint) in RULES.items():
        value = getattr(settings, name)
        for each in value if isinstance(value, list) else [value]:
            if not is_valid(each):
                yield name, each, hint
    for least, names in NUMBERS.items():
        for name in names:
            if getattr(settings, name) < least:
                yield name, getattr(settings, name), f"{least} or more"
