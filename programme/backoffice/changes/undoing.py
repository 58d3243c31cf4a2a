"""Undoing for users: who may edit each row, and do with each what undoing does; and doing it."""

from collections.abc import Collection
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest

from programme.backoffice.rights import EventState, rights_of
from programme.exchange.merge.history import update_memory
from programme.history import edits
from programme.history.merging import follow_undo, undoes_merge
from programme.history.row_undo import RowUndo
from programme.history.timeline import CREATED
from programme.history.undo import RowsPlan, UndoPlan, apply_undo, name_undo, sketch_undos
from programme.history.versions import DELETED
from programme.models import Event, Occasion, Status

_VERBS = {CREATED: "add", DELETED: "delete"}


def find_refused(request: HttpRequest, plan: RowsPlan) -> list[RowUndo]:
    """Return the rows that are not the user's to undo; one query for events beside the plan."""
    judge = _Judge(request, plan)
    return [row for row in plan.rows if not judge.permits(row)]


def find_offered(request: HttpRequest, edits: Collection[int]) -> set[int]:
    """Return the edits that the user is offered to undo: what was edited since is seen on the next page."""
    if rights_of(request.user).is_unlimited:
        return {*edits}
    undos = sketch_undos(edits)
    return {edit for edit in edits if not find_refused(request, RowsPlan(undos[edit]))}


class _Judge:
    def __init__(self, request: HttpRequest, plan: RowsPlan) -> None:
        self.request, self.rights = request, rights_of(request.user)
        events = {row.key: row for row in plan.rows if row.model is Event}
        self.before = {key: _state(row.now) for key, row in events.items()}
        self.after = {key: _state(row.final) for key, row in events.items()}
        owners = {
            state["event_id"]
            for row in plan.rows
            if row.model is Occasion
            for state in (row.now, row.final)
            if state
        }
        others: Any = Event.objects.filter(pk__in=owners - events.keys()).values("pk", "area_id", "status")
        for each in others:
            self.before[each["pk"]] = self.after[each["pk"]] = _state(each)

    def permits(self, row: RowUndo) -> bool:
        if row.now is None and not row.kind:
            return True
        if row.model is Event:
            return not self.rights.find_refusals(self.before[row.key], self.after[row.key])
        if row.model is Occasion:
            return self._permits_occasion(row)
        return self._permits_other(row)

    def _permits_other(self, row: RowUndo) -> bool:
        """Return whether the form of such a row lets the user do it; that of a list asks who publishes it."""
        was, will = ((state or {}).get("published", False) for state in (row.now, row.final))
        if was != will and not self.rights.can_publish:
            return False
        verb = _VERBS.get(row.kind, "change")
        if not admin.site.is_registered(row.model):
            return self.rights.has_permission(f"{verb}_{row.model._meta.model_name}")
        may = getattr(admin.site.get_model_admin(row.model), f"has_{verb}_permission")
        return bool(may(self.request, *([row.model(**row.now)] if row.now else [])))

    def _permits_occasion(self, row: RowUndo) -> bool:
        before = self.before.get(row.now["event_id"]) if row.now else None
        after = self.after.get(row.final["event_id"]) if row.final else None
        if row.kind == DELETED:
            return before is not None and self.rights.can_in_state("delete", Occasion, before)
        if row.now and row.final and row.now["event_id"] == row.final["event_id"]:
            return before is not None and self.rights.can_in_state("change", Occasion, before)
        leaves = row.now is None or (
            before is not None and self.rights.can_in_state("delete", Occasion, before)
        )
        return leaves and after is not None and self.rights.can_in_state("add", Occasion, after)


def _state(values: dict[str, Any] | None) -> EventState | None:
    return EventState(values["area_id"], values["status"]) if values else None


def publishes(row: RowUndo) -> bool:
    """Return whether undoing shows readers an event that they do not see."""
    states = [state and state["status"] for state in (row.now, row.final)] if row.model is Event else []
    return states[1:] == [Status.PUBLISHED] != states[:1]


def carry_out(plan: UndoPlan) -> None:
    """Undo what is planned, all or nothing; raises `IntegrityError` if the database refuses it."""
    with transaction.atomic():
        edits.set_reason(*name_undo(plan.edit))
        update_memory(plan)
        apply_undo(plan)
        if undoes_merge(plan.edit):
            follow_undo(plan.written)
