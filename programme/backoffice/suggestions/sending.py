"""The page on which editors send organizers their links, one or many at once, and messages to organizers.

These are in both languages of the festival: nobody knows which one they read. No log has an address.
"""

import datetime as dt
import logging
from collections.abc import Callable, Collection, Iterable
from threading import Thread
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage, get_connection
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from feeds.festival_time import ONE_DAY
from feeds.vocabulary import LANGUAGES
from programme.api.instant import get_instant
from programme.backoffice.forms.fields import DayField
from programme.backoffice.problems.problem import StrOrPromise
from programme.backoffice.rendering import list_ticked, render_page
from programme.backoffice.suggestions.changes import list_outcome
from programme.backoffice.suggestions.links import count_events, load_links, make_link, revoke_link
from programme.changes.rights import require_permission
from programme.models import Festival, Organizer, OrganizerLink, Suggestion
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_int, parse_ints

logger = logging.getLogger(__name__)

# Organizers at a time, days that a link is valid, and at most.
MOST = 200
USUAL_DAYS, MOST_DAYS = 60, 366
REVOKE = "revoke"
_SUBJECT = gettext_lazy("Your events in the programme")
_ANSWERS = gettext_lazy("Answers to your corrections")


class OrganizerRow:
    """An organizer on the page: who may not have a link from this user, has why not (`refusal`)."""

    def __init__(
        self, organizer: Organizer, link: OrganizerLink | None, counts: tuple[int, int], instant: dt.datetime
    ) -> None:
        self.organizer, self.link = organizer, link
        self.events, allowed = counts
        self.name = f"email-{organizer.pk}"
        self.url, self.sent_to = "", ""
        self.is_valid = bool(link and link.digest and link.valid_until and link.valid_until > instant)
        self.refusal = ""
        if not self.events:
            self.refusal = _("No events yet.")
        elif allowed < self.events:
            self.refusal = _("You may not change all of its events.")

    @property
    def email(self) -> str:
        return self.link.email if self.link and not self.refusal else ""


class LinksForm(forms.Form):
    """Until when the links are valid, and an address for each organizer."""

    def __init__(self, rows: list[OrganizerRow], today: dt.date, data: Any = None) -> None:
        initial = {each.name: each.email for each in rows} | {"valid_until": today + USUAL_DAYS * ONE_DAY}
        super().__init__(data, initial=initial)
        self.fields["valid_until"] = valid = DayField(label=gettext_lazy("Valid until"))
        valid.validators += [
            MinValueValidator(today, gettext_lazy("That day is over.")),
            MaxValueValidator(today + MOST_DAYS * ONE_DAY, gettext_lazy("At most a year from today.")),
        ]
        for each in rows:
            if not each.refusal:
                label = _("E-mail address of %(name)s") % {"name": each.organizer.name}
                self.fields[each.name] = forms.EmailField(label=label, required=False)


def build_address(organizers: Iterable[int]) -> str:
    return f"{reverse('admin:organizer_links')}?{urlencode({'organizer': list(organizers)}, doseq=True)}"


@admin.action(description=gettext_lazy("Send links for corrections"))
def open_links(
    model_admin: Any,  # noqa: ARG001 - an action's
    request: HttpRequest,
    queryset: QuerySet[Organizer],
) -> HttpResponse | None:
    """Lead from ticked organizers to the page of their links."""
    keys = list_ticked(request, queryset, MOST)
    return None if keys is None else HttpResponseRedirect(build_address(keys))


def show_links(request: HttpRequest) -> HttpResponse:
    """Show, send and revoke links. Messages are sent after what is written, so no lock waits for them."""
    require_permission(request.user, "change_event")
    instant = get_instant(request)
    keys = parse_ints(request.GET.getlist("organizer"))[:MOST]
    organizers = Organizer.objects.filter(pk__in=keys).order_by("name__in_order", "pk")
    counts, links = count_events(request.user, keys), load_links(keys)
    rows = [OrganizerRow(each, links.get(each.pk), counts[each.pk], instant) for each in organizers]
    today = festival_time().day_of(instant)
    form = LinksForm(rows, today, request.POST if request.method == "POST" else None)
    if request.method == "POST" and REVOKE in request.POST:
        return _revoke(request, rows)
    if request.method == "POST" and form.is_valid():
        _make_links(rows, form.cleaned_data, instant)
        links = load_links(keys)
        for each in rows:
            each.link = links.get(each.organizer.pk)
        if settings.HAS_EMAIL:
            sent = {each: links[each.organizer.pk] for each in rows if each.sent_to}
            _send(sent, form.cleaned_data["valid_until"], request.user)
    context = {
        "opts": Organizer._meta,
        "form": form,
        "rows": [(each, form[each.name] if each.name in form.fields else None) for each in rows],
        "can_send": any(not each.refusal for each in rows),
        "made": [each for each in rows if each.url],
        "sent": sum(bool(each.sent_to) for each in rows),
        "has_email": settings.HAS_EMAIL,
    }
    return render_page(request, "suggestions/links", _("Links for organizers"), context)


def _revoke(request: HttpRequest, rows: list[OrganizerRow]) -> HttpResponse:
    key = parse_int(request.POST[REVOKE])
    found = next((each for each in rows if each.organizer.pk == key and not each.refusal), None)
    if found is None:
        raise PermissionDenied
    revoke_link(found.organizer.pk)
    text = _("The link of %(name)s does not work any more.") % {"name": found.organizer.name}
    messages.success(request, text)
    return redirect(request.get_full_path())


def _make_links(rows: list[OrganizerRow], cleaned: dict[str, Any], instant: dt.datetime) -> None:
    # The whole of the last day.
    until = festival_time().day_begins(cleaned["valid_until"] + ONE_DAY)
    with transaction.atomic():
        for each in rows:
            if not each.refusal:
                email = cleaned[each.name]
                each.url = make_link(each.organizer.pk, email, until, instant)
                each.sent_to = email if settings.HAS_EMAIL else ""
                each.is_valid = True


def _send(rows: dict[OrganizerRow, OrganizerLink], valid_until: dt.date, sender: Any) -> None:
    """Send each link over one connection. Those that could not be sent have no `sent_to` any more."""
    connection = get_connection()
    for number, (each, link) in enumerate(rows.items()):
        texts = {"url": each.url, "valid_until": valid_until}
        try:
            # It stays open for the next.
            connection.open()
            connection.send_messages([write_message("link", _SUBJECT, link, sender, texts.copy)])
        except OSError as error:  # smtplib's errors are such, too
            report(error)
            each.sent_to = ""
            if not hasattr(error, "recipients"):
                # The server is away: each message would wait for it.
                for left in list(rows)[number:]:
                    left.sent_to = ""
                break
    connection.close()


# --- Messages -------------------------------------------------------------------------------------


def write_message(
    template: str,
    subject: StrOrPromise,
    link: OrganizerLink,
    sender: Any,
    build_texts: Callable[[], dict[str, Any]],
) -> EmailMessage:
    """Return a message to which the editor is answered; `build_texts` is called in each language."""
    festival = Festival.objects.first() or Festival()
    parts, subjects = [], []
    for language in LANGUAGES[:1] if festival.swedish_only else LANGUAGES:
        with override(language):
            name = (festival.name_en if language == "en" else "") or festival.name_sv
            shared = {"link": link, "festival": name}
            path = f"admin/programme/suggestions/{template}.txt"
            parts.append(render_to_string(path, shared | build_texts()).strip())
            subjects.append(str(subject))
    reply_to = [sender.email] if sender.email else None
    body = "\n\n--\n\n".join(parts) + "\n"
    return EmailMessage(" / ".join(subjects), body, to=[link.email], reply_to=reply_to)


def send_outcome(decided: Collection[Suggestion], sender: Any, instant: dt.datetime) -> None:
    """Write to an organizer what became of suggestions, once it is saved; not without a link and address."""
    link = next(each.link for each in decided)
    if not (settings.HAS_EMAIL and link.email and link.digest):
        return
    is_valid = link.valid_until and link.valid_until > instant

    def build_texts() -> dict[str, Any]:
        outcome = [(each.event, [*list_outcome(each)], each.reason) for each in decided]
        return {"decided": outcome, "last_day": link.last_day if is_valid else None}

    message = write_message("decided", _ANSWERS, link, sender, build_texts)
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
