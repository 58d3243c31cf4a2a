"""Finds the dates of a file's days that are weekdays alone, and asks for the week where several remain."""

from collections.abc import Iterable, Sequence
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
    weeks = sorted(set(map(_find_monday, known))) or _list_coming(defaults.today)
    left = {monday: _date(monday, wanted) for monday in weeks}
    if len(left) == 1:
        return Settled(left[weeks[0]])
    if not left:
        return Settled()
    question = _ask(wanted, left, defaults)
    # Until it is answered the first one that is not past is assumed, so that rows can be reviewed.
    coming = (monday for monday, days in left.items() if max(days.values()) >= (defaults.today or date.min))
    monday = date.fromisoformat(question.answer) if question.answer else next(coming, weeks[-1])
    return Settled(left[monday], question)


def _date(monday: date, weekdays: Iterable[int]) -> dict[int, date]:
    return {weekday: monday + timedelta(weekday) for weekday in weekdays}


def _find_monday(day: date) -> date:
    return day - timedelta(day.weekday())


def _list_coming(today: date | None) -> list[date]:
    first = _find_monday(today) if today else date.min
    return [first + timedelta(weeks=number) for number in range(_MOST_WEEKS if today else 0)]


def _ask(wanted: Sequence[int], weeks: dict[date, dict[int, date]], defaults: ImportDefaults) -> Question:
    named = {"days": ", ".join(map(format_weekday, wanted))}
    text = _("Days are weekdays alone (%(days)s). Which week is it?") % named
    choices = {str(monday): format_span(days.values()) for monday, days in weeks.items()}
    return Question.ask(defaults.answers, _WEEK, text, choices)


def _describe(found: dict[int, list[date]]) -> str:
    days = [day for each in found.values() for day in each]
    text = _("weekdays without a date are read as %(days)s (the festival’s days)")
    return text % {"days": format_span(days)}
