"""Django's `sendtestemail`, which ends with a sentence if the mail server does not take the message."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import sendtestemail

NOT_SENT = "The mail server {host}, port {port}, does not take the message ({reason}): check EMAIL_URL."


class Command(sendtestemail.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except OSError as error:
            # Errors of smtplib too are an OSError.
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            raise CommandError(
                NOT_SENT.format(host=settings.EMAIL_HOST, port=settings.EMAIL_PORT, reason=reason)
            ) from None
