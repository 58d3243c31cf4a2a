"""Undoing for users: who may edit each row, and do with each what undoing does; and doing it."""

from typing import Any

from django.db import transaction

from programme.backoffice.rights import EventState, Rights, rights_of
from programme.exchange.merge.history import update_memory
from programme.history import edits
from programme.history.merging import follow_undo, undoes_merge
from programme.history.row_undo import RowUndo
from programme.history.timeline import CREATED
from programme.history.undo import RowsPlan, UndoPlan, apply_undo, name_undo
from programme.history.versions import DELETED
from programme.models import Event, Occasion


def find_refused(user: Any, plan: RowsPlan) -> list[RowUndo]:
    """Return the rows that are not the user's to undo; one query for events beside the plan."""
    judge = _Judge(rights_of(user), plan)
    return [row for row in plan.rows if not judge.permits(row)]


class _Judge:
    def __init__(self, rights: Rights, plan: RowsPlan) -> None:
        self.rights = rights
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
        verb = "add" if row.kind == CREATED else "change"
        return self.rights.has_permission(f"{verb}_{row.model._meta.model_name}")

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


def carry_out(plan: UndoPlan) -> None:
    """Undo what is planned, all or nothing; raises `IntegrityError` if the database refuses it."""
    with transaction.atomic():
        edits.set_reason(*name_undo(plan.edit))
        update_memory(plan)
        apply_undo(plan)
        if undoes_merge(plan.edit):
            follow_undo(plan.written)
