"""E-mail about what the check of the running service finds: one for each cause, and one when it is over.

A cause is a check that is red. As long as it stays red, a reminder is sent once a day.
"""

import logging
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext as _
from django.utils.translation import override

from festival.monitoring.live.findings import SERVICE, Finding, Report, label_of

logger = logging.getLogger(__name__)

REMIND_AFTER = timedelta(days=1)


class Cause(msgspec.Struct):
    """Since when a check is red, and when that was last written in an e-mail."""

    since: datetime
    sent: datetime


def send_alerts(report: Report) -> int:
    """Send what is due to ALERT_EMAIL, in the service's language; return the number of e-mails.

    What cannot be sent is tried again with the next report.
    """
    if not settings.ALERT_EMAIL:
        return 0
    path = Path(settings.DATA_DIR) / "alerts.json"
    known = _read(path)
    causes = report.causes()
    count = 0
    with override(settings.LANGUAGE_CODE):
        # While the service does not answer, most checks say nothing.
        ended = [] if SERVICE in causes else sorted(known.keys() - causes.keys())
        for name in ended:
            if _send(*_write_end(name, known[name], report)):
                del known[name]
                count += 1
        for name, findings in causes.items():
            cause = known.get(name)
            if cause and report.at - cause.sent < REMIND_AFTER:
                continue
            if _send(*_write_alert(findings, cause, report)):
                known[name] = Cause(cause.since if cause else report.at, report.at)
                count += 1
    _write(path, known)
    return count


def _write_alert(findings: list[Finding], cause: Cause | None, report: Report) -> tuple[str, str]:
    """Return the subject and the text of a first e-mail or a reminder."""
    label = findings[0].label
    subject = _("Still red: %(label)s") if cause else _("Red: %(label)s")
    lines = [each.text for each in findings]
    if cause:
        lines += ["", _("Since %(since)s.") % {"since": _moment(cause.since)}]
    lines += ["", _("All of the last check: %(url)s") % {"url": f"{report.base_url}/admin/health/"}]
    return subject % {"label": label}, "\n".join(lines)


def _write_end(name: str, cause: Cause, report: Report) -> tuple[str, str]:
    text = _("No longer red. It was from %(since)s to %(until)s.")
    values = {"since": _moment(cause.since), "until": _moment(report.at)}
    return _("Over: %(label)s") % {"label": label_of(name)}, text % values


def _moment(instant: datetime) -> str:
    return f"{instant.astimezone(ZoneInfo(settings.FESTIVAL_TIME_ZONE)):%Y-%m-%d %H:%M}"


def _send(subject: str, text: str) -> bool:
    host = settings.BASE_URL.partition("://")[2]
    try:
        send_mail(f"[{host}] {subject}", text + "\n", None, settings.ALERT_EMAIL)
    except OSError as error:
        # smtplib's errors are too.
        logger.error("The alert “%s” could not be sent: %s", subject, error)  # noqa: TRY400
        return False
    return True


def _read(path: Path) -> dict[str, Cause]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Cause])
    except (OSError, msgspec.MsgspecError):
        return {}


def _write(path: Path, known: dict[str, Cause]) -> None:
    new = path.with_suffix(".new")
    try:
        new.write_bytes(msgspec.json.encode(known))
        new.replace(path)
    except OSError as error:
        logger.warning("What alerts were sent cannot be written: %s", error)
