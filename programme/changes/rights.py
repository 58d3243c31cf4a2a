"""Rights: permissions for events and occasions, checked by lists, forms, actions, imports and pages.

A right takes a Django permission, which roles bundle (`programme/backoffice/roles.py`). Users who may not
edit every area also need one of their own areas. Users who may not publish cannot withdraw either, nor
delete what readers see. docs/roles.md explains this to editors.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Literal, NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from programme import models
from programme.changes.change import Change
from programme.history.versions import CREATED, DELETED

Verb = Literal["view", "add", "change", "delete", "publish"]


class EventState(NamedTuple):
    """The values of an event that decide who may change it."""

    area_id: int
    status: str

    @classmethod
    def of(cls, event: models.Event) -> "EventState":
        """Return the state of an instance, which may differ from the stored one."""
        return cls(event.area_id, event.status)


# The states of events by ID, None for missing ones.
States = dict[int | None, EventState | None]


class Rights:
    """The permissions of one user. `rights_of` returns them, with one query for each user instance."""

    def __init__(self, user: Any) -> None:
        self.user = user

    def has_permission(self, permission: str) -> bool:
        return bool(self.user.has_perm(f"programme.{permission}"))

    def _permits(self, verb: Verb, model: type[Any]) -> bool:
        """Return whether the permissions allow a verb; publishing requires changing, too."""
        name = model._meta.model_name
        return self.has_permission(f"{verb}_{name}") and (
            verb != "publish" or self.has_permission(f"change_{name}")
        )

    @cached_property
    def can_publish(self) -> bool:
        return self.has_permission("publish_event")

    @cached_property
    def areas(self) -> frozenset[int] | None:
        """The areas whose events the user may change if permissions allow it; None for every area."""
        if self.has_permission("edit_every_area"):
            return None
        own = models.AreaEditor.objects.filter(user=self.user.pk)
        return frozenset(own.values_list("area_id", flat=True))

    @cached_property
    def is_unlimited(self) -> bool:
        """Whether the user may do everything with every row of the programme."""
        names = [model._meta.model_name for model in models.models_with_history()]
        every = (f"{verb}_{name}" for verb in ("add", "change", "delete") for name in names)
        return self.can_publish and self.areas is None and all(map(self.has_permission, every))

    def has_area(self, area_id: int | None) -> bool:
        return self.areas is None or area_id in self.areas

    def can_add_event(self) -> bool:
        return self.has_permission("add_event") and (self.areas is None or bool(self.areas))

    def can(self, verb: Verb, row: models.Event | models.Occasion) -> bool:
        """Return whether the user may `verb` a stored event or occasion."""
        event = row.event if isinstance(row, models.Occasion) else row
        return self.can_in_state(verb, type(row), EventState.of(event))

    def can_in_state(
        self, verb: Verb, model: type[models.Event] | type[models.Occasion], state: EventState
    ) -> bool:
        """Return whether the user may `verb` an event in a state, or its occasions."""
        if not self._permits(verb, model):
            return False
        if verb == "view":
            return True
        if not self.has_area(state.area_id):
            return False
        return verb != "delete" or self.can_publish or state.status != models.Status.PUBLISHED

    def filter_allowed(self, verb: Verb, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the events or occasions for which `can` is true."""
        if not self._permits(verb, rows.model):
            return rows.none()
        if verb == "view":
            return rows
        event = "event__" if rows.model is models.Occasion else ""
        allowed = Q() if self.areas is None else Q(**{f"{event}area__in": self.areas})
        if verb == "delete" and not self.can_publish:
            allowed &= ~Q(**{f"{event}status": models.Status.PUBLISHED})
        return rows.filter(allowed)

    def find_refusals(self, before: EventState | None, after: EventState | None) -> dict[str, str]:
        """Return the reasons, by field, why the user may not change the state of an event.

        `before` is None for a new event, `after` for a deletion. Refusals of the whole are under `__all__`.
        """
        if after is None:
            allowed = before is None or self.can_in_state("delete", models.Event, before)
            return {} if allowed else {"__all__": _("You may not delete this event.")}
        if before is None and not self.can_add_event():
            return {"__all__": _("You may not add events.")}
        if before is not None and not self.can_in_state("change", models.Event, before):
            return {"__all__": _("You may not change this event.")}
        refused = {}
        if not self.has_area(after.area_id):
            refused["area"] = _("You may not put events into this area.")
        if after.status != (before.status if before else models.Status.DRAFT) and not self.can_publish:
            refused["status"] = _("You may neither publish nor withdraw events.")
        return refused

    def find_forbidden(self, changes: Iterable[Change]) -> list[Change]:
        """Return the changes that the user may not make; one query, for the events of occasions."""
        if self.is_unlimited and not any(each.kind == DELETED for each in changes):
            return []
        judged = [each for each in changes if each.kind]
        events = {each.key: each for each in judged if each.model is models.Event}
        sides: tuple[States, States] = {}, {}
        for key, each in events.items():
            for states, row in zip(sides, (each.before, each.after), strict=True):
                states[key] = EventState(row["area_id"], row["status"]) if row else None
        rows = [row for each in judged if each.model is models.Occasion for row in (each.before, each.after)]
        others = {row["event_id"] for row in rows if row} - events.keys()
        found = models.Event.objects.filter(pk__in=others).values_list("pk", "area_id", "status")
        for key, area, status in found:
            sides[0][key] = sides[1][key] = EventState(area, status)
        return [each for each in judged if not self._may_make(each, *sides)]

    def _may_make(self, change: Change, before: States, after: States) -> bool:
        if change.model is models.Event:
            return not self.find_refusals(before[change.key], after[change.key])
        if change.model is models.Occasion:
            was, will = change.before, change.after
            asked: list[tuple[Verb, EventState | None]] = []
            if was:
                verb: Verb = "change" if will and was["event_id"] == will["event_id"] else "delete"
                asked.append((verb, before.get(was["event_id"])))
            if will and (not was or was["event_id"] != will["event_id"]):
                asked.append(("add", after.get(will["event_id"])))
            return all(state and self.can_in_state(verb, models.Occasion, state) for verb, state in asked)
        shown = [(row or {}).get("published", False) for row in (change.before, change.after)]
        if shown[0] != shown[1] and not self.can_publish:
            return False
        if change.kind == DELETED and is_indispensable(change.model(**change.known)):
            return False
        done = {CREATED: "add", DELETED: "delete"}.get(change.kind, "change")
        return self.has_permission(f"{done}_{change.model._meta.model_name}")

    def explain_read_only(self, row: Any) -> str:
        """Return the reason why the user may only view a row."""
        if not isinstance(row, models.Event | models.Occasion):
            return _("Your role does not include it. Ask an administrator.")
        if self.areas is None:
            return _("You may look at this event, but not change it.")
        areas = ", ".join(self.assignable_areas().values_list("name", flat=True))
        event = row.event if isinstance(row, models.Occasion) else row
        text = _(
            "You may look at this event, but not change it: it belongs to %(area)s. Your areas: %(areas)s."
        )
        if models.Event.history.filter(id=event.pk, area_id__in=self.areas).exists():
            text = _(
                "This event was moved to the area %(area)s, which you do not edit. Your areas: %(areas)s."
            )
        return text % {"area": event.area.name, "areas": areas or "–"}

    def assignable_areas(self) -> QuerySet[models.Area]:
        every = models.Area.objects.all()
        return every if self.areas is None else every.filter(pk__in=self.areas)

    def assignable_sub_areas(self) -> QuerySet[models.SubArea]:
        every = models.SubArea.objects.select_related("area")
        return every if self.areas is None else every.filter(area__in=self.areas)

    def filter_events_for_occasions(self, every: QuerySet[models.Event]) -> QuerySet[models.Event]:
        return every if self.areas is None else every.filter(area__in=self.areas)


def is_indispensable(row: Any) -> bool:
    """Return whether a row must not be deleted: the festival, and the current edition if there are others."""
    if isinstance(row, models.Edition):
        return row.is_current and models.Edition.objects.exclude(pk=row.pk).exists()
    return isinstance(row, models.Festival)


# The rights of a command.
EVERY_RIGHT = Rights(User(is_superuser=True))


def rights_of(user: Any) -> Rights:
    """Return the rights of a user, cached on the instance as Django caches permissions."""
    if not hasattr(user, "programme_rights"):
        user.programme_rights = Rights(user)
    rights: Rights = user.programme_rights
    return rights


def require_permission(user: Any, name: str) -> None:
    if not rights_of(user).has_permission(name):
        raise PermissionDenied


def require_right(user: Any, verb: Verb, rows: Iterable[models.Event | models.Occasion]) -> None:
    rights = rights_of(user)
    if not all(rights.can(verb, row) for row in rows):
        raise PermissionDenied


def require_change(user: Any, change: Change) -> None:
    """Raise PermissionDenied unless the user may make a change."""
    if rights_of(user).find_forbidden([change]):
        raise PermissionDenied
