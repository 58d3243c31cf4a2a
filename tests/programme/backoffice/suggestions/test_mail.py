"""By e-mail an organizer reads what became of its suggestions: one message for each decision."""

import logging
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from threading import enumerate as enumerate_threads
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client, TestCase
from pytest_django.fixtures import Settings

from programme.backoffice.suggestions import links
from programme.models import Event, Suggestion
from tests.conftest import NOW, SetClock
from tests.organizers import EMAIL, MONTH, decide, suggest
from tests.programmes import FORENINGEN, JAZZ

pytestmark = pytest.mark.usefixtures("sample")


@pytest.fixture(autouse=True)
def _has_email(at: SetClock, sample: None, settings: Settings) -> None:
    at(NOW)
    settings.HAS_EMAIL = True
    Event.objects.filter(pk=JAZZ).update(title="Jazz i parken")


def settle(office: Client, suggestion: Suggestion, button: str = "accept", **chosen: str) -> None:
    """Decide about a suggestion, and wait until the message has left."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert decide(office, suggestion, button, **chosen).status_code == 302
    for thread in enumerate_threads():
        if thread.name == "outcome-mail":
            thread.join(60)


def test_one_message_has_the_outcome_of_each_field(office, anna):
    User.objects.filter(pk=anna.pk).update(email="anna@festival.example")
    suggestion = suggest(price="60 kr", **{"occasion-8001-cancel": "on"})
    settle(office, suggestion, "chosen", price="theirs", reason="Priset är fel.")
    [message] = mail.outbox
    assert (message.to, message.reply_to) == ([EMAIL], ["anna@festival.example"])
    assert message.subject == "Svar på era rättelser / Answers to your corrections"
    assert message.body == (
        "Hej!\n\n"
        "Redaktionen för Kulturnatten i Åsunda har tittat på det som Föreningen Jazz har skickat.\n\n"
        "Jazz i parken\n"
        "* Pris – avslaget\n"
        "* Ställa in: ons 29 jul 16:00–17:00 – godkänt\n"
        "Redaktionen svarar: Priset är fel.\n\n"
        "Er sida visar det också. Länken som vi har skickat öppnar den till och med fre 28 aug.\n\n"
        "--\n\n"
        "Hello!\n\n"
        "The editors of Åsunda Culture Night have looked at what Föreningen Jazz has sent.\n\n"
        "Jazz i parken\n"
        "* Price – declined\n"
        "* Cancellation: Wed 29 Jul 16:00–17:00 – accepted\n"
        "The editors say: Priset är fel.\n\n"
        "Your page shows it, too. The link that we have sent you opens it until Fri 28 Aug.\n"
    )


def test_who_has_an_expired_link_reads_it_without_one(office, at):
    suggestion = suggest(price="60 kr", message="Kan vi få en större sal?")
    at(NOW + MONTH + timedelta(seconds=1))
    settle(office, suggestion, reason="Ja, Sal 3.")
    [message] = mail.outbox
    assert "The editors say: Ja, Sal 3.\n" in message.body
    assert "* Price – accepted\n" in message.body
    assert "28 aug" not in message.body


@pytest.mark.parametrize("case", ["no e-mail", "no address", "revoked"])
def test_nobody_else_is_written_to(office, settings, case):
    suggestion = suggest(price="60 kr")
    if case == "no e-mail":
        settings.HAS_EMAIL = False
    elif case == "no address":
        links.make_link(FORENINGEN, "", NOW + MONTH, NOW)
    else:
        links.revoke_link(FORENINGEN)
    settle(office, suggestion)
    assert mail.outbox == []


def test_a_message_that_cannot_be_sent_stops_nothing_and_is_logged_without_its_address(
    office, monkeypatch, caplog
):
    def refuse(_backend: EmailBackend, _messages: Any) -> int:
        raise SMTPRecipientsRefused({EMAIL: (550, b"unknown")})

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    suggestion = suggest(price="60 kr")
    with caplog.at_level(logging.INFO):
        settle(office, suggestion)
    assert "A message to an organizer could not be sent: SMTPRecipientsRefused" in caplog.text
    assert EMAIL not in caplog.text
    assert Event.objects.get(pk=JAZZ).price == "60 kr"
