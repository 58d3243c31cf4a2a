"""Planned restorations: who may carry them out, what prevents them, and carrying them out.

Users may restore what they may do by hand.
"""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Model, ProtectedError, Q
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from programme.backoffice.changes.messages import report_batch
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.rights import EventState, require_right, require_saving, require_transition
from programme.history import edits
from programme.history.restore import Restoration
from programme.models import Event, Occasion

# Stored as the reason of the edit, and translated where it is shown.
REASON = gettext_noop("brought back")


def can_restore(model_admin: ModelAdmin, request: HttpRequest, row: Model, *, is_deleted: bool) -> bool:
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
            require_saving(user, occasion, event)


def find_replacements(plan: Restoration) -> list[Event]:
    """Return the events that an import has created again, whole or in part, since they were deleted."""
    events = _find_taken(Event, plan)
    occasions = _find_taken(Occasion, plan)
    keys = {row.pk for row in events} | {row.event_id for row in occasions}
    return list(Event.objects.filter(pk__in=keys).order_by("title", "id")) if keys else []


def _find_taken(model: Any, plan: Restoration) -> list[Any]:
    identifiers = Q()
    for row in (*plan.created, *plan.changed):
        if isinstance(row, model) and row.source:
            identifiers |= Q(source=row.source, source_id=row.source_id) & ~Q(pk=row.pk)
    return list(model.objects.filter(identifiers)) if identifiers else []


def carry_out(request: HttpRequest, plan: Restoration) -> bool:
    """Restore what is planned; return whether that succeeded. Raises PermissionDenied."""
    lost = ", ".join(plan.lost)
    try:
        with transaction.atomic():
            require_restoration(request.user, plan)
            edits.set_reason(REASON)
            plan.apply()
    except ValidationError as refusal:
        text = _("It cannot be restored as it was: %(why)s")
        if lost:
            text = _("%(names)s: no longer there. Restore that first. (%(why)s)")
        messages.error(request, text % {"names": lost, "why": " ".join(refusal.messages)})
        return False
    except ProtectedError as refusal:
        names = sorted({str(row) for row in refusal.protected_objects})[:5]
        text = _("It cannot be restored as it was: in use by %(what)s.")
        messages.error(request, text % {"what": ", ".join(names)})
        return False
    report_batch(request, _("The earlier version is restored."))
    if lost:
        messages.warning(request, _("No longer there, so left out: %(names)s.") % {"names": lost})
    return True
