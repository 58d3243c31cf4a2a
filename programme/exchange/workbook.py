"""The sheets of a workbook: what they look like, which are read, and how their rows are named."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from feeds.names import fold
from programme.exchange.questions import Answers, Choice, Question

# The answers for a sheet, by its key.
YES, NO = "yes", "no"


def confirm(answers: Answers, key: str, text: str) -> Question:
    """Return the question whether something that was understood is right, which it is without an answer."""
    return Question.ask(answers, key, text, {YES: _("Yes"), NO: _("No: as it stands")}, default=YES)


class Looks(TextChoices):
    PROGRAMME = "programme", gettext_lazy("programme")
    NO_DATES = "no dates", gettext_lazy("has no dates")
    NO_TIMES = "no times", gettext_lazy("has no start times")
    NO_TITLES = "no titles", gettext_lazy("has no column that is known as the title")
    LAYOUT = "layout", gettext_lazy("clock times in a layout that cannot be read yet")
    PLACES = "places", gettext_lazy("list of places")
    NOTES = "notes", gettext_lazy("notes or another list")
    EMPTY = "empty", gettext_lazy("empty")


class WorkbookSheet(msgspec.Struct, frozen=True):
    """A sheet: what it looks like, how many rows below its headings are filled, and whether it is read.

    Rows are numbered through all sheets that are read: those of this one come after `offset` others.
    """

    name: str
    looks: Looks
    rows: int
    hidden: bool = False
    is_read: bool = False
    offset: int = 0

    @property
    def is_programme(self) -> bool:
        """Whether occasions seem to stand in it, readable or not."""
        return self.looks not in {Looks.PLACES, Looks.NOTES, Looks.EMPTY}

    @property
    def is_lost(self) -> bool:
        return self.is_programme and not self.is_read

    @property
    def key(self) -> str:
        return build_sheet_key(self.name)

    @property
    def details(self) -> str:
        parts = [str(self.looks.label)]
        if self.rows:
            parts.append(ngettext("%(count)d row", "%(count)d rows", self.rows) % {"count": self.rows})
        if self.hidden:
            parts.append(_("hidden in the file"))
        return ", ".join(parts)

    @property
    def description(self) -> str:
        return _("“%(sheet)s” (%(details)s)") % {"sheet": self.name, "details": self.details}


def build_sheet_key(name: str) -> str:
    """Return the key under which it is answered whether a sheet is read."""
    return f"sheet:{fold(name).replace('=', ' ')}"


def answer_for_page(listed: Iterable[str], read: Sequence[str]) -> dict[str, str]:
    """Return the answers of a page that lists sheets by their names, of which some are ticked."""
    return {build_sheet_key(name): YES if name in read else NO for name in listed}


def answer_for_sheets(sheets: Iterable[WorkbookSheet]) -> tuple[Question, ...]:
    """Return which sheets are read as questions that were answered, to remember the answers."""
    choices = (Choice(YES, ""), Choice(NO, ""))
    return tuple(Question(each.key, "", choices, YES if each.is_read else NO) for each in sheets)


def list_for_page(sheets: Iterable[WorkbookSheet]) -> list[dict[str, Any]]:
    """Return the sheets as JSON values; `is_lost` marks one that is not read and looks like a programme."""
    names = ("name", "details", "description", "is_read", "is_lost")
    return [{name: getattr(each, name) for name in names} | {"is_filled": bool(each.rows)} for each in sheets]


def locate_row(sheets: Sequence[WorkbookSheet], number: int) -> tuple[str, int]:
    """Return in which sheet a row is and its number there; '' if the file has no other sheet."""
    if sum(bool(sheet.rows) for sheet in sheets) > 1:
        for sheet in reversed(sheets):
            if sheet.is_read and number > sheet.offset:
                return sheet.name, number - sheet.offset
    return "", number


def name_row(sheets: Sequence[WorkbookSheet], number: int) -> str:
    sheet, row = locate_row(sheets, number)
    if not sheet:
        return _("row %(row)s") % {"row": row}
    return _("%(sheet)s, row %(row)s") % {"sheet": sheet, "row": row}
