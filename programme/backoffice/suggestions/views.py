"""The pages on which editors decide: the queue, and an organizer's suggestions with both versions."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from programme.api.instant import get_instant
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.forms.images import IMAGE_TYPES
from programme.backoffice.pictures import keep_sizes
from programme.backoffice.rendering import lock_for_sent, render_page
from programme.backoffice.suggestions.changes import list_changes, name_change
from programme.backoffice.suggestions.deciding import SEEN, Section, join_tellings
from programme.backoffice.suggestions.sending import send_outcome
from programme.changes.rights import require_permission, require_right, rights_of
from programme.changes.writing import write
from programme.history import edits
from programme.models import Event, Organizer, SuggestedImage, Suggestion
from programme.models.parsing import parse_ints

# Suggestions that the queue shows; the others follow. Those of an organizer on one page.
MOST, MOST_TOGETHER = 200, 10


# --- The queue, the oldest first ------------------------------------------------------------------


def select_waiting(user: Any) -> QuerySet[Suggestion]:
    """Return the suggestions that wait and that the user may decide about: of events they may change."""
    events = rights_of(user).filter_allowed("change", Event.objects.order_by())
    # One that is deleted may be restored.
    organizers = Organizer.objects.order_by().values("pk")
    waiting = Suggestion.objects.filter(decided_at=None, event__in=events, link__organizer__in=organizers)
    return waiting.select_related("event", "link__organizer")


def select_together(user: Any, first: Suggestion) -> QuerySet[Suggestion]:
    """Return what is decided about on the page of a suggestion: it, and what its organizer sent after it."""
    own = select_waiting(user).filter(link=first.link_id)
    return own.filter(Q(pk=first.pk) | _after(first))[:MOST_TOGETHER]


def find_next(user: Any, shown: Sequence[Suggestion]) -> Suggestion | None:
    """Return where to go on after the suggestions of a page: the same organizer's next, else another's."""
    waiting, first, last = select_waiting(user), shown[0], shown[-1]
    own = waiting.filter(_after(last), link=last.link_id)
    others = waiting.filter(_after(first)).exclude(link=first.link_id)
    return own.first() or others.first()


def _after(suggestion: Suggestion) -> Q:
    return Q(sent_at__gt=suggestion.sent_at) | Q(sent_at=suggestion.sent_at, pk__gt=suggestion.pk)


def show_queue(request: HttpRequest) -> HttpResponse:
    require_permission(request.user, "change_event")
    waiting = select_waiting(request.user)
    shown = list(waiting[:MOST])
    # Of each organizer together, in the order of the oldest of each.
    groups: dict[int, list[Any]] = {}
    for each in shown:
        names = [name_change(*change) for change in list_changes(each)]
        groups.setdefault(each.link_id, []).append((each, names))
    context = {"groups": list(groups.values()), "count": len(shown) if len(shown) < MOST else waiting.count()}
    return render_page(request, "suggestions/queue", _("Suggestions from organizers"), context)


# --- An organizer's suggestions -------------------------------------------------------------------


def show_suggestions(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a suggestion, with what its organizer sent after it, and write what is decided."""
    require_permission(request.user, "change_event")
    is_sent = request.method == "POST"
    lock_for_sent(request)
    first = Suggestion.objects.select_related("event").filter(pk=pk).first()
    if first is not None:
        require_right(request.user, "change", [first.event])
    waiting = select_together(request.user, first) if first is not None and not first.decided_at else []
    shown = _find_sent(request) if is_sent else list(waiting)
    if shown:
        return DecisionPage(request, shown).respond()
    if first is not None and first.decided_at:
        messages.info(request, _("This has been decided already."))
        return _go_on(request, [first])
    messages.info(request, _("It does not wait any more: it was taken back, or its event was deleted."))
    return redirect("admin:suggestions")


def _find_sent(request: HttpRequest) -> list[Suggestion]:
    """Return what was on the page that is sent, without what was decided about or taken back since."""
    keys = parse_ints(name.removeprefix(SEEN) for name in request.POST if name.startswith(SEEN))
    found = list(select_waiting(request.user).filter(pk__in=keys).select_for_update(of=("self",)))
    return [each for each in found if each.link_id == found[0].link_id]


def show_image(request: HttpRequest, pk: int) -> HttpResponse:
    image = get_object_or_404(SuggestedImage.objects.select_related("suggestion__event"), suggestion=pk)
    require_right(request.user, "change", [image.suggestion.event])
    return send_image(image)


def send_image(image: SuggestedImage | None) -> HttpResponse:
    """Answer with an image that waits, so that no cache keeps it and nothing in it runs."""
    if image is None:
        raise Http404
    content_type = IMAGE_TYPES[PurePath(image.name).suffix.lower()]
    response = HttpResponse(bytes(image.content), content_type=content_type)
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


class DecisionPage:
    def __init__(self, request: HttpRequest, shown: Sequence[Suggestion]) -> None:
        self.request, self.shown = request, shown
        data = request.POST if request.method == "POST" else None
        self.sections = [Section(each, data) for each in shown]

    def respond(self) -> HttpResponse:
        if self.request.method != "POST":
            return self._render()
        chosen = [each for each in self.sections if not each.is_later]
        if any(each.data.get(each.seen_name) != each.seen for each in chosen):
            return self._render(_("It has been changed in the meantime. Nothing is written yet: look again."))
        if any(each.find_accepted() is None for each in chosen):
            return self._render(_("Choose one version of each."))
        if not all(each.form.is_valid() for each in chosen):
            return self._render()
        telling = join_tellings(chosen)
        if telling is None:
            return self._render(
                _("Readers are told of all that you accept at once, or of nothing. Decide the others later.")
            )
        if chosen:
            edits.set_telling(telling)
            self._decide(chosen)
        return _go_on(self.request, self.shown)

    def _decide(self, sections: Sequence[Section]) -> None:
        """Write the decisions as one edit, and write to the organizer once."""
        instant, decided = get_instant(self.request), [each.suggestion for each in sections]
        for each in sections:
            write(each.plan(instant), rights_of(self.request.user))
        keep_sizes(Event.objects.filter(pk__in=[each.event_id for each in decided]))
        send_outcome(decided, self.request.user, instant)
        outcome = [change["accepted"] for each in decided for change in each.changes.values()]
        one = decided[0].event.title if len(decided) == 1 else decided[0].link.organizer.name
        text = _("%(name)s: %(accepted)d accepted, %(declined)d declined.") % {
            "name": one,
            "accepted": outcome.count(True),
            "declined": outcome.count(False),
        }
        report_batch(self.request, text)

    def _render(self, warning: str = "") -> HttpResponse:
        if warning:
            messages.warning(self.request, warning)
        user = self.request.user
        context = {
            "sections": [(each, each.list_choices()) for each in self.sections],
            "has_changes": any(each.changes for each in self.sections),
            "count": select_waiting(user).count(),
            "next": find_next(user, self.shown),
        }
        name = self.shown[0].link.organizer.name
        return render_page(self.request, "suggestions/suggestions", name, context)


def _go_on(request: HttpRequest, shown: Sequence[Suggestion]) -> HttpResponse:
    """Lead to what follows, else to the first that was left, else to the empty queue."""
    following = find_next(request.user, shown) or select_waiting(request.user).first()
    return redirect("admin:suggestion", following.pk) if following else redirect("admin:suggestions")
