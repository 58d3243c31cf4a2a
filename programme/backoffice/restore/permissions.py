"""Who may bring back what of events and occasions: whoever may do by hand what it does."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from programme.backoffice.rights import EventState, require_right, require_transition, rights_of
from programme.history.restore import Restoration
from programme.models import Event, Occasion


class RestorePermissionsMixin:
    """A model admin of events or occasions whose earlier versions come back as far as rights go."""

    def require_return(self, request: HttpRequest, plan: Restoration) -> None:
        asked = rights_of(request.user)
        written = [*plan.created, *plan.changed]
        events = {row.pk: row for row in written if isinstance(row, Event)}
        for event in events.values():
            require_transition(request.user, EventState.stored(event), EventState.of(event))
        require_right(request.user, "delete", [row for row in plan.deleted if isinstance(row, Occasion)])
        for occasion in written:
            if isinstance(occasion, Occasion):
                event = events.get(occasion.event_id) or Event.objects.get(pk=occasion.event_id)
                if not asked.may_keep(_stored(occasion), event):
                    raise PermissionDenied


def _stored(occasion: Any) -> Occasion | None:
    return Occasion.objects.filter(pk=occasion.pk).select_related("event").first()
