"""Messages to organizers, in both languages: nobody knows which one they read. No log has an address."""

import logging
from collections.abc import Callable, Collection
from datetime import datetime
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from programme.backoffice.problems.problem import StrOrPromise
from programme.backoffice.suggestions.changes import list_outcome
from programme.models import Festival, OrganizerLink, Suggestion

logger = logging.getLogger(__name__)

LANGUAGES = ("sv", "en")
_DECIDED = _("Answers to your corrections")


def write_message(
    template: str,
    subject: StrOrPromise,
    link: OrganizerLink,
    sender: Any,
    build_texts: Callable[[], dict[str, Any]],
) -> EmailMessage:
    """Return a message to which the editor is answered; `build_texts` is called in each language."""
    festival = Festival.objects.first()
    parts, subjects = [], []
    for language in LANGUAGES:
        with override(language):
            shared = {"link": link, "festival": _name(festival, language)}
            path = f"admin/programme/suggestions/{template}.txt"
            parts.append(render_to_string(path, shared | build_texts()).strip())
            subjects.append(str(subject))
    reply_to = [sender.email] if sender.email else None
    body = "\n\n--\n\n".join(parts) + "\n"
    return EmailMessage(" / ".join(subjects), body, to=[link.email], reply_to=reply_to)


def _name(festival: Festival | None, language: str) -> str:
    if festival is None:
        return ""
    return (festival.name_en if language == "en" else "") or festival.name_sv


def send_outcome(decided: Collection[Suggestion], sender: Any, instant: datetime) -> None:
    """Write to an organizer what became of suggestions, once it is saved; not without a link and address."""
    link = next(each.link for each in decided)
    if not (settings.HAS_EMAIL and link.email and link.digest):
        return
    is_valid = link.valid_until and link.valid_until > instant

    def build_texts() -> dict[str, Any]:
        outcome = [(each.event, [*list_outcome(each)], each.reason) for each in decided]
        return {"decided": outcome, "last_day": link.last_day if is_valid else None}

    message = write_message("decided", _DECIDED, link, sender, build_texts)
    # In a thread of its own: a mail server takes its time.
    thread = Thread(target=_deliver, args=[message], name="outcome-mail")
    transaction.on_commit(thread.start)


def _deliver(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError as error:  # smtplib's errors are such, too
        report(error)


def report(error: OSError) -> None:
    # Not the error's own words, which name the address.
    logger.error("A message to an organizer could not be sent: %s", type(error).__name__)
