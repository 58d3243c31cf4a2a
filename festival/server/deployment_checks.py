"""System checks of a deployment: what `check --deploy` and `serve` refuse, and what they warn of.

Errors are what makes a service unsafe that others reach; `serve` refuses them unless `BASE_URL` is local.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning
from django.core.checks.security.base import SECRET_KEY_MIN_LENGTH, SECRET_KEY_MIN_UNIQUE_CHARACTERS
from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Q

from festival.configuration.addresses import LOCAL_HOSTS, is_local
from programme.backoffice.roles import Role
from programme.demo.logins import find_public_accounts

EXAMPLE_KEY = re.compile("insecure|change|example|random|secret-?key", re.IGNORECASE)
NEW_KEY = 'Set it to what `python3 -c "import secrets; print(secrets.token_urlsafe(50))"` prints.'
OTHER_USERS = 0o007


@register(Tags.security, deploy=True)
def check_deployment(app_configs: Any, **_options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check the settings, the accounts and the files for what only a developer's machine may have."""
    found = [*_check_secret_key(), *_check_settings(), *_check_files()]
    try:
        return [*found, *_check_accounts()]
    except DatabaseError:
        return found


def _check_secret_key() -> Iterator[CheckMessage]:
    key, file = settings.SECRET_KEY, settings.DATA_DIR / "secret-key"
    if len(key) < SECRET_KEY_MIN_LENGTH or len(set(key)) < SECRET_KEY_MIN_UNIQUE_CHARACTERS:
        text = f"SECRET_KEY is weak: it needs {SECRET_KEY_MIN_LENGTH} characters, and has {len(key)}"
        yield Error(f"{text} ({len(set(key))} different ones).", NEW_KEY, id="festival.E030")
    elif EXAMPLE_KEY.search(key):
        yield Error("SECRET_KEY is an example.", NEW_KEY, id="festival.E030")
    elif connection.vendor != "sqlite" and file.exists() and file.read_text() == key:
        hint = "Set SECRET_KEY if several machines share the database, or editors are logged out."
        yield CheckWarning("The secret key is stored in a file on this machine.", hint, id="festival.W001")


def _check_settings() -> Iterator[CheckMessage]:
    if settings.DEBUG:
        text = "DEBUG is on: error pages show the source and the settings."
        yield Error(text, "Remove DEBUG from the settings.", id="festival.E031")
    if is_local(settings.BASE_URL):
        hint = "Set BASE_URL, the beginning of every absolute link."
        text = f"Links in feeds and calendars point to {settings.BASE_URL}, the reader's own machine."
        yield CheckWarning(text, hint, id="festival.W002")
    elif not settings.SERVED_OVER_TLS:
        hint = "Let the proxy in front answer over TLS, and set BASE_URL to https://…"
        text = f"BASE_URL is {settings.BASE_URL}: passwords and sessions of editors travel unencrypted."
        yield CheckWarning(text, hint, id="festival.W004")
    if set(settings.ALLOWED_HOSTS) <= LOCAL_HOSTS:
        hint = "Set BASE_URL, or set ALLOWED_HOSTS to the host names that readers use."
        yield CheckWarning("Only local host names such as localhost are allowed.", hint, id="festival.W003")
    if not settings.HAS_EMAIL:
        hint = "Set EMAIL_URL, as in smtp+tls://user:password@mail.example:587."
        text = "The service sends no e-mail: nobody can choose a new password without an administrator."
        if settings.ALERT_EMAIL:
            text = f"{text[:-1]}, and ALERT_EMAIL gets no alerts."
        yield CheckWarning(text, hint, id="festival.W007")


def _check_files() -> Iterator[CheckMessage]:
    if settings.DATA_DIR.stat().st_mode & OTHER_USERS:
        text = f"Every user of this machine may enter {settings.DATA_DIR}, where accounts and secrets are."
        yield CheckWarning(text, f"Run `chmod o= {settings.DATA_DIR}`.", id="festival.W005")
    file = settings.FESTIVAL_ENV_FILE
    if file and Path(file).stat().st_mode & OTHER_USERS:
        text = f"Every user of this machine may read or write {file}, which holds passwords."
        hint = f"Run `chmod o= {file}` as its owner; the service's user has to be in its group."
        yield CheckWarning(text, hint, id="festival.W006")


def _check_accounts() -> Iterator[CheckMessage]:
    if names := find_public_accounts():
        text = f"Everybody knows the password of {', '.join(names)}: it is the demo's."
        hint = "Run `festival changepassword NAME` for each, or deactivate it in the back office."
        yield Error(text, hint, id="festival.E032")
    administrators = Q(is_superuser=True) | Q(groups__name=Role.ADMINISTRATOR)
    if not get_user_model().objects.filter(administrators, is_active=True).exists():
        hint = "Run `festival user create NAME --role administrator`: it prints a link to choose a password."
        yield CheckWarning("No account is an administrator's.", hint, id="festival.W008")
