"""The occasions of an event, as rows in its form."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from programme.backoffice.admin.base import BackOfficeInline
from programme.backoffice.forms.formsets import UniqueOccasionsFormSet
from programme.backoffice.forms.occasion import OccasionForm, OccasionTimesMixin
from programme.backoffice.rights import EventState, Verb, rights_of
from programme.models import Event, Occasion

PLACE = ["location", "room", "stream"]


class OccasionRows(OccasionTimesMixin, BackOfficeInline):
    model = Occasion
    form = OccasionForm
    formset = UniqueOccasionsFormSet
    fields = ["day", "start_time", "end_time", "end_date", "cancelled", *PLACE]
    autocomplete_fields = PLACE

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).select_related("location", "room__location", "stream")

    def get_extra(self, request: HttpRequest, obj: Event | None = None, **kwargs: Any) -> int:
        return 0 if getattr(obj, "occasions_in_all", 0) else 1

    def has_add_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        return self._may("add", request, obj) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        return self._may("change", request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        return self._may("delete", request, obj) and super().has_delete_permission(request, obj)

    def _may(self, verb: Verb, request: HttpRequest, event: Event | None) -> bool:
        asked = rights_of(request.user)
        return event is None or asked.may_in(verb, Occasion, EventState.of(event))
