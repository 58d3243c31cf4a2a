"""The filter of lists by location or room, in one box to type in: there are too many for links."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from programme.backoffice.forms.base import PlaceSelect
from programme.backoffice.timetable.columns import VenueColumn, build_condition, load_columns
from programme.models import Occasion

PARAMETER = "place"


class PlaceFilter(admin.ListFilter):
    """What is held in a location or a room of it; nowhere also events without an occasion."""

    title = _("location or room")
    template = "admin/programme/place_filter.html"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        # As Django's own filters keep it: the last one.
        self.used_parameters = {PARAMETER: params.pop(PARAMETER)[-1]} if PARAMETER in params else {}

    @property
    def value(self) -> str:
        return str(self.used_parameters.get(PARAMETER, ""))

    def expected_parameters(self) -> list[str | None]:
        return [PARAMETER]

    def has_output(self) -> bool:
        return True

    @cached_property
    def columns(self) -> list[VenueColumn]:
        """What can be chosen; loaded where it is shown, or one is."""
        return load_columns()

    @property
    def box(self) -> SafeString:
        widget = PlaceSelect()
        widget.choices = [("", _("all places")), *((each.key, each.label) for each in self.columns)]
        return widget.render(PARAMETER, self.value, {"id": "filter_place"})

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield what else is chosen, which the form sends along."""
        for name, values in changelist.filter_params.items():
            if name != PARAMETER:
                yield from ((name, value) for value in values)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        places = {each.key: each.place for each in self.columns} if self.value else {}
        if self.value not in places:
            return queryset
        place = places[self.value]
        found = Occasion.objects.filter(build_condition(place)).order_by()
        if queryset.model is Occasion:
            return queryset.filter(pk__in=found.values("pk"))
        held = Q(pk__in=found.values("event"))
        without = ~Exists(Occasion.objects.filter(event=OuterRef("pk")))
        return queryset.filter(held if place else held | Q(without))
