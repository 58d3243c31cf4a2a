"""System checks: settings that cannot be right are said at start, with a hint each."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning
from django.db import connection

FIELDS = {"id": 1, "uuid": "u", "event_id": 2}
THIS_MACHINE = {"localhost", "127.0.0.1", "::1", "[::1]", ""}


@register()
def check_settings(app_configs: Any, **_options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check each of the service's own settings by itself."""
    return [
        *_check_base_url(),
        *_check_time_zone(),
        *_check_first_hour(),
        *_check_occasion_url("OCCASION_URL_SV"),
        *_check_occasion_url("OCCASION_URL_EN"),
        *_check_numbers(),
        *_check_kept_programme(),
        *_check_hub(),
    ]


@register(Tags.security, deploy=True)
def check_deployment(app_configs: Any, **_options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Warn of what works on one's own machine, but cannot be right in production."""
    return [*_check_secret_key(), *_check_reachable()]


def _check_secret_key() -> list[CheckMessage]:
    kept = settings.DATA_DIR / "secret-key"
    several_machines = connection.vendor != "sqlite"
    if not (several_machines and kept.exists() and kept.read_text() == settings.SECRET_KEY):
        return []
    hint = "Set SECRET_KEY where several machines serve one database, or editors are logged out."
    return [CheckWarning("The secret key is kept in a file of this machine.", hint, id="festival.W001")]


def _check_reachable() -> list[CheckMessage]:
    if settings.DEBUG:
        return []
    messages = []
    if urlsplit(settings.BASE_URL).hostname in THIS_MACHINE:
        hint = "Set BASE_URL, with which every link begins that leaves the service."
        text = f"Links in feeds and calendars lead to {settings.BASE_URL}, each reader's own machine."
        messages.append(CheckWarning(text, hint, id="festival.W002"))
    if set(settings.ALLOWED_HOSTS) <= THIS_MACHINE:
        hint = "Set BASE_URL, or ALLOWED_HOSTS to the names that readers use."
        text = "Requests are answered under this machine's own names only, such as localhost."
        messages.append(CheckWarning(text, hint, id="festival.W003"))
    return messages


def _is_web_address(text: str) -> bool:
    url = urlsplit(text)
    return url.scheme in {"http", "https"} and bool(url.hostname) and not re.search(r"\s", text)


def _check_hub() -> list[CheckMessage]:
    if not settings.WEBSUB_HUB or (_is_web_address(settings.WEBSUB_HUB) and ">" not in settings.WEBSUB_HUB):
        return []
    hint = "The address of a WebSub hub, https://hub.example.org/; empty, and no hub is told."
    return [Error(f"WEBSUB_HUB is no web address: {settings.WEBSUB_HUB!r}.", hint, id="festival.E007")]


def _check_base_url() -> list[CheckMessage]:
    if _is_web_address(settings.BASE_URL):
        return []
    hint = "Every link in feeds and calendars begins with it: https://programme.example.org"
    return [Error(f"BASE_URL is no web address: {settings.BASE_URL!r}.", hint, id="festival.E001")]


def _check_kept_programme() -> list[CheckMessage]:
    path = Path(settings.KEPT_PROGRAMME).absolute()
    if not settings.KEPT_PROGRAMME or (path.parent.is_dir() and not path.is_dir()):
        return []
    hint = "It names a file in a folder that is there; empty, and nothing is kept."
    return [Error(f"KEPT_PROGRAMME cannot be written: {str(path)!r}.", hint, id="festival.E006")]


def _check_time_zone() -> list[CheckMessage]:
    try:
        ZoneInfo(settings.FESTIVAL_TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError):
        name = settings.FESTIVAL_TIME_ZONE
        return [Error(f"There is no time zone {name!r}.", "Europe/Stockholm", id="festival.E002")]
    return []


def _check_first_hour() -> list[CheckMessage]:
    if 0 <= settings.FESTIVAL_DAY_FIRST_HOUR <= 12:  # noqa: PLR2004 - noon
        return []
    hint = "An hour from 0 to 12: with 5, what starts at 04:59 belongs to the day before."
    return [Error("FESTIVAL_DAY_FIRST_HOUR is no such hour.", hint, id="festival.E003")]


def _check_occasion_url(name: str) -> list[CheckMessage]:
    template = getattr(settings, name)
    if not template:
        return []
    try:
        url = template.format(**FIELDS)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        url, template = "", f"{template} ({type(error).__name__}: {error})"
    if url.startswith(("http://", "https://")) and url != template:
        return []
    hint = "A web address with {id}, {uuid} or {event_id}: https://kulturnatten.example/program/{id}"
    return [Error(f"{name} cannot be used: {template}", hint, id="festival.E004")]


def _check_numbers() -> list[CheckMessage]:
    fewest = dict.fromkeys(("REVISION_TRUST_MS", "ANSWERS_MB", "CACHE_SECONDS", "WEB_WORKERS"), 0)
    fewest |= dict.fromkeys(("WEB_THREADS", "DATABASE_CONNECT_TIMEOUT"), 1)
    return [
        Error(f"{name} is {getattr(settings, name)}.", f"{least} or more", id="festival.E005")
        for name, least in fewest.items()
        if getattr(settings, name) < least
    ]
