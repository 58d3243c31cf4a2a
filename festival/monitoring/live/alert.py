"""E-mail about what is red: when other checks are red than before, once a day, and when none is any more."""

import logging
from datetime import timedelta

import msgspec
from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext as _
from django.utils.translation import override

from festival.monitoring.live.report import Report

logger = logging.getLogger(__name__)

REMIND_AFTER = timedelta(days=1)


def send_alert(report: Report, previous: Report | None) -> Report:
    """Send what is due to ALERT_EMAIL, in the service's language; return the report with what was sent.

    What cannot be sent is tried again with the next report.
    """
    known, sent = (previous.alerted, previous.alerted_at) if previous else ([], None)
    checks = list(dict.fromkeys(each.check for each in report.red))
    is_reminder = bool(checks and sent and report.at - sent >= REMIND_AFTER)
    if settings.ALERT_EMAIL and (checks != known or is_reminder):
        try:
            _send(report, is_known=checks == known)
        except OSError as error:
            # smtplib's errors are too.
            logger.error("An alert could not be sent: %s", error)  # noqa: TRY400
        else:
            known, sent = checks, report.at
    return msgspec.structs.replace(report, alerted=known, alerted_at=sent)


def _send(report: Report, *, is_known: bool) -> None:
    with override(settings.LANGUAGE_CODE):
        labels = ", ".join(dict.fromkeys(each.label for each in report.red))
        subject = _("Still red: %(label)s") if is_known else _("Red: %(label)s")
        subject = subject % {"label": labels} if labels else _("Nothing is red any more")
        address = _("All of the last check: %(url)s") % {"url": f"{report.base_url}/admin/health/"}
        text = "\n".join([*(each.text for each in report.red), "", address, ""]).lstrip()
    host = settings.BASE_URL.partition("://")[2]
    send_mail(f"[{host}] {subject}", text, None, settings.ALERT_EMAIL)
