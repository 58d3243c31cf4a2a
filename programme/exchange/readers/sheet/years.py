"""Derives the year of a file's dates that have none, and asks where two remain."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from statistics import median_low
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.exchange.questions import Answers, Question
from programme.exchange.readers.sheet.date_cells import (
    DateText,
    MonthDay,
    build_date,
    format_span,
    list_years,
)
from programme.exchange.text.lines import truncate_names
from programme.exchange.values import ImportDefaults

# The dates of a programme, by month and day.
Reading = dict[MonthDay, date]

# Years around today's in which a programme is looked for.
_YEARS_BEFORE, _YEARS_AFTER = 1, 3
# A season begins after a pause of so many days, and so many times longer than any other.
_PAUSE, _TIMES = timedelta(days=60), 2
# So long after its last date a programme is still worked on.
_RECENT = timedelta(days=60)
_LEAP_YEAR, _LEAP_YEAR_LENGTH = 2000, timedelta(days=366)
_NEW_YEAR = (1, 1)


def begins(reading: Reading) -> date:
    return min(reading.values())


def ends(reading: Reading) -> date:
    return max(reading.values())


def list_readings(dates: Collection[MonthDay], others: Iterable[date], today: date | None) -> list[Reading]:
    """Return the readings of dates in the years around today and of other dates, likelier ones first."""
    years = {year for each in others for year in (each.year - 1, each.year)}
    if today:
        years |= set(range(today.year - _YEARS_BEFORE - 1, today.year + _YEARS_AFTER + 1))
    found: dict[tuple[date, ...], Reading] = {}
    for first in _list_beginnings(dates, today):
        for year in sorted(years):
            reading = _read(dates, first, year)
            if reading:
                found.setdefault(tuple(reading.values()), reading)
    return list(found.values())


def list_nearest(dates: Collection[MonthDay], today: date) -> list[Reading]:
    """Return the reading that is not past: the next season, or the next of each date.

    There are two of a season that has passed for the most part, or has just ended.
    """
    first = _find_season(dates)
    if first is None:
        return list(filter(None, [_read(dates, (today.month, today.day), today.year)]))
    seasons = [season for number in range(-2, 3) if (season := _read(dates, first, today.year + number))]
    past = [season for season in seasons if ends(season) < today]
    coming = seasons[len(past) :]
    if any(begins(season) < today for season in coming[:1]):
        passed = sum(day < today for day in coming[0].values())
        return coming[: 2 if passed * 2 > len(coming[0]) else 1]
    just_ended = [season for season in past if today - ends(season) <= _RECENT]
    return [*just_ended, *coming[:1]]


def _list_beginnings(dates: Collection[MonthDay], today: date | None) -> Iterator[MonthDay]:
    if first := _find_season(dates):
        yield first
    if today:
        yield today.month, today.day
    yield _NEW_YEAR


def _find_season(dates: Collection[MonthDay]) -> MonthDay | None:
    """Return the date that follows on the longest pause of a year; None if no pause stands out."""
    days = sorted(day for each in dates if (day := build_date(_LEAP_YEAR, *each)))
    before = [days[-1] - _LEAP_YEAR_LENGTH, *days]
    pauses = sorted(((day - last, day) for last, day in zip(before, days, strict=False)), reverse=True)
    longest, first = pauses[0]
    others = [pause for pause, _day in pauses[1:2]]
    if longest < _PAUSE or any(longest < pause * _TIMES for pause in others):
        return None
    return first.month, first.day


def _read(dates: Iterable[MonthDay], first: MonthDay, year: int) -> Reading:
    read = {each: build_date(year + (each < first), *each) for each in sorted(dates)}
    return {each: day for each, day in read.items() if day}


# The key of the question begins with it, and the years follow: an answer holds while these are in doubt.
_YEAR = "year"
_LEAP_DAY = (2, 29)
_MOST_CHOICES = 3
_LONGEST_EXAMPLES = 60


class Years(NamedTuple):
    """The dates with their years, the question about them, and what the report says of them."""

    dates: Reading = {}
    question: Question | None = None
    remark: str = ""


class Evidence(NamedTuple):
    """What speaks for some readings, for the first one most if they are `ranked`.

    What is weak does not decide against anything else, nor against the first reading that is not past.
    """

    name: str
    readings: list[Reading]
    is_weak: bool = False
    ranked: bool = False


def settle_years(texts: Sequence[DateText], stated: Sequence[date], defaults: ImportDefaults) -> Years:
    """Return each date without a year with the year that the evidence agrees on, or that was answered.

    `stated` are the other dates of the file.
    """
    today = defaults.today
    wanted = [each for each in texts if each.cell.month_day]
    dates = {each.cell.month_day for each in wanted if each.cell.month_day}
    readings = list_readings(dates, [*stated, *defaults.days], today) if dates else []
    if not readings:
        return Years()
    nearest = list_nearest(dates, today) if today else []
    evidence = [each for each in _list_evidence(wanted, readings, stated, defaults) if each.readings]
    remaining = _list_remaining(evidence, nearest)
    if not remaining:
        return Years()
    coming = [each for each in nearest if not _is_past(each, today)]
    reasons = [*evidence, Evidence(_("the first that is not past"), coming)]
    if len(remaining) == 1:
        return Years(remaining[0], remark=_describe(wanted, remaining[0], reasons))
    question = _ask(wanted, remaining, reasons, defaults.answers)
    for reading in remaining:
        if _name(reading) == question.answer:
            remark = _describe(wanted, reading, [Evidence(_("as answered"), [reading])])
            return Years(reading, question, remark)
    return Years(next((each for each in remaining if not _is_past(each, today)), remaining[-1]), question)


def _list_evidence(
    wanted: Sequence[DateText], readings: list[Reading], stated: Sequence[date], defaults: ImportDefaults
) -> Iterator[Evidence]:
    named = [each for each in wanted if each.weekday is not None or each.cell.month_day == _LEAP_DAY]
    few = len(named) * 2 < len(wanted)
    yield Evidence(_("the weekdays"), _find_by_weekdays(named, readings, defaults.today), few, ranked=True)
    if stated:
        middle = median_low(stated)
        found = _find_best(readings, lambda each: -abs(median_low(each.values()) - middle))
        yield Evidence(_("the other dates of the file"), found, len(stated) * 2 < len(wanted))

    def count(reading: Reading) -> int:
        return sum(_date_of(each, reading) in defaults.days for each in wanted)

    found = [each for each in _find_best(readings, count) if count(each)]
    yield Evidence(_("the festival’s days"), found, all(_is_past(each, defaults.today) for each in found))


def _find_by_weekdays(
    named: Sequence[DateText], readings: list[Reading], today: date | None
) -> list[Reading]:
    """Return the readings in which most weekdays fit; of years with the same ones those nearest to today."""

    def count(reading: Reading) -> int:
        days = ((each, _date_of(each, reading)) for each in named)
        return sum(day is not None and each.weekday in (None, day.weekday()) for each, day in days)

    found = [each for each in _find_best(readings, count) if count(each) * 2 > len(named)]
    return sorted(found, key=lambda each: (_is_past(each, today), begins(each)))


def _find_best(readings: list[Reading], score: Callable[[Reading], Any]) -> list[Reading]:
    """Return the readings with the highest score, for each year the likeliest."""
    scores = [score(each) for each in readings]
    highest = max(scores)
    best = [each for each, found in zip(readings, scores, strict=True) if found == highest]
    return list({_name(each): each for each in reversed(best)}.values())[::-1]


def _list_remaining(evidence: list[Evidence], nearest: list[Reading]) -> list[Reading]:
    """Return the readings that the evidence agrees on, or else all that any is for, by their dates."""
    strong = [each for each in evidence if not each.is_weak]
    weak = [each for each in evidence if each.is_weak]
    found = _agree(strong)
    for each in weak if strong else ():
        found = _agree([Evidence("", found), each]) or found
    if not strong:
        either = _agree(weak) or _list_first(weak)
        found = [each for each in either if each in nearest] or [*either, *nearest]
    elif not found:
        found = _list_first(strong)
    elif evidence[0].ranked:
        found = found[:1]
    named = {_name(each): each for each in reversed(found)}
    return sorted(named.values(), key=begins)[:_MOST_CHOICES]


def _agree(evidence: list[Evidence]) -> list[Reading]:
    first = evidence[0].readings if evidence else []
    return [each for each in first if all(each in other.readings for other in evidence)]


def _list_first(evidence: list[Evidence]) -> list[Reading]:
    return [each for other in evidence for each in other.readings[: 1 if other.ranked else None]]


def _is_past(reading: Reading, today: date | None) -> bool:
    return today is not None and ends(reading) < today


def _name(reading: Reading) -> str:
    return str(begins(reading).year)


def _date_of(text: DateText, reading: Reading) -> date | None:
    return reading.get(text.cell.month_day) if text.cell.month_day else None


# --- Words


def _ask(
    wanted: Sequence[DateText], remaining: list[Reading], reasons: list[Evidence], answers: Answers
) -> Question:
    years = [list_years(each.values()) for each in remaining]
    examples = truncate_names(list(dict.fromkeys(each.text for each in wanted)), _LONGEST_EXAMPLES)
    text = _("Dates have no year (%(examples)s): %(years)s?")
    choices = {
        _name(each): f"{year}: {format_span(each.values())}{_join_reasons(each, reasons)}"
        for year, each in zip(years, remaining, strict=True)
    }
    key = f"{_YEAR}:{'-'.join(choices)}"
    return Question.ask(answers, key, text % {"examples": examples, "years": _(" or ").join(years)}, choices)


def _join_reasons(reading: Reading, reasons: list[Evidence]) -> str:
    names = [each.name for each in reasons if reading in each.readings]
    return f" ({', '.join(names)})" if names else ""


def _describe(wanted: Sequence[DateText], reading: Reading, reasons: list[Evidence]) -> str:
    text = ngettext(
        "%(count)d date without a year is read as %(years)s",
        "%(count)d dates without a year are read as %(years)s",
        len(wanted),
    )
    named = {"count": len(wanted), "years": list_years(reading.values())}
    return text % named + _join_reasons(reading, reasons)
