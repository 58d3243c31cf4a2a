"""System checks of the settings, each with a hint."""

import math
import re
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as CheckWarning
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from festival.configuration.addresses import LAST_PORT
from festival.configuration.environment import Environment
from festival.configuration.logs import LOG_FORMATS
from programme.publishing import outgoing

# Names of settings, with the least and the largest number that makes sense.
NUMBERS = {
    **dict.fromkeys(("REVISION_TRUST_MS", "ANSWERS_MB", "CACHE_SECONDS", "SWITCH_DELAY"), (0, math.inf)),
    **dict.fromkeys(("BACKUP_KEEP_DAYS", "BACKUP_KEEP_WEEKS", "SECURE_HSTS_SECONDS"), (0, math.inf)),
    **dict.fromkeys(("DATABASE_CONN_MAX_AGE", "WEB_WORKERS"), (0, math.inf)),
    **dict.fromkeys(("WEB_THREADS", "BACK_OFFICE_THREADS", "DATABASE_CONNECT_TIMEOUT"), (1, math.inf)),
    **dict.fromkeys(("IMPORT_MB", "IMPORT_ROWS", "IMPORT_CELLS", "IMPORT_SHARED_STRINGS"), (1, math.inf)),
    **dict.fromkeys(("IMPORT_UNPACKED_MB", "IMPORT_SECONDS"), (1, math.inf)),
    "WEB_PORT": (1, LAST_PORT),
    "BACK_OFFICE_PORT": (0, LAST_PORT),
}
# With a dot before it: its subdomains too.
HOST = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*\.?|\[[0-9a-fA-F:.]+\]")
PLACEHOLDERS = {"id": 1, "uuid": "u", "event_id": 2}


@register()
def check_settings(app_configs: Any, **_options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check each of the service's own settings."""
    return [
        *_check_base_url(),
        *_check_identity_provider(),
        *_check_spelling(),
        *_check_hosts(),
        *_check_sender(),
        *_check_alerts(),
        *_check_first_hour(),
        *_check_occasion_url("OCCASION_URL_SV"),
        *_check_occasion_url("OCCASION_URL_EN"),
        *_check_numbers(),
        *_check_programme_file(),
        *_check_hub(),
        *_check_private_hosts(),
        *_check_networks(),
        *_check_log_format(),
    ]


def _is_web_address(text: str) -> bool:
    url = urlsplit(text)
    return url.scheme in {"http", "https"} and bool(url.hostname) and not re.search(r"\s", text)


def _check_hub() -> list[CheckMessage]:
    if not settings.WEBSUB_HUB or (_is_web_address(settings.WEBSUB_HUB) and ">" not in settings.WEBSUB_HUB):
        return []
    hint = "Set it to the URL of a WebSub hub such as https://hub.example.org/, or leave it empty."
    return [Error(f"WEBSUB_HUB is not a web address: {settings.WEBSUB_HUB!r}.", hint, id="festival.E007")]


def _check_private_hosts() -> list[CheckMessage]:
    hint = "Set it to host names without scheme and port, separated by commas: localhost,hub.lan"
    messages: list[CheckMessage] = [
        Error(f"ALLOWED_PRIVATE_HOSTS has an invalid host: {each!r}.", hint, id="festival.E011")
        for each in settings.ALLOWED_PRIVATE_HOSTS
        if not re.fullmatch(r"[\w.:-]+", each) or each.startswith(("http:", "https:"))
    ]
    host = "" if _check_hub() else urlsplit(settings.WEBSUB_HUB).hostname or ""
    if outgoing.is_private_literal(host) and not outgoing.is_allowed_by_name(host):
        hint = f"Set ALLOWED_PRIVATE_HOSTS={host} if that is meant."
        text = f"WEBSUB_HUB is in a private network: {settings.WEBSUB_HUB}."
        messages.append(Error(text, hint, id="festival.E012"))
    return messages


def _check_identity_provider() -> list[CheckMessage]:
    if not settings.OIDC_SERVER_URL:
        return []
    if not _is_web_address(settings.OIDC_SERVER_URL):
        text = f"OIDC_SERVER_URL is not a web address: {settings.OIDC_SERVER_URL!r}."
        hint = "Set it to the provider's address, below which it has .well-known/openid-configuration."
        return [Error(text, hint, id="festival.E011")]
    hint = "The provider gives it to you when you register the service there."
    return [
        Error(f"{name} is missing, but OIDC_SERVER_URL is set.", hint, id="festival.E011")
        for name in ("OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
        if not getattr(settings, name)
    ]


def _check_networks() -> list[CheckMessage]:
    hint = "Set it to addresses or networks, separated by commas: 127.0.0.1,10.0.0.0/8"
    return [
        Error(f"{name} has an invalid network: {each!r}.", hint, id="festival.E008")
        for name in ("TRUSTED_PROXIES", "MONITORING_ALLOW")
        for each in getattr(settings, name)
        if not _is_network(each)
    ]


def _check_log_format() -> list[CheckMessage]:
    if settings.LOG_FORMAT in LOG_FORMATS:
        return []
    hint = f"Set it to {' or '.join(LOG_FORMATS)}."
    return [Error(f"LOG_FORMAT is {settings.LOG_FORMAT!r}.", hint, id="festival.E020")]


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _check_base_url() -> list[CheckMessage]:
    if _is_web_address(settings.BASE_URL) and not re.search("[?#]", settings.BASE_URL):
        return []
    hint = "Set it to the beginning of every absolute link: https://programme.example.org"
    return [Error(f"BASE_URL is not a web address: {settings.BASE_URL!r}.", hint, id="festival.E001")]


def _check_programme_file() -> list[CheckMessage]:
    path = Path(settings.KEPT_PROGRAMME)
    if not settings.KEPT_PROGRAMME or (path.is_absolute() and path.parent.is_dir() and not path.is_dir()):
        return []
    what = "cannot be written" if path.is_absolute() else "is not an absolute path"
    hint = "Set it to a file in an existing folder, or leave it empty to save no copy."
    return [Error(f"KEPT_PROGRAMME {what}: {str(path)!r}.", hint, id="festival.E006")]


def _check_first_hour() -> list[CheckMessage]:
    if 0 <= settings.FESTIVAL_DAY_FIRST_HOUR <= 12:  # noqa: PLR2004 - noon
        return []
    hint = "With 5, an occasion that starts at 04:59 belongs to the previous day."
    return [Error("FESTIVAL_DAY_FIRST_HOUR must be an hour from 0 to 12.", hint, id="festival.E003")]


def _check_occasion_url(name: str) -> list[CheckMessage]:
    template = getattr(settings, name)
    if not template:
        return []
    try:
        url = template.format(**PLACEHOLDERS)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        url, template = "", f"{template} ({type(error).__name__}: {error})"
    if url.startswith(("http://", "https://")) and url != template:
        return []
    hint = "Use a web address with {id}, {uuid} or {event_id}: https://kulturnatten.example/program/{id}"
    return [Error(f"{name} is not a valid template: {template}", hint, id="festival.E004")]


def _check_numbers() -> list[CheckMessage]:
    return [
        Error(f"{name.removeprefix('SECURE_')} is {value}.", f"Set it to {wanted}.", id="festival.E005")
        for name, (minimum, maximum) in NUMBERS.items()
        for value in [getattr(settings, name)]
        for wanted in [
            f"{minimum} or more" if maximum == math.inf else f"a number from {minimum} to {maximum}"
        ]
        if not minimum <= value <= maximum
    ]


def _check_spelling() -> list[CheckMessage]:
    """Find variables that are meant as settings, but that none has the name of."""
    return [
        CheckWarning(f"{name} is not a setting.", f"Did you mean {likely}?", id="festival.W010")
        for name, likely in Environment.find_misspelt().items()
    ]


def _check_hosts() -> list[CheckMessage]:
    hint = "Name hosts without scheme and port, separated by commas: program.example,.festival.example"
    return [
        Error(f"ALLOWED_HOSTS has {host!r}, which is not a host name.", hint, id="festival.E009")
        for host in settings.ALLOWED_HOSTS
        if host and not HOST.fullmatch(host)
    ]


def _check_sender() -> list[CheckMessage]:
    if "@" in parseaddr(settings.DEFAULT_FROM_EMAIL)[1]:
        return []
    text = f"DEFAULT_FROM_EMAIL is not an e-mail address: {settings.DEFAULT_FROM_EMAIL!r}."
    hint = "Set it to an address: Kulturnatten <program@kulturnatten.example>"
    return [Error(text, hint, id="festival.E010")]


def _check_alerts() -> list[CheckMessage]:
    hint = "Set it to addresses, separated by commas: technician@kulturnatten.example"
    return [
        Error(f"ALERT_EMAIL has {address!r}, which is not an e-mail address.", hint, id="festival.E013")
        for address in settings.ALERT_EMAIL
        if not _is_email_address(address)
    ]


def _is_email_address(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True
