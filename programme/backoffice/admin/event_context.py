"""What the form of an event offers to whom, for its template."""
# ruff: noqa: ARG002 - hooks define the arguments

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from programme.backoffice.features import Feature
from programme.backoffice.rights import Rights, rights_of
from programme.models import Event


class EditOffers(Feature):
    """The buttons that publish, and the reason why a form is read-only."""

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        rights = rights_of(request.user)
        found: dict[str, Any] = {"publishes": rights.can_publish}
        if row and not self.model_admin.has_change_permission(request, row):
            found["read_only_reason"] = _explain_read_only(rights, row)
        return found


def _explain_read_only(rights: Rights, event: Event) -> str:
    if rights.areas is None:
        return _("You may look at this event, but not change it.")
    areas = ", ".join(rights.assignable_areas().values_list("name", flat=True))
    return _(
        "You may look at this event, but not change it: it belongs to %(area)s. Your areas: %(areas)s."
    ) % {"area": event.area.name, "areas": areas or "–"}
