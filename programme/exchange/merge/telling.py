"""What readers are told of an import: by one question for all, with the number of occasions."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from programme.exchange.merge.plan import Plan, PlannedRows
from programme.exchange.merge.three_way import PlannedChange
from programme.exchange.questions import Question
from programme.exchange.values import ImportOptions
from programme.exchange.workbook import NO, YES
from programme.models import Event, Occasion
from programme.models.telling import find_told

# The question's key.
TELL = "tell"


def settle_telling(plan: Plan, options: ImportOptions) -> None:
    """Ask whether readers are told of what is changed for them, and mark it unless that is denied."""
    if options.instant is None:
        return
    occasions, events = ([each.row for each in rows.written] for rows in (plan.occasions, plan.events))
    told = find_told(occasions, events, options.instant)
    if not told.number:
        return
    text = ngettext(
        "%(count)d published occasion changes for readers. Are they told?",
        "%(count)d published occasions change for readers. Are they told?",
        told.number,
    ) % {"count": told.number}
    choices = {YES: _("Yes: it is marked as changed"), NO: _("No: it changes without a word")}
    question = replace(Question.ask(options.answers, TELL, text, choices, YES), each_time=True)
    plan.questions.append(question)
    if question.answer == YES:
        _mark(plan.occasions, Occasion, told.occasions, options)
        _mark(plan.events, Event, told.events, options)


def _mark(planned: PlannedRows, model: Any, keys: frozenset[int], options: ImportOptions) -> None:
    rows = {each.row.pk: each.row for each in planned.written}
    # An occasion may change with its event alone.
    rows |= model.objects.in_bulk(keys - rows.keys())
    for key in sorted(keys):
        rows[key].changed_at = options.instant
        planned.written.append(PlannedChange(rows[key], {}, frozenset({"changed_at"})))
