"""The pages of an organizer: its events, and the form in which it corrects one."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from pages.organizers.access import for_organizers, show
from pages.starred.limits import RateLimit
from pages.views import write_occasion_page
from programme.api.instant import get_instant
from programme.backoffice.changes.messages import build_tags
from programme.backoffice.dates import editor_language
from programme.backoffice.suggestions.changes import IMAGE, list_outcome
from programme.backoffice.suggestions.forms import CAPTION, LINKS, TEXTS, Correction
from programme.backoffice.suggestions.links import select_events
from programme.backoffice.suggestions.views import send_image
from programme.models import Event, OrganizerLink, Status, SuggestedImage, Suggestion
from programme.publishing import loading
from programme.publishing.preview import Preview

# What an organizer sends.
SENDINGS = RateLimit(per_minute=10, burst=40)
# Answers of earlier suggestions that are shown.
MOST_ANSWERS = 20
WITHDRAW = "withdraw"


@require_safe
@for_organizers
def show_events(request: HttpRequest, link: OrganizerLink) -> HttpResponse:
    decided = Q(decided_at__isnull=False)
    counts = {
        each["event"]: each
        for each in link.suggestions.order_by()
        .values("event")
        .annotate(waiting=Count("pk", filter=~decided), answered=Count("pk", filter=decided))
    }
    events = [
        {**counts.get(each.pk, {}), "event": each, "draft": each.status != Status.PUBLISHED}
        for each in select_events(link).order_by("title", "pk")
    ]
    return show(request, "events", {"events": events, "link": link})


@require_http_methods(["GET", "HEAD", "POST"])
@for_organizers
def correct_event(request: HttpRequest, link: OrganizerLink, pk: int) -> HttpResponse:
    if request.method != "POST":
        event = get_object_or_404(select_events(link), pk=pk)
        return _show_form(request, link, Correction(event, _find_waiting(link, event), get_instant(request)))
    with transaction.atomic():
        # Only one request at a time writes for an organizer, and none after its link was revoked.
        get_object_or_404(OrganizerLink.objects.select_for_update(), pk=link.pk, digest=link.digest)
        return _receive(request, link, get_object_or_404(select_events(link), pk=pk))


def _find_waiting(link: OrganizerLink, event: Event) -> Suggestion | None:
    return _select_waiting(link, event).first()


def _select_waiting(link: OrganizerLink, event: Event) -> QuerySet[Suggestion]:
    return link.suggestions.filter(event=event, decided_at=None)


def _receive(request: HttpRequest, link: OrganizerLink, event: Event) -> HttpResponse:
    # Nobody decides about it while it is written; what somebody has just decided about is not found.
    waiting = _select_waiting(link, event).select_for_update().first()
    is_limited = SENDINGS.take(str(link.pk)) > 0
    # An image that is refused is not decoded.
    files = MultiValueDict() if is_limited else request.FILES
    correction = Correction(event, waiting, get_instant(request), request.POST, files)
    if is_limited:
        correction.form.add_error(None, _("That was a lot at once. Wait a minute, and send it again."))
        return _show_form(request, link, correction, HTTPStatus.TOO_MANY_REQUESTS)
    if WITHDRAW in request.POST:
        if waiting:
            waiting.delete()
        return _go_back(request, event, _("It has been taken back."))
    if not correction.is_valid() or not correction.is_latest:
        return _show_form(request, link, correction)
    is_sent = _save(request, link, correction)
    text = _("It has been sent to the editors.") if is_sent else _("Nothing is changed, so nothing waits.")
    return _go_back(request, event, text)


def _go_back(request: HttpRequest, event: Event, text: Any) -> HttpResponse:
    messages.success(request, text, extra_tags=build_tags(request, None))
    return redirect("organizer-event", pk=event.pk)


def _save(request: HttpRequest, link: OrganizerLink, correction: Correction) -> bool:
    """Store what is asked for instead of what waits; nothing, if it asks for nothing."""
    changes, cleaned = correction.collect(), correction.form.cleaned_data
    suggestion = correction.suggestion or Suggestion(link=link, event=correction.event)
    if not changes and not cleaned["message"]:
        if suggestion.pk:
            suggestion.delete()
        return False
    suggestion.changes, suggestion.message = changes, cleaned["message"]
    suggestion.sent_at = get_instant(request)
    suggestion.save()
    if image := cleaned[IMAGE]:
        image.seek(0)
        values = {"name": image.name[-100:], "content": image.read()}
        SuggestedImage.objects.update_or_create(suggestion=suggestion, defaults=values)
    return True


def _show_form(
    request: HttpRequest,
    link: OrganizerLink,
    correction: Correction,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    event, form = correction.event, correction.form
    preview = Preview(loading.load_event(event.pk), get_instant(request), write_occasion_page)
    page, style = preview.page(editor_language())
    answers = link.suggestions.filter(event=event, decided_at__isnull=False).order_by("-decided_at", "-pk")
    context = {
        "link": link,
        "is_latest": correction.is_latest,
        "latest": correction.latest,
        "event": event,
        "draft": event.status != Status.PUBLISHED,
        "page": page,
        "state": correction.shown_state,
        "form": form,
        "fields": [
            (form[name], name in correction.waiting, correction.find_other(name)) for name in TEXTS + LINKS
        ],
        "image": form[IMAGE],
        "caption": form[CAPTION],
        "requests": correction.requests,
        "has_errors": correction.has_errors,
        "waiting": correction.suggestion,
        "asked": [name for name, _accepted in list_outcome(correction.suggestion)]
        if correction.suggestion
        else [],
        "has_image": IMAGE in correction.waiting,
        "answers": [(each, [*list_outcome(each)]) for each in answers[:MOST_ANSWERS]],
    }
    return show(request, "event", context, status, (style,))


@require_safe
@for_organizers
def show_image(request: HttpRequest, link: OrganizerLink, pk: int) -> HttpResponse:  # noqa: ARG001 - as the others
    waiting: Any = SuggestedImage.objects.filter(
        suggestion__link=link, suggestion__event=pk, suggestion__decided_at=None
    )
    return send_image(waiting.first())
