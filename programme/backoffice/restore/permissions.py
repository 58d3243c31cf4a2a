"""Who may restore what: whoever may do by hand what restoring does."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest

from programme.backoffice.generics import ModelAdmin
from programme.backoffice.rights import EventState, require_right, require_transition, rights_of
from programme.history.restore import Restoration
from programme.models import Event, Occasion


def can_restore(model_admin: ModelAdmin, request: HttpRequest, row: Model, *, is_deleted: bool) -> bool:
    """Return whether the user may restore a row, or an earlier version of it."""
    allowed = not is_deleted or model_admin.has_add_permission(request)
    return allowed and model_admin.has_change_permission(request, row)


def can_carry_out(user: Any, plan: Restoration) -> bool:
    try:
        require_restoration(user, plan)
    except PermissionDenied:
        return False
    return True


def require_restoration(user: Any, plan: Restoration) -> None:
    """Raise PermissionDenied unless the user may do with each event and occasion what is planned."""
    written = [*plan.created, *plan.changed]
    events = {row.pk: row for row in written if isinstance(row, Event)}
    for event in events.values():
        require_transition(user, EventState.stored(event), EventState.of(event))
    require_right(user, "delete", [row for row in plan.deleted if isinstance(row, Occasion)])
    for occasion in written:
        if isinstance(occasion, Occasion):
            event = events.get(occasion.event_id) or Event.objects.get(pk=occasion.event_id)
            stored = Occasion.objects.filter(pk=occasion.pk).select_related("event").first()
            if not rights_of(user).can_save_occasion(stored, event):
                raise PermissionDenied
