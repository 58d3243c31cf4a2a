"""Finds whether day or month comes first in dates like 9/12/2026, and asks where nothing tells."""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _

from programme.exchange.questions import Answers, Question
from programme.exchange.readers.sheet.date_cells import DateText, Order, SlashedDate
from programme.exchange.readers.sheet.date_words import format_date, format_rows
from programme.exchange.values import ImportDefaults
from programme.exchange.workbook import WorkbookSheet

OpenDate = tuple[DateText, SlashedDate]
# The key of the question.
_ORDER = "date-order"
# How far from the other dates of the file a date may be that they vouch for.
_NEAR = timedelta(days=7)


class DateOrder(NamedTuple):
    """The order of a file's dates; None if some of them prove each."""

    order: Order | None = Order.DAY
    question: Question | None = None
    # What the report says of it.
    remark: str = ""

    def read(self, slashed: SlashedDate) -> date | None:
        """Return a date, whatever the order of the others if it can only be one."""
        order = slashed.stated or self.order
        if order:
            return slashed.read(order)
        return None if slashed.is_open else slashed.read(Order.DAY)


def settle_order(
    texts: Sequence[DateText], defaults: ImportDefaults, sheets: Sequence[WorkbookSheet]
) -> DateOrder:
    """Return the order that some dates prove; else the one that weekdays and other dates speak for."""
    slashed = [(each, each.cell.slashed) for each in texts if each.cell.slashed]
    proven = {stated for _text, each in slashed if (stated := each.stated)}
    still_open = [(text, each) for text, each in slashed if each.is_open]
    if len(proven) == len(Order):
        return DateOrder(None, remark=_describe_both(texts, sheets))
    if not still_open:
        return DateOrder(next(iter(proven), Order.DAY))
    example = still_open[0][1]
    for order, reason in (
        (next(iter(proven), None), _("the other dates of the file")),
        *_find_likely(still_open, texts, defaults.days),
    ):
        if order:
            return DateOrder(order, remark=_describe(example, order, reason))
    question = _ask(example, defaults.answers)
    if not question.answer:
        return DateOrder(Order.DAY, question)
    order = Order(question.answer)
    return DateOrder(order, question, _describe(example, order, _("as answered")))


def _find_likely(
    still_open: Sequence[OpenDate], texts: Sequence[DateText], days: Collection[date]
) -> Iterator[tuple[Order | None, str]]:
    """Yield the order that each kind of evidence speaks for, and its name."""
    named = [each for each in still_open if each[0].weekday is not None]
    yield _compare(named, lambda text, day: text.weekday == day.weekday()), _("the weekdays")
    yield _compare(still_open, lambda _text, day: day in days), _("the festival’s days")
    whole = [each.cell.whole for each in texts if each.cell.whole]
    first, last = (min(whole) - _NEAR, max(whole) + _NEAR) if whole else (date.max, date.min)
    yield _compare(still_open, lambda _text, day: first <= day <= last), _("the other dates of the file")


def _compare(dates: Sequence[OpenDate], fits: Callable[[DateText, date], bool]) -> Order | None:
    """Return the order in which most of the dates fit, while in the other most do not."""
    likely = []
    for order in Order:
        read = ((text, each.read(order)) for text, each in dates)
        if sum(bool(day and fits(text, day)) for text, day in read) * 2 > len(dates):
            likely.append(order)
    return likely[0] if len(likely) == 1 else None


def _ask(example: SlashedDate, answers: Answers) -> Question:
    read = {order: format_date(day) for order in Order if (day := example.read(order))}
    text = _("“%(text)s” is %(day_first)s or %(month_first)s. Which comes first in the dates of the file?")
    named = {"text": str(example), "day_first": read[Order.DAY], "month_first": read[Order.MONTH]}
    choices = {
        Order.DAY.value: _("The day: %(date)s") % {"date": read[Order.DAY]},
        Order.MONTH.value: _("The month: %(date)s") % {"date": read[Order.MONTH]},
    }
    return Question.ask(answers, _ORDER, text % named, choices)


def _describe(example: SlashedDate, order: Order, reason: str) -> str:
    day = example.read(order)
    named = {"text": str(example), "day": format_date(day) if day else "", "reason": reason}
    return _("dates like “%(text)s” are read as %(day)s (%(reason)s)") % named


def _describe_both(texts: Sequence[DateText], sheets: Sequence[WorkbookSheet]) -> str:
    found = [(each.row, each.cell.slashed.stated) for each in texts if each.cell.slashed]
    rows = {order: format_rows([row for row, stated in found if stated is order], sheets) for order in Order}
    text = _("some dates have the day first (%(day_first)s) and some the month (%(month_first)s)")
    return text % {"day_first": rows[Order.DAY], "month_first": rows[Order.MONTH]}
