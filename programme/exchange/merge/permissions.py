"""What the person who imports may not do: it is refused row by row, and the rest is imported."""

from typing import Any, NamedTuple

from django.db import models
from django.utils.translation import gettext as _

from programme.exchange.values import Permits
from programme.models import Area, Event, Occasion, Status


class ImportEventState(NamedTuple):
    """What of an event decides who may write it."""

    area_id: int | None
    status: str


class ImportPermissions:
    """Gives the reasons for refusals, as one user's rights have them; without rights nothing is refused."""

    def __init__(self, rights: Permits | None) -> None:
        self.rights = rights

    @property
    def publishes(self) -> bool:
        return self.rights is None or self.rights.can_publish

    def may_add(self, model: type[models.Model]) -> bool:
        return self.rights is None or self.rights.has_permission(f"add_{model._meta.model_name}")

    def may_change(self, model: type[models.Model]) -> bool:
        return self.rights is None or self.rights.has_permission(f"change_{model._meta.model_name}")

    def may_use(self, area: Area) -> bool:
        """Return whether new events may be put into an area."""
        return self.rights is None or "area" not in self.rights.find_refusals(
            None, ImportEventState(area.pk, Status.DRAFT)
        )

    def refuse_new(self, row: Event, values: dict[str, Any]) -> str:
        return self._refuse_state(None, _state(row)) or self._refuse_creating(values)

    def refuse_change(self, row: Event, values: dict[str, Any]) -> str:
        """Return why an event may not get these values, or be changed at all; '' if it may."""
        after = ImportEventState(values.get("area", row.area).pk, values.get("status", row.status))
        return self._refuse_state(_state(row), after) or self._refuse_creating(values)

    def refuse_occasion(self, row: Occasion, owner: Event, values: dict[str, Any]) -> str:
        """Return why an occasion may not be the owner's and get these values, '' if it may."""
        state = _state(owner)
        if self.rights and row.pk and row.event_id and row.event_id != owner.pk:
            if not self.rights.can_save_occasion(row, owner):
                return _("You may not move this occasion to another event.")
        elif owner.pk and (why := self._refuse_state(state, state)):
            return why
        return self._refuse_creating({name: value for name, value in values.items() if name != "event"})

    def _refuse_state(self, before: ImportEventState | None, after: ImportEventState) -> str:
        refusals = self.rights.find_refusals(before, after) if self.rights else {}
        return " ".join(map(str, refusals.values()))

    def _refuse_creating(self, values: dict[str, Any]) -> str:
        new = [value for value in values.values() if isinstance(value, models.Model) and not value.pk]
        for row in new:
            if not self.may_add(type(row)):
                names = {"kind": row._meta.verbose_name, "name": str(row)}
                return _("There is no %(kind)s “%(name)s”, and you may not add it.") % names
        return ""


def _state(event: Event) -> ImportEventState:
    return ImportEventState(event.area_id, event.status)
