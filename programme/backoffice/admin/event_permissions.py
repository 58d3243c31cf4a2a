"""What the form and the list of events offer to whom."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from programme.backoffice.admin.permissions import RightsMixin
from programme.backoffice.rights import Rights
from programme.models import Event


class EventPermissionsMixin(RightsMixin):
    """An admin of events that publishes by a button, for those who may, and offers their areas only."""

    def get_form(
        self, request: HttpRequest, obj: Event | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if kwargs.get("fields") and self.rights(request).publishes:
            # It stands in no fieldset: buttons send it.
            kwargs["fields"] = [*kwargs["fields"], "status"]
        return super().get_form(request, obj, change, **kwargs)  # type: ignore[misc]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and self.rights(request).may_add()  # type: ignore[misc]

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "area":
            kwargs["queryset"] = self.rights(request).areas_to_choose()
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[misc]
        if db_field.name == "sub_area":
            field.queryset = self.rights(request).sub_areas_to_choose()
        return field

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return it with the area of an editor who has one only."""
        areas = self.rights(request).areas or set()
        only = {"area": next(iter(areas))} if len(areas) == 1 else {}
        return only | super().get_changeform_initial_data(request)  # type: ignore[misc]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        if request.GET.get("model_name") == "occasion" and request.GET.get("field_name") == "event":
            queryset = self.rights(request).events_for_occasions(queryset)
        return super().get_search_results(request, queryset, search_term)  # type: ignore[misc]

    def render_change_form(self, request: HttpRequest, context: Any, **kwargs: Any) -> Any:
        event, asked = kwargs.get("obj"), self.rights(request)
        context["publishes"] = asked.publishes
        if event and not self.has_change_permission(request, event):
            context["only_read"] = _why_read_only(asked, event)
        return super().render_change_form(request, context, **kwargs)  # type: ignore[misc]


def _why_read_only(asked: Rights, event: Event) -> str:
    """Return what to tell a user who may look at an event and not change it."""
    if asked.areas is None:
        return _("You may look at this event, but not change it.")
    theirs = ", ".join(asked.areas_to_choose().values_list("name", flat=True))
    return _(
        "You may look at this event, but not change it: it belongs to %(area)s. Your areas: %(areas)s."
    ) % {"area": event.area.name, "areas": theirs or "–"}
