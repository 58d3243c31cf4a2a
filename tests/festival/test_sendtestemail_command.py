"""`festival sendtestemail`: a mail server that does not take the message is named in one sentence."""

import io
import smtplib
import socket

import pytest
from django.core import mail
from django.core.mail.backends import locmem
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings


def test_a_message_is_sent() -> None:
    call_command("sendtestemail", "anna@kulturnatten.example")
    assert [each.to for each in mail.outbox] == [["anna@kulturnatten.example"]]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (socket.gaierror(-2, "Name or service not known"), "[Errno -2] Name or service not known"),
        (ConnectionRefusedError(111, "Connection refused"), "[Errno 111] Connection refused"),
        (TimeoutError(), "TimeoutError"),
        (smtplib.SMTPAuthenticationError(535, b"no"), "(535, b'no')"),
    ],
)
def test_a_server_that_does_not_take_it_is_named(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, error: OSError, reason: str
) -> None:
    def refuse(*_arguments: object) -> int:
        raise error

    monkeypatch.setattr(locmem.EmailBackend, "send_messages", refuse)
    settings.EMAIL_HOST, settings.EMAIL_PORT = "mail.example", 587
    with pytest.raises(CommandError) as caught:
        call_command("sendtestemail", "anna@kulturnatten.example", stdout=io.StringIO())
    assert str(caught.value) == (
        f"The mail server mail.example, port 587, does not take the message ({reason}): check EMAIL_URL."
    )
