"""Duplicating an event from its form."""
# ruff: noqa: ARG002 - hooks define the arguments

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from programme.backoffice.changes.messages import report_batch
from programme.backoffice.features import Feature
from programme.backoffice.next_edition.plan import copy_values
from programme.backoffice.problems.problem import name_row_field
from programme.changes.change import Change
from programme.changes.rights import EventState, require_change, rights_of
from programme.history import edits
from programme.models import Event, Occasion, Status

# Of a title, with room for the mark.
LONGEST_TITLE = (Event._meta.get_field("title").max_length or 0) - 10
# What the history calls the edit.
COPIED = gettext_noop("copied")


def duplicate_event(event: Event, *, occasions: bool) -> Event:
    """Create a draft with the values of an event, whose title says that it is a copy."""
    title = gettext("%(title)s (copy)") % {"title": event.title[:LONGEST_TITLE]}
    copy = Event.objects.create(**copy_values(event, title=title), status=Status.DRAFT)
    if occasions:
        rows = event.occasions.order_by("start", "end", "id")
        Occasion.objects.bulk_create(Occasion(**copy_values(row, event_id=copy.pk)) for row in rows)
    return copy


class Duplication(Feature):
    """A button in the form of an event that duplicates the event as it is saved."""

    def get_urls(self) -> list[URLPattern]:
        return [self.path("<path:object_id>/duplicate/", require_POST(self.duplicate_view), "duplicate")]

    def duplicate_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        event = self.model_admin.get_object(request, object_id)
        if not self.model_admin.has_add_permission(request):
            raise PermissionDenied
        if event is None:
            raise Http404
        require_change(request.user, Change.of(None, Event(area_id=event.area_id)))
        with_occasions = request.POST.get("copied") == "occasions"
        copy = duplicate_event(event, occasions=with_occasions)
        edits.set_reason(COPIED)
        original = reverse("admin:programme_event_change", args=[event.pk])
        text = _('This is the copy of <a href="{}">{}</a>. It is a draft.')
        left = "" if with_occasions else _("Its occasions are left out, and with them the place.")
        report_batch(request, format_html(f"{text} {{}}", original, event, left))
        field = "start_time" if with_occasions else "day"
        form = reverse("admin:programme_event_change", args=[copy.pk])
        return redirect(f"{form}#id_{name_row_field(0, field)}")

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        draft = row and EventState(row.area_id, Status.DRAFT)
        return {"can_duplicate": bool(row) and not rights_of(request.user).find_refusals(None, draft)}
