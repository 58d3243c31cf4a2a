"""Settles what the dates of a sheet leave open, their year and order, and warns of what looks wrong."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from programme.exchange.questions import Answers, Question, find_unanswered
from programme.exchange.readers.sheet import date_cells
from programme.exchange.readers.sheet.years import settle_weekdays, settle_years
from programme.exchange.text.lines import truncate_names
from programme.exchange.values import ImportDefaults, Problem, ScheduledEvent
from programme.exchange.workbook import WorkbookSheet

Slashed = tuple[date_cells.DateText, date_cells.SlashedDate]
# The key of the question.
_ORDER = "date-order"


def settle_order(texts: Sequence[date_cells.DateText], defaults: ImportDefaults) -> date_cells.Settled:
    """Return the order that other dates prove, or else weekdays or the festival's days; or ask for it."""
    slashed = [(each, each.cell.open) for each in texts if isinstance(each.cell.open, date_cells.SlashedDate)]
    proven = {stated for _text, each in slashed if (stated := each.stated)}
    still_open = [(text, each) for text, each in slashed if each.is_open]
    order, question, reason = date_cells.Order.DAY, None, ""
    if still_open:
        likely = [
            (proven.pop() if len(proven) == 1 else None, _("the other dates of the file")),
            *_find_likely(still_open, defaults.days),
        ]
        found = next(((order, why) for order, why in likely if order), None)
        question = None if found else _ask(still_open[0][1], defaults.answers)
        if question and question.answer:
            found = date_cells.Order(question.answer), _("as answered")
        order, reason = found or (order, "")
    dates = {each: day for _text, each in slashed if (day := each.read(each.stated or order))}
    return date_cells.Settled(dates, question, _describe(still_open[0][1], order, reason) if reason else "")


def _find_likely(
    still_open: Sequence[Slashed], days: Collection[date]
) -> Iterator[tuple[date_cells.Order | None, str]]:
    """Yield the order that each kind of evidence speaks for, and its name."""
    named = [each for each in still_open if each[0].weekday is not None]
    yield _compare(named, lambda text, day: text.weekday == day.weekday()), _("the weekdays")
    yield _compare(still_open, lambda _text, day: day in days), _("the festival’s days")


def _compare(
    dates: Sequence[Slashed], fits: Callable[[date_cells.DateText, date], bool]
) -> date_cells.Order | None:
    """Return the order in which most of the dates fit, while in the other most do not."""
    likely = []
    for order in date_cells.Order:
        read = ((text, each.read(order)) for text, each in dates)
        if sum(bool(day and fits(text, day)) for text, day in read) * 2 > len(dates):
            likely.append(order)
    return likely[0] if len(likely) == 1 else None


def _ask(example: date_cells.SlashedDate, answers: Answers) -> Question:
    day, month = (date_cells.format_date(each) for order in date_cells.Order if (each := example.read(order)))
    text = _("“%(text)s” is %(day_first)s or %(month_first)s. Which comes first in the dates of the file?")
    named = {"text": str(example), "day_first": day, "month_first": month}
    choices = {
        date_cells.Order.DAY.value: _("The day: %(date)s") % {"date": day},
        date_cells.Order.MONTH.value: _("The month: %(date)s") % {"date": month},
    }
    return Question.ask(answers, _ORDER, text % named, choices)


def _describe(example: date_cells.SlashedDate, order: date_cells.Order, reason: str) -> str:
    day = example.read(order)
    named = {"text": str(example), "day": date_cells.format_date(day) if day else "", "reason": reason}
    return _("dates like “%(text)s” are read as %(day)s (%(reason)s)") % named


# Fields that hold a date; those of the start may have their weekday in a column of its own.
DATED = ("day", "festival_day", "start", "end_day", "end")
_OF_START = ("day", "festival_day", "start")
WEEKDAY = "weekday"


class SheetDates(msgspec.Struct, frozen=True):
    """How the dates of a file are read."""

    settled: Sequence[date_cells.Settled] = ()
    sheets: Sequence[WorkbookSheet] = ()

    @property
    def remarks(self) -> list[str]:
        return [each.remark for each in self.settled if each.remark]

    @property
    def questions(self) -> list[Question]:
        return [each.question for each in self.settled if each.question]

    def name_rows(self, numbers: Iterable[int]) -> str:
        return date_cells.format_rows(numbers, self.sheets)

    def complete(self, text: str) -> str:
        """Return a text with its dates written as 2026-09-12; what remains open stays as it is."""
        cell = date_cells.parse_cell(text) if text else None
        day = self.find(cell) if cell else None
        return f"{day} {cell.rest}".strip() if cell and day else text

    def find(self, cell: date_cells.DateCell) -> date | None:
        found = (each.dates[cell.open] for each in self.settled if cell.open in each.dates)
        return cell.whole or next(found, None)


def list_date_texts(rows: Iterable[tuple[int, Mapping[str, str]]]) -> list[date_cells.DateText]:
    """Return the cells with dates of rows, each of which has a number and texts by fields."""
    found = []
    for number, texts in rows:
        beside = date_cells.read_weekday(texts.get(WEEKDAY, ""))
        for field in DATED:
            if (text := texts.get(field)) and (cell := date_cells.parse_cell(text)):
                weekday = beside if cell.weekday is None and field in _OF_START else cell.weekday
                found.append(date_cells.DateText(number, field, text, cell, weekday))
    return found


def settle_dates(
    texts: list[date_cells.DateText], defaults: ImportDefaults, sheets: Sequence[WorkbookSheet] = ()
) -> SheetDates:
    order = settle_order(texts, defaults)
    stated = [day for each in texts if (day := SheetDates([order]).find(each.cell))]
    years = settle_years(texts, stated, defaults)
    weekdays = settle_weekdays(texts, [*stated, *years.dates.values()], defaults)
    return SheetDates([years, weekdays, order], sheets)


# Between two programmes lies so long a pause; what is apart from the rest is a quarter at most.
_PAUSE = timedelta(days=90)
_PART = 4
_LONGEST_TITLES = 120
# What is most of a file is seldom planned so long before.
_AHEAD = timedelta(days=400)


def warn_of_dates(
    texts: Sequence[date_cells.DateText],
    dates: SheetDates,
    events: Iterable[ScheduledEvent],
    defaults: ImportDefaults,
    *,
    is_own_export: bool,
) -> Iterator[str]:
    """Yield the warnings about a file's dates; none while questions about them are open.

    What this service has exported says when it is: of its own sheets, rows that were added are checked.
    """
    if not find_unanswered(dates.questions):
        occasions = [each for event in events for each in event.occasions]
        added = [each for each in occasions if not each.guid] if is_own_export else occasions
        yield from _warn_of_weekdays(texts, dates)
        for why, found in find_doubts(
            added, [defaults.time.day_of(each.start) for each in occasions], defaults
        ):
            rows = dates.name_rows(each.row for each in found)
            yield _("dates %(why)s: %(rows)s") % {"why": why, "rows": rows}


def _warn_of_weekdays(texts: Iterable[date_cells.DateText], dates: SheetDates) -> Iterator[str]:
    """Yield a warning if weekdays do not fit their dates, with the first one as an example."""
    stated = ((each, dates.find(each.cell)) for each in texts if each.weekday is not None)
    wrong = [(each, day) for each, day in stated if day and day.weekday() != each.weekday]
    if wrong:
        first, day = wrong[0]
        rows = dates.name_rows(each.row for each, _day in wrong)
        beside = "" if first.cell.weekday is not None else f"{date_cells.format_weekday(first.weekday or 0)} "
        named = {"text": f"{beside}{first.text}", "day": date_cells.format_full_date(day), "rows": rows}
        yield _("the weekday does not fit the date (“%(text)s” is %(day)s): %(rows)s") % named


def warn_of_schedule(events: Iterable[ScheduledEvent], defaults: ImportDefaults) -> Iterator[Problem]:
    """Yield the same warnings about a file that is no sheet, with titles in the place of rows."""
    titles = {id(each): event.title for event in events for each in event.occasions}
    occasions = [each for event in events for each in event.occasions]
    days = [defaults.time.day_of(each.start) for each in occasions]
    for why, found in find_doubts(occasions, days, defaults):
        names = truncate_names([*dict.fromkeys(titles[id(each)] for each in found)], _LONGEST_TITLES)
        text = _("dates %(why)s: %(rows)s") % {"why": why, "rows": names}
        yield Problem(_("the file"), text, whole=True, warns=True)


def find_doubts(
    occasions: Sequence[Any], rest: Sequence[date], defaults: ImportDefaults
) -> Iterator[tuple[str, list[Any]]]:
    """Yield each reason for which days look wrong, with the occasions; `rest` are the days of all."""
    time, days, today = defaults.time, defaults.days, defaults.today
    if days and (outside := [each for each in occasions if not time.is_on(each, days)]):
        yield _("outside the festival’s days (%(days)s)") % {"days": date_cells.format_span(days)}, outside
    if today:
        # During a festival, its first days are past: they are right.
        ours = days if any(day >= today for day in days) else ()
        begins = time.day_begins(today)
        if past := [each for each in occasions if each.end <= begins and not time.is_on(each, ours)]:
            yield _("in the past"), past
        ahead = [each for each in occasions if each.start - begins > _AHEAD and not time.is_on(each, ours)]
        if len(ahead) * 2 > len(rest):
            yield _("more than a year ahead"), ahead
    other = _find_other_years(rest)
    if found := [each for each in occasions if time.day_of(each.start) in other]:
        years = date_cells.list_years([time.day_of(each.start) for each in found])
        yield _("in %(years)s, another year than the rest") % {"years": years}, found


def _find_other_years(days: Sequence[date]) -> set[date]:
    """Return the days in another year than most, unless the season goes on over New Year."""
    if not days:
        return set()
    [(year, _count)] = Counter(day.year for day in days).most_common(1)
    most = sorted(day for day in days if day.year == year)
    others = [day for day in days if day.year != year and not most[0] - _PAUSE <= day <= most[-1] + _PAUSE]
    return set(others) if len(others) * _PART <= len(days) else set()
