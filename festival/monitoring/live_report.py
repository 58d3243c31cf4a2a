"""What the check of the running service has found; kept in a file, because the database may be wrong."""

import logging
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from django.conf import settings
from django.core.mail import send_mail
from django.utils import translation
from django.utils.translation import gettext, gettext_noop, override

from festival import clock

logger = logging.getLogger(__name__)

Values = dict[str, str | int]

# In the order of their exit codes.
LEVELS = GREEN, YELLOW, RED = "green", "yellow", "red"
# A timer that runs more often than that has stopped.
OLD = timedelta(days=1)

# Feeds are called by their extensions.
LABELS = {
    "service": gettext_noop("The service"),
    "certificate": gettext_noop("Certificate"),
    "backup": gettext_noop("Backup"),
}


class Finding(msgspec.Struct, frozen=True):
    """What one check says: an English sentence with values, so that each reader gets it in their language."""

    check: str
    level: str
    sentence: str
    values: Values = {}

    @property
    def text(self) -> str:
        return translation.gettext(self.sentence) % self.values

    @property
    def label(self) -> str:
        return translation.gettext(LABELS[self.check]) if self.check in LABELS else self.check


class Report(msgspec.Struct, frozen=True):
    """The findings of one run, which ended at `at`, and which checks the last e-mail called red."""

    at: datetime
    findings: list[Finding]
    alerted: list[str] = []

    @property
    def is_old(self) -> bool:
        """Whether it is too old to say anything."""
        return clock.now() - self.at > OLD

    @property
    def level(self) -> str:
        levels = [YELLOW if self.is_old else GREEN, *(each.level for each in self.findings)]
        return max(levels, key=LEVELS.index)

    @property
    def worst_first(self) -> list[Finding]:
        return sorted(self.findings, key=lambda each: LEVELS.index(each.level), reverse=True)


def save(report: Report) -> None:
    """Replace the last report. Raises OSError."""
    Path(settings.DATA_DIR, "check.json").write_bytes(msgspec.json.encode(report))


def read_last() -> Report | None:
    """Return the last report; None if there is none that this version can read."""
    try:
        return msgspec.json.decode(Path(settings.DATA_DIR, "check.json").read_bytes(), type=Report)
    except (OSError, msgspec.MsgspecError):
        return None


def send_alert(report: Report, previous: Report | None) -> Report:
    """Send e-mail to ALERT_EMAIL if other checks are red than before; return the report with what was sent.

    What cannot be sent is tried again with the next report.
    """
    red = [each for each in report.findings if each.level == RED]
    alerted = previous.alerted if previous else []
    if settings.ALERT_EMAIL and alerted != (checks := list(dict.fromkeys(each.check for each in red))):
        try:
            _send(red)
        except OSError as error:
            # smtplib's errors are too.
            logger.error("An alert could not be sent: %s", error)  # noqa: TRY400
        else:
            alerted = checks
    return msgspec.structs.replace(report, alerted=alerted)


def _send(red: list[Finding]) -> None:
    with override(settings.LANGUAGE_CODE):
        labels = ", ".join(dict.fromkeys(each.label for each in red))
        subject = gettext("Red: %(label)s") % {"label": labels} if red else gettext("Nothing is red any more")
        address = gettext("All of the last check: %(url)s") % {"url": f"{settings.BASE_URL}/admin/health/"}
        text = "\n".join([*(each.text for each in red), "", address, ""]).lstrip()
    host = settings.BASE_URL.partition("://")[2]
    send_mail(f"[{host}] {subject}", text, None, settings.ALERT_EMAIL)
