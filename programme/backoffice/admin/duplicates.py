"""Duplicating events: one from its form, many from the list."""
# ruff: noqa: ARG001 - Django's hooks say which arguments there are

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from programme.backoffice.duplicate import duplicate as copy_of
from programme.backoffice.rights import EventState, require_transition, rights_of
from programme.models import Event, Status


@transaction.atomic
def _duplicated(request: HttpRequest, events: list[Event], *, occasions: bool) -> list[Event]:
    for event in events:
        require_transition(request.user, None, EventState(event.area_id, Status.DRAFT))
    copies = [copy_of(event, occasions=occasions) for event in events]
    LogEntry.objects.log_actions(request.user.pk, copies, ADDITION, [{"added": {}}])
    return copies


class DuplicateMixin:
    """An admin of events whose form has a button that duplicates the event as it is saved."""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.duplicate_view)  # type: ignore[attr-defined]
        ours = [path("<path:object_id>/duplicate/", view, name="programme_event_duplicate")]
        return ours + super().get_urls()  # type: ignore[misc]

    @method_decorator(require_POST)
    def duplicate_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        event = self.get_object(request, object_id)  # type: ignore[attr-defined]
        if not self.has_add_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        if event is None:
            raise Http404
        [copy] = _duplicated(request, [event], occasions=request.POST.get("copied") == "occasions")
        original = reverse("admin:programme_event_change", args=[event.pk])
        told = _('This is the copy of <a href="{}">{}</a>. It is a draft.')
        messages.success(request, format_html(told, original, event))
        return redirect("admin:programme_event_change", copy.pk)

    def render_change_form(self, request: HttpRequest, context: Any, **kwargs: Any) -> Any:
        event = kwargs.get("obj")
        copied = event and EventState(event.area_id, Status.DRAFT)
        context["duplicates"] = bool(copied) and not rights_of(request.user).refusals(None, copied)
        return super().render_change_form(request, context, **kwargs)  # type: ignore[misc]


def _from_list(request: HttpRequest, queryset: QuerySet, *, occasions: bool) -> None:
    count = len(_duplicated(request, list(queryset.order_by("pk")), occasions=occasions))
    done = ngettext(
        "%(count)d event was duplicated. The copy is a draft.",
        "%(count)d events were duplicated. The copies are drafts.",
        count,
    )
    messages.success(request, done % {"count": count})


@admin.action(description=_("Duplicate with occasions"), permissions=["add"])
def duplicate(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> None:
    _from_list(request, queryset, occasions=True)


@admin.action(description=_("Duplicate without occasions"), permissions=["add"])
def duplicate_without_occasions(model_admin: Any, request: HttpRequest, queryset: QuerySet) -> None:
    _from_list(request, queryset, occasions=False)
