"""System checks of a deployment: settings and accounts that only a developer's machine may have."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import CheckMessage, Error, Tags, register, run_checks
from django.core.checks import Warning as CheckWarning
from django.db import Error as DatabaseError
from django.db.models import Q

from festival.configuration.database import explain_failure
from festival.configuration.environment import find_unread
from programme.backoffice.roles import Role
from programme.demo.logins import find_public_accounts
from programme.publishing.followers import is_local

# The messages that prevent a public service: a weak key, DEBUG, the demo's accounts.
UNSAFE = {"security.W009", "security.W018", "festival.E032"}
# Not a message of `serve`, which reports or creates the database.
NO_DATABASE = "festival.E033"


def find_messages() -> tuple[list[str], list[str]]:
    """Return the UNSAFE messages and other warnings as sentences."""
    found = run_checks(tags=[Tags.security], include_deployment_checks=True)
    found.sort(key=lambda each: each.id or "")
    unsafe = [_write(each) for each in found if each.id in UNSAFE]
    ours = (each for each in found if (each.id or "").startswith("festival."))
    return unsafe, [_write(each) for each in ours if each.id not in {NO_DATABASE, *UNSAFE}]


def _write(message: CheckMessage) -> str:
    return f"{message.msg} {message.hint or ''}".strip()


@register(Tags.security, deploy=True)
def check_deployment(app_configs: Any, **_options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check the settings and the accounts."""
    found = [*_check_settings()]
    try:
        return [*found, *_check_accounts()]
    except DatabaseError as error:
        return [*found, Error(explain_failure(error) or str(error), id=NO_DATABASE)]


def _check_settings() -> Iterator[CheckMessage]:
    if is_local(settings.BASE_URL):
        hint = "Set BASE_URL, the beginning of every absolute link."
        text = f"Links in feeds and calendars point to {settings.BASE_URL}, the reader's own machine."
        yield CheckWarning(text, hint, id="festival.W002")
    elif not settings.SERVED_OVER_TLS:
        hint = "Let the proxy in front answer over TLS, and set BASE_URL to https://…"
        text = f"BASE_URL is {settings.BASE_URL}: passwords and sessions of editors travel unencrypted."
        yield CheckWarning(text, hint, id="festival.W004")
    if not settings.HAS_EMAIL:
        hint = "Set EMAIL_URL, as in smtp+tls://user:password@mail.example:587."
        text = "The service sends no e-mail: no links for forgotten passwords, and no alerts."
        yield CheckWarning(text, hint, id="festival.W007")
    for name, nearest in find_unread(settings.FESTIVAL_ENV_FILE).items():
        hint = f"Is it {nearest[0]}?" if nearest else "docs/settings.md lists those that there are."
        yield CheckWarning(f"Nobody reads the setting {name}.", hint, id="festival.W009")


def _check_accounts() -> Iterator[CheckMessage]:
    if names := find_public_accounts():
        text = f"Everybody knows the password of {', '.join(names)}: it is the demo's."
        hint = "Run `festival changepassword NAME` for each, or deactivate it in the back office."
        yield Error(text, hint, id="festival.E032")
    administrators = Q(is_superuser=True) | Q(groups__name=Role.ADMINISTRATOR)
    if not get_user_model().objects.filter(administrators, is_active=True).exists():
        hint = "Run `festival user create NAME --role administrator`: it prints a link to choose a password."
        yield CheckWarning("No account is an administrator's.", hint, id="festival.W008")
