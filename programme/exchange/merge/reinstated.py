"""Notes of what an import reinstates: they said why it was cancelled, and go unless somebody keeps them."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from feeds.names import fold
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.plan import Plan
from programme.exchange.questions import Answers, Question
from programme.models import Event, Occasion

_REMOVE, _KEEP = "remove", "keep"


def settle_note(
    context: ImportContext, plan: Plan, row: Event | Occasion, stated: dict[str, Any], written: dict[str, Any]
) -> dict[str, Any]:
    """Return the note that a row gets because these values reinstate it; nothing where the file decides.

    What another service answers says itself which notes stand.
    """
    note = row.change_info
    reinstated = row.cancelled and written.get("cancelled") is False
    if not (note and reinstated) or context.contents.properties or stated.get("change_info", note) != note:
        return {}
    plan.reinstated_notes.setdefault(_build_key(note), note)
    return {} if context.options.answers.get(_build_key(note)) == _KEEP else {"change_info": ""}


def ask_about_notes(notes: Iterable[str], answers: Answers) -> list[Question]:
    text = _("The note “%(note)s” is on something that takes place after all. Does it stay?")
    choices = {_REMOVE: _("No: remove it"), _KEEP: _("Yes: it is still true")}
    return [
        Question.ask(answers, _build_key(note), text % {"note": note}, choices, _REMOVE) for note in notes
    ]


def _build_key(note: str) -> str:
    return f"note:{fold(note)}".replace("=", "-")
