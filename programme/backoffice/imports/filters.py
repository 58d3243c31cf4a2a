"""The filter of events by the edit that wrote them: where an import leads when it is done."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from programme.history.versions import format_reason
from programme.models import Edit, Event, Occasion
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_int

EDIT = "edit"


class EditFilter(admin.SimpleListFilter):
    """Offers nothing by itself: an import leads here with the number of its edit."""

    title = _("written by")
    parameter_name = EDIT

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's
        value = self.value() or ""
        number = parse_int(value)
        edit = None if number is None else Edit.objects.filter(pk=number).first()
        if edit is None:
            return []
        moment = festival_time().local(edit.moment)
        return [(value, f"{format_reason(edit) or edit.name}, {moment:%Y-%m-%d %H:%M}")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:  # noqa: ARG002 - Django's
        if not self.lookup_choices:
            return queryset
        events = Event.history.filter(edit=self.value()).values("id")
        owners = Occasion.history.filter(edit=self.value()).values("event_id")
        return queryset.filter(Q(pk__in=events) | Q(pk__in=owners))
