"""Finds the dates of a file's days that are weekdays alone, and asks for the week where several remain."""

from collections.abc import Sequence
from datetime import date, timedelta

from django.utils.translation import gettext as _

from programme.exchange.questions import Question
from programme.exchange.readers.sheet.date_cells import DateText, Settled, format_span, format_weekday
from programme.exchange.values import ImportDefaults

# The key of the question.
_WEEK = "week"
# Where nothing is known of the festival's days, so many weeks from today on are offered.
_MOST_WEEKS = 12


def settle_weekdays(texts: Sequence[DateText], stated: Sequence[date], defaults: ImportDefaults) -> Settled:
    """Return the date of each weekday that stands for one: among the festival's days, else the file's.

    Where these have a weekday more than once, or not at all, one question asks for the week.
    """
    wanted = sorted({each.cell.open for each in texts if isinstance(each.cell.open, int)})
    if not wanted:
        return Settled()
    known = defaults.days or frozenset(stated)
    found = {weekday: [day for day in known if day.weekday() == weekday] for weekday in wanted}
    if all(len(days) == 1 for days in found.values()):
        return Settled({weekday: day for weekday, [day] in found.items()}, remark=_describe(found))
    coming = [defaults.today + timedelta(weeks=n) for n in range(_MOST_WEEKS)] if defaults.today else []
    weeks = sorted({day - timedelta(day.weekday()) for day in known or coming})
    left = {monday: {each: monday + timedelta(each) for each in wanted} for monday in weeks}
    if len(left) <= 1:
        return Settled(next(iter(left.values()), {}))
    question = _ask(wanted, left, defaults)
    # Until it is answered the first one that is not past is assumed, so that rows can be reviewed.
    not_past = (each for each, days in left.items() if max(days.values()) >= (defaults.today or date.min))
    monday = date.fromisoformat(question.answer) if question.answer else next(not_past, weeks[-1])
    return Settled(left[monday], question)


def _ask(wanted: Sequence[int], weeks: dict[date, dict[int, date]], defaults: ImportDefaults) -> Question:
    named = {"days": ", ".join(map(format_weekday, wanted))}
    text = _("Days are weekdays alone (%(days)s). Which week is it?") % named
    choices = {str(monday): format_span(days.values()) for monday, days in weeks.items()}
    return Question.ask(defaults.answers, _WEEK, text, choices)


def _describe(found: dict[int, list[date]]) -> str:
    days = [day for each in found.values() for day in each]
    text = _("weekdays without a date are read as %(days)s (the festival’s days)")
    return text % {"days": format_span(days)}
