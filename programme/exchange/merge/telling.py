"""What readers are told of an import: by one question for all, with the number of occasions."""

from collections import defaultdict
from collections.abc import Collection

from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.marks import MARKING
from feeds.vocabulary import Text
from programme.exchange.merge.plan import ImportPlan
from programme.exchange.questions import Question
from programme.exchange.values import ImportOptions
from programme.exchange.workbook import NO, YES
from programme.models import News
from programme.models.telling import ask_whether_told, find_told, read_state

# The question's key.
TELL = "tell"


def settle_telling(plan: ImportPlan, options: ImportOptions, *, is_own: bool) -> None:
    """Ask whether readers are told of what is changed for them, and what the file has to tell of it.

    In `is_own`, a sheet that this service has exported, a note that was told is nothing new.
    """
    stated, plan.told = plan.told, {}
    if options.instant is None:
        return
    occasions, events = ([each.row for each in rows.changed] for rows in (plan.occasions, plan.events))
    told = find_told(occasions, events, options.instant)
    rows, known = {row.pk: row for row in plan.occasion_rows.values()}, _read_notes(stated)
    for key, note in stated.items():
        state = read_state(rows[key], rows[key].event)
        # A file may have it in one language.
        is_known = any(note.sv in {"", each.sv} and note.en in {"", each.en} for each in known[key])
        if (not is_known or (key in told and not is_own)) and state and state.end > options.instant:
            plan.told[key] = note
    told |= plan.told.keys()
    if not told:
        return
    choices = {YES: _("Yes"), NO: _("No")}
    question = Question.ask(options.answers, TELL, ask_whether_told(len(told)), choices, YES)
    plan.questions.append(replace(question, each_time=True))
    plan.tells = question.answer == YES


def _read_notes(keys: Collection[int]) -> dict[int, list[Text]]:
    """Return the notes that readers were told of occasions, by ID."""
    found: dict[int, list[Text]] = defaultdict(list)
    rows = News.objects.filter(occasion_id__in=keys, kind__in=MARKING) if keys else News.objects.none()
    for key, *note in rows.values_list("occasion_id", "note_sv", "note_en"):
        found[key].append(Text(*note))
    return found
