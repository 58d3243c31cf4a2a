"""What of an import the person who imports may not do: it is refused row by row, and the rest goes on."""

from typing import Any, NamedTuple

from django.db import models
from django.utils.translation import gettext as _

from programme.exchange.merge.directory import Directory
from programme.exchange.values import Permits
from programme.models import Event, Occasion, Status


class EventState(NamedTuple):
    """What of an event decides who may write it."""

    area_id: int | None
    status: str


class ImportPermissions:
    """Asks what somebody may do (programme/backoffice/rights.py); None may do everything."""

    def __init__(self, rights: Permits | None) -> None:
        self.rights = rights

    @property
    def publishes(self) -> bool:
        return self.rights is None or self.rights.publishes

    def why_not_new(self, row: Event, values: dict[str, Any]) -> str:
        """Return why an event may not be made, '' if it may."""
        return self._refusals(None, EventState(row.area_id, row.status)) or self._why_not_made(values)

    def why_not_changed(self, row: Event, values: dict[str, Any]) -> str:
        """Return why an event's values may not be set, '' if they may; none at all is to be changed."""
        area, status = values.get("area", row.area), values.get("status", row.status)
        before, after = EventState(row.area_id, row.status), EventState(area.pk, status)
        return self._refusals(before, after) or self._why_not_made(values)

    def why_not_held(self, row: Occasion, event: Event, values: dict[str, Any]) -> str:
        """Return why an occasion may not be an event's and have these values, '' if it may."""
        state = EventState(event.area_id, event.status)
        if self.rights and row.pk and row.event_id and row.event_id != event.pk:
            before = EventState(row.event.area_id, row.event.status)
            withdrawn = row.event.status == Status.PUBLISHED and not self.publishes
            if withdrawn or self._refusals(before, before) or self._refusals(state, state):
                return _("You may not move this occasion to another event.")
        elif event.pk and (why := self._refusals(state, state)):
            return why
        return self._why_not_made({name: value for name, value in values.items() if name != "event"})

    def _refusals(self, before: EventState | None, after: EventState) -> str:
        refusals = self.rights.refusals(before, after) if self.rights else {}
        return " ".join(map(str, refusals.values()))

    def _why_not_made(self, values: dict[str, Any]) -> str:
        """Return what that it names would have to be made, and may not be."""
        for value in values.values() if self.rights else ():
            if isinstance(value, models.Model) and not value.pk and not self.rights.holds(_adding(value)):  # type: ignore[union-attr]
                kind, name = value._meta.verbose_name, str(value)
                return _("There is no %(kind)s “%(name)s”, and you may not add it.") % {
                    "kind": kind,
                    "name": name,
                }
        return ""


def _adding(row: models.Model) -> str:
    return f"add_{row._meta.model_name}"


def leave_out_unused(directory: Directory, written: list[dict[str, Any]]) -> None:
    """Make none of the places, organizers and the like that none of the values that are written names."""
    named: set[int] = set()
    for value in (value for values in written for value in values.values()):
        # A room brings its location, a sub area its area.
        named |= {id(value), id(getattr(value, "location", None)), id(getattr(value, "area", None))}
    for kind in directory.kinds().values():
        kind.keep_created(named)
