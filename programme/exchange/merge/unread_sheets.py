"""Asks before what is missing is withdrawn while a sheet that looks like a programme is not read."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from programme.exchange.merge.context import ImportContext
from programme.exchange.questions import Question
from programme.exchange.workbook import NO, YES, list_unread


def ask_about_unread_sheets(context: ImportContext) -> list[Question]:
    """Return the question, which nothing answers by itself; it is asked again with each file."""
    unread = [sheet for sheet in list_unread(context.contents.sheets) if sheet.is_programme]
    if not (unread and context.options.withdraw_missing):
        return []
    text = ngettext(
        "%(sheets)s is not read. Is what was imported from it earlier to be withdrawn?",
        "%(sheets)s are not read. Is what was imported from them earlier to be withdrawn?",
        len(unread),
    )
    choices = {
        NO: _("No: withdraw and delete nothing"),
        YES: _("Yes: withdraw and delete all that is not in the sheets that are read"),
    }
    key = f"unread:{'|'.join(sheet.key.partition(':')[2] for sheet in unread)}"
    named = ", ".join(sheet.description for sheet in unread)
    question = Question.ask(context.options.answers, key, text % {"sheets": named}, choices)
    return [replace(question, each_time=True)]
