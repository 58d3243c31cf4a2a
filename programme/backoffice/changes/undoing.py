"""Undoing what is planned, with what imports remember of it, as an edit of the history."""

from django.db import transaction

from programme.exchange.merge.history import update_memory
from programme.history import edits
from programme.history.undo import UndoPlan, apply_undo, name_undo


def carry_out(plan: UndoPlan) -> None:
    """Undo what is planned, all or nothing; raises `IntegrityError` if the database refuses it."""
    with transaction.atomic():
        edits.set_reason(*name_undo(plan.edit))
        update_memory(plan)
        apply_undo(plan)
