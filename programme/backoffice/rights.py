"""Who may do what with events and occasions: lists, forms, actions, imports and pages all ask here.

A right is a permission of Django's, which roles bundle (`programme/backoffice/roles.py`), and for those
who may not edit every area the area must be one of theirs. Who may not publish may not withdraw
either, nor take away what readers see. docs/roles.md tells it to people.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Literal, NamedTuple

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from programme.models import Area, AreaEditor, Event, Occasion, Status, SubArea

Verb = Literal["view", "add", "change", "delete", "publish"]

CACHE_ATTRIBUTE = "_programme_rights"


class EventState(NamedTuple):
    """What of an event decides who may change it."""

    area_id: int
    status: str

    @classmethod
    def of(cls, event: Event) -> "EventState":
        """Return it of an event as the instance has it, which may not be what is stored."""
        return cls(event.area_id, event.status)

    @classmethod
    def stored(cls, event: Event) -> "EventState | None":
        """Return it as the database has it, None for an event that is not there."""
        row = Event.objects.filter(pk=event.pk).values_list("area_id", "status").first()
        return cls(*row) if row else None


class Rights:
    """What one user may do. Get it from `of`, which asks the database once for each user instance."""

    def __init__(self, user: Any) -> None:
        self._user = user

    def holds(self, permission: str) -> bool:
        """Return whether the user has a permission of the programme, by its codename."""
        return bool(self._user.has_perm(f"programme.{permission}"))

    def _permits(self, verb: Verb, model: type[Any]) -> bool:
        """Return whether permissions allow it; what is published or withdrawn is changed by that."""
        name = model._meta.model_name
        return self.holds(f"{verb}_{name}") and (verb != "publish" or self.holds(f"change_{name}"))

    @cached_property
    def publishes(self) -> bool:
        return self.holds("publish_event")

    @cached_property
    def areas(self) -> frozenset[int] | None:
        """The areas whose events the user may change, as far as permissions go; None for every area."""
        if self.holds("edit_every_area"):
            return None
        return frozenset(AreaEditor.objects.filter(user=self._user.pk).values_list("area_id", flat=True))

    def has_area(self, area_id: int | None) -> bool:
        return self.areas is None or area_id in self.areas

    def unlimited(self, verb: Verb) -> bool:
        """Return whether no event's area or status keeps the user from what the permissions allow."""
        return self.areas is None and (verb != "delete" or self.publishes)

    def may_add(self) -> bool:
        """Return whether there is any area to add an event to."""
        return self.holds("add_event") and (self.areas is None or bool(self.areas))

    def may(self, verb: Verb, row: Event | Occasion) -> bool:
        """Return whether the user may do this with an event or an occasion, as it is stored."""
        event = row.event if isinstance(row, Occasion) else row
        return self.may_in(verb, type(row), EventState.of(event))

    def may_in(self, verb: Verb, model: type[Event] | type[Occasion], state: EventState) -> bool:
        """Return whether the user may do this with an event, or occasions of one, in a state."""
        if not self._permits(verb, model):
            return False
        if verb == "view":
            return True
        if not self.has_area(state.area_id):
            return False
        return verb != "delete" or self.publishes or state.status != Status.PUBLISHED

    def allowed(self, verb: Verb, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return those of the events or occasions with which the user `may` do this."""
        if not self._permits(verb, rows.model):
            return rows.none()
        if verb == "view" or self.unlimited(verb):
            return rows
        event = "event__" if rows.model is Occasion else ""
        held = Q() if self.areas is None else Q(**{f"{event}area__in": self.areas})
        if verb == "delete" and not self.publishes:
            held &= ~Q(**{f"{event}status": Status.PUBLISHED})
        return rows.filter(held)

    def refusals(self, before: EventState | None, after: EventState | None) -> dict[str, str]:
        """Return what is refused of bringing an event from one state to another, by the field.

        None before is a new event, None after a deleted one. Whole refusals stand under `__all__`.
        """
        if after is None:
            allowed = before is None or self.may_in("delete", Event, before)
            return {} if allowed else {"__all__": _("You may not delete this event.")}
        if before is None and not self.may_add():
            return {"__all__": _("You may not add events.")}
        if before is not None and not self.may_in("change", Event, before):
            return {"__all__": _("You may not change this event.")}
        refused = {}
        if not self.has_area(after.area_id):
            refused["area"] = _("You may not put events into this area.")
        if after.status != (before.status if before else Status.DRAFT) and not self.publishes:
            refused["status"] = _("You may neither publish nor withdraw events.")
        return refused

    def may_keep(self, stored: Occasion | None, event: Event) -> bool:
        """Return whether an occasion as it is stored, None for a new one, may be kept with an event.

        To take it from a published event to another is to take it away from readers.
        """
        if stored is not None and stored.event_id == event.pk:
            return self.may("change", stored)
        added = self.may_in("add", Occasion, EventState.of(event))
        return added and (stored is None or self.may("delete", stored))

    def areas_to_choose(self) -> QuerySet[Area]:
        """Return the areas that the user may put an event into."""
        every = Area.objects.all()
        return every if self.areas is None else every.filter(pk__in=self.areas)

    def sub_areas_to_choose(self) -> QuerySet[SubArea]:
        """Return the sub areas that the user may put an event into, with their areas."""
        every = SubArea.objects.select_related("area")
        return every if self.areas is None else every.filter(area__in=self.areas)

    def events_for_occasions(self, every: QuerySet[Event]) -> QuerySet[Event]:
        """Return those of the events that the user may give occasions to."""
        return every if self.areas is None else every.filter(area__in=self.areas)


def rights_of(user: Any) -> Rights:
    """Return the rights of a user, remembered on the instance as Django remembers permissions."""
    rights = getattr(user, CACHE_ATTRIBUTE, None)
    if rights is None:
        rights = Rights(user)
        setattr(user, CACHE_ATTRIBUTE, rights)
    return rights


def require_right(user: Any, verb: Verb, rows: Iterable[Event | Occasion]) -> None:
    """Raise PermissionDenied unless the user may do this with all of the rows, as they are stored."""
    rights = rights_of(user)
    if not all(rights.may(verb, row) for row in rows):
        raise PermissionDenied


def require_transition(user: Any, before: EventState | None, after: EventState | None) -> None:
    """Raise PermissionDenied unless the user may bring an event from one state to the other."""
    refused = rights_of(user).refusals(before, after)
    if refused:
        raise PermissionDenied(" ".join(map(str, refused.values())))
