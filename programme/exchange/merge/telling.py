"""What readers are told of an import: by one question for all, with the number of occasions."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from programme.exchange.merge.plan import Plan
from programme.exchange.questions import Question
from programme.exchange.values import ImportOptions
from programme.exchange.workbook import NO, YES
from programme.models.telling import find_told

# The question's key.
TELL = "tell"


def settle_telling(plan: Plan, options: ImportOptions) -> None:
    """Ask whether readers are told of what is changed for them, unless that is denied."""
    if options.instant is None:
        return
    occasions, events = ([each.row for each in rows.changed] for rows in (plan.occasions, plan.events))
    told = find_told(occasions, events, options.instant)
    if not told:
        return
    text = ngettext(
        "%(count)d published occasion changes for readers. Are they told?",
        "%(count)d published occasions change for readers. Are they told?",
        len(told),
    ) % {"count": len(told)}
    choices = {YES: _("Yes: it is marked as changed"), NO: _("No: it changes without a word")}
    question = replace(Question.ask(options.answers, TELL, text, choices, YES), each_time=True)
    plan.questions.append(question)
    plan.tells = question.answer == YES
