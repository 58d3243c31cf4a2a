"""The pages of an organizer: its events, and the form in which it corrects one."""

from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from feeds.snapshot import Snapshot
from pages.occasions import write_occasion_page
from pages.rendering import HTML, View, read_only, write_page
from programme.api.instant import get_instant
from programme.backoffice.changes.messages import build_tags
from programme.backoffice.forms.base import is_in_english
from programme.backoffice.forms.typed import follow_start
from programme.backoffice.preview import Preview
from programme.backoffice.suggestions.changes import IMAGE, list_outcome
from programme.backoffice.suggestions.forms import CAPTIONS, LINKS, TEXTS, Correction
from programme.backoffice.suggestions.links import find_link, select_events
from programme.backoffice.suggestions.views import send_image
from programme.models import Event, OrganizerLink, Status, SuggestedImage, Suggestion
from programme.models.dates import editor_language
from programme.models.occasions import is_event_cancelled
from programme.publishing import loading
from programme.publishing.current import current

# With this prefix browsers refuse the cookie unless it came over TLS.
COOKIE = "__Secure-organizer" if settings.SERVED_OVER_TLS else "organizer"
# Answers of earlier suggestions that are shown.
MOST_ANSWERS = 20
WITHDRAW = "withdraw"


# --- Access ---------------------------------------------------------------------------------------


@read_only
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Store the token in a cookie and redirect to an address without it."""
    instant = get_instant(request)
    token = token.partition("/")[0]
    link = find_link(token, instant)
    if link is None or link.valid_until is None:
        # Without a button for the other language: the address is a secret, which no form may contain.
        response = refuse(request, here="")
    else:
        response = redirect("organizer")
        response.set_cookie(
            COOKIE,
            token,
            max_age=link.valid_until - instant,
            path=reverse("organizer"),
            secure=settings.SERVED_OVER_TLS,
            httponly=True,
            samesite="Lax",
        )
    # The other pages have no secret in their address. Without any referrer, browsers would not say of a form
    # which page it came from, and it would be refused.
    response["Referrer-Policy"] = "no-referrer"
    return make_private(response)


def for_organizers(view: View) -> View:
    """Pass a view the link of the request's cookie; refuse a request without a valid link."""

    @wraps(view)
    def protected(request: HttpRequest, **arguments: Any) -> HttpResponse:
        link = find_link(request.COOKIES.get(COOKIE, ""), get_instant(request))
        try:
            with override(get_language() if is_in_english() else "sv"):
                response = view(request, link, **arguments) if link else refuse(request, request.path)
        except Http404:
            context = {
                "heading": _("This event is not among yours any more"),
                "explanation": _("The festival has deleted it, or given it to somebody else."),
                "has_list": True,
            }
            response = show(request, "refused", context, HTTPStatus.NOT_FOUND)
        return make_private(response)

    return protected


def refuse(request: HttpRequest, here: str) -> HttpResponse:
    context = {
        "heading": _("This link does not work any more"),
        "explanation": _("Ask the festival for a new one. What you have sent with it is still there."),
        "here": here,
    }
    return show(request, "refused", context, HTTPStatus.FORBIDDEN)


def make_private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


def show(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    status: HTTPStatus = HTTPStatus.OK,
    framed_styles: tuple[str, ...] = (),
) -> HttpResponse:
    """Return a page in the visitors' layout and the browser's language."""
    snapshot: Snapshot = current.at(get_instant(request))
    shared = {"here": request.path, "messages": messages.get_messages(request)}
    private = {"csrf_token": get_token(request), "feeds": (), "until": ""}
    private |= {} if is_in_english() else {"here": ""}
    body, style = write_page(
        f"organizers/{template}", editor_language(), snapshot, **shared | context | private
    )
    response = HttpResponse(body, content_type=HTML, status=status)
    # The frames inherit this page's policy (festival/http/headers.py).
    response.framed_styles = [style, *framed_styles]  # type: ignore[attr-defined]
    return response


# --- Pages ----------------------------------------------------------------------------------------


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
    cancelled, order = is_event_cancelled(get_instant(request)), ("title__in_order", "pk")
    events = [
        {**counts.get(each.pk, {}), "event": each, "draft": each.status != Status.PUBLISHED}
        for each in select_events(link).annotate(is_cancelled=cancelled).order_by(*order)
    ]
    return show(request, "events", {"events": events, "link": link})


@require_http_methods(["GET", "HEAD", "POST"])
@for_organizers
def correct_event(request: HttpRequest, link: OrganizerLink, pk: int) -> HttpResponse:
    if request.method != "POST":
        event = get_object_or_404(select_events(link), pk=pk)
        waiting = _select_waiting(link, event).first()
        return _show_form(request, link, Correction(event, waiting, get_instant(request)))
    with transaction.atomic():
        # Only one request at a time writes for an organizer, and none after its link was revoked.
        get_object_or_404(OrganizerLink.objects.select_for_update(), pk=link.pk, digest=link.digest)
        return _receive(request, link, get_object_or_404(select_events(link), pk=pk))


def _select_waiting(link: OrganizerLink, event: Event) -> QuerySet[Suggestion]:
    return link.suggestions.filter(event=event, decided_at=None)


def _receive(request: HttpRequest, link: OrganizerLink, event: Event) -> HttpResponse:
    # Locked, so that no editor decides about it meanwhile; a decided suggestion is not found.
    waiting = _select_waiting(link, event).select_for_update().first()
    if WITHDRAW in request.POST:
        if waiting:
            waiting.delete()
        return _go_back(request, event, _("It has been taken back."))
    correction = Correction(event, waiting, get_instant(request), request.POST, request.FILES)
    if not correction.is_valid() or not correction.is_latest:
        return _show_form(request, link, correction)
    is_sent = _save(request, link, correction)
    text = _("It has been sent to the editors.") if is_sent else _("Nothing is changed, so nothing waits.")
    return _go_back(request, event, text)


def _go_back(request: HttpRequest, event: Event, text: Any) -> HttpResponse:
    messages.success(request, text, extra_tags=build_tags(request, None))
    return redirect("organizer-event", pk=event.pk)


def _save(request: HttpRequest, link: OrganizerLink, correction: Correction) -> bool:
    """Store the requested changes instead of the waiting ones, or delete these if none are requested."""
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


def _show_form(request: HttpRequest, link: OrganizerLink, correction: Correction) -> HttpResponse:
    event, form = correction.event, correction.form
    preview = Preview(
        loading.load_events(Event.objects.filter(pk=event.pk)), get_instant(request), write_occasion_page
    )
    page, style = preview.page(editor_language())
    answers = link.suggestions.filter(event=event, decided_at__isnull=False).order_by("-decided_at", "-pk")
    context = {
        "link": link,
        "correction": correction,
        "event": event,
        "draft": event.status != Status.PUBLISHED,
        "page": page,
        "form": form,
        "fields": [
            (form[name], name in correction.waiting, correction.find_other(name))
            for name in TEXTS + LINKS
            if not form.fields[name].disabled
        ],
        "image": form[IMAGE],
        "captions": [form[name] for name in CAPTIONS],
        "waiting": correction.suggestion,
        "asked": [name for name, _accepted in list_outcome(correction.suggestion)]
        if correction.suggestion
        else [],
        "has_image": IMAGE in correction.waiting,
        "answers": [(each, [*list_outcome(each)]) for each in answers[:MOST_ANSWERS]],
    }
    return show(request, "event", context, framed_styles=(style,))


@require_safe
@for_organizers
def show_times(request: HttpRequest, link: OrganizerLink) -> HttpResponse:  # noqa: ARG001 - as the others
    return JsonResponse(follow_start(request.GET.dict()))


@require_safe
@for_organizers
def show_image(request: HttpRequest, link: OrganizerLink, pk: int) -> HttpResponse:  # noqa: ARG001 - as the others
    waiting: Any = SuggestedImage.objects.filter(
        suggestion__link=link, suggestion__event=pk, suggestion__decided_at=None
    )
    return send_image(waiting.first())
