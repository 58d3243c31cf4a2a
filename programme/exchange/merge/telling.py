"""What readers are told of an import: by one question for all, with the number of occasions."""

from collections import defaultdict

from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.marks import MARKING
from feeds.vocabulary import Text
from programme.exchange.merge.context import ImportContext
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.questions import Question
from programme.exchange.workbook import NO, YES
from programme.models import News
from programme.models.telling import Telling, ask_whether_told, read_state

# The question's key.
TELL = "tell"


def settle_telling(context: ImportContext, planned: PlannedImport) -> None:
    """Ask whether readers are told of what is changed for them, and what the file has to tell of it.

    In a sheet that this service has exported, a note that was told is nothing new.
    """
    options, is_own = context.options, context.contents.is_own_export
    if options.instant is None:
        return
    told = {*planned.plan.find_told(options.instant)}
    stated = {
        row.pk: (row, each.told)
        for _event, each, row in planned.list_occasions(context.contents)
        if each.told and not planned.is_new(row) and not planned.find_refusal(row)
        if context.options.rights.can("change", row)
    }
    # The notes that they were told before.
    known, notes = defaultdict[int, list[Text]](list), {}
    found = News.objects.filter(occasion_id__in=stated, kind__in=MARKING)
    for key, *words in found.values_list("occasion_id", "note_sv", "note_en") if stated else ():
        known[key].append(Text(*words))
    for key, (row, note) in stated.items():
        state = read_state(row, row.event)
        # A file may have it in one language.
        is_known = any(note.sv in {"", each.sv} and note.en in {"", each.en} for each in known[key])
        if (not is_known or (key in told and not is_own)) and state and state.end > options.instant:
            notes[key] = note
    told |= notes.keys()
    if not told:
        return
    choices = {YES: _("Yes"), NO: _("No")}
    question = Question.ask(options.answers, TELL, ask_whether_told(len(told)), choices, YES)
    planned.questions.append(replace(question, each_time=True))
    tells = question.answer == YES
    planned.plan.telling = Telling(tells, notes=notes, forgets=not tells)
