"""Derives the year of a file's dates that have none, and asks where two remain."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from statistics import median_low
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.exchange.questions import Answers, Question
from programme.exchange.readers.sheet.date_cells import (
    DateText,
    MonthDay,
    Settled,
    build_date,
    format_span,
    list_years,
)
from programme.exchange.text.lines import truncate_names
from programme.exchange.text.when import LEAP_YEAR
from programme.exchange.values import ImportDefaults

# The dates of a programme, by month and day; and the programme by the year in which it may begin.
Reading = dict[MonthDay, date]
Readings = dict[int, Reading]

# Years around today's in which a programme is looked for: no date has the same weekday in two of them.
_YEARS_BEFORE, _YEARS_AFTER = 1, 3
# A season begins after a pause of so many days, and so many times longer than any other.
_PAUSE, _TIMES = timedelta(days=60), 2
# So long after its last date a programme is still worked on.
_RECENT = timedelta(days=60)
_LEAP_YEAR_LENGTH = timedelta(days=366)
_NEW_YEAR = (1, 1)
# The key of the question begins with it, and the years follow: an answer holds while these are in doubt.
_YEAR = "year"
_MOST_CHOICES = 3
_LONGEST_EXAMPLES = 60


class Evidence(NamedTuple):
    """What speaks for some years; what is weak does not decide against anything else."""

    name: str
    years: set[int]
    is_strong: bool = True


def settle_years(texts: Sequence[DateText], stated: Sequence[date], defaults: ImportDefaults) -> Settled:
    """Return each date without a year with the year that the evidence agrees on, or that was answered.

    `stated` are the other dates of the file.
    """
    wanted = {each: each.cell.open for each in texts if isinstance(each.cell.open, tuple)}
    if not wanted:
        return Settled()
    edition, known = defaults.edition, [*stated, *defaults.days]
    known += [edition.first_day, edition.last_day] if edition else []
    readings = _list_readings(set(wanted.values()), known, defaults.today)
    today = defaults.today or date.min
    past = {year for year, reading in readings.items() if max(reading.values()) < today}
    nearest = _find_nearest(readings, today) if defaults.today else set()
    evidence = _list_evidence(wanted, readings, stated, defaults, past)
    remaining = _find_remaining(evidence, nearest)
    evidence.append(Evidence(_("the first that is not past"), nearest - past))
    if same := evidence[0].years & remaining:
        # Of years with the same weekdays the nearest one.
        remaining -= same - {min(same, key=lambda year: abs(year - today.year))}
    left = {year: readings[year] for year in sorted(remaining)[:_MOST_CHOICES]}
    return _choose([each.text for each in wanted], left, past, evidence, defaults.answers)


def _choose(
    texts: Sequence[str], left: Readings, past: set[int], evidence: list[Evidence], answers: Answers
) -> Settled:
    """Return the only year that is left, or the question which it is; until it is answered one is assumed."""
    if not left:
        return Settled()
    year, reasons = next((year for year in left if year not in past), max(left)), ""
    question = _ask(texts, left, evidence, answers) if len(left) > 1 else None
    if question is None:
        reasons = _join_reasons(year, evidence)
    elif question.answer:
        year, reasons = int(question.answer), f" ({_('as answered')})"
    remark = _describe(left[year], reasons) if question is None or question.answer else ""
    return Settled(left[year], question, remark)


# --- Readings


def _list_readings(dates: Collection[MonthDay], others: Iterable[date], today: date | None) -> Readings:
    """Return the programme in the years around today and those of other dates, if it has all dates then."""
    years = {year for each in others for year in (each.year - 1, each.year)}
    if today:
        years |= set(range(today.year - _YEARS_BEFORE, today.year + _YEARS_AFTER + 1))
    found = {year: _read_in_year(dates, year) for year in sorted(years)}
    return {year: reading for year, reading in found.items() if len(reading) == len(dates)}


def _read_in_year(dates: Collection[MonthDay], year: int) -> Reading:
    """Return the programme that begins in a year; a 29 February may be missing."""
    first = _find_first(dates)
    read = {each: build_date(year + (each < first), *each) for each in sorted(dates)}
    return {each: day for each, day in read.items() if day}


def _find_first(dates: Collection[MonthDay]) -> MonthDay:
    """Return the date that follows on the longest pause of a year, or New Year if no pause stands out."""
    days = sorted(day for each in dates if (day := build_date(LEAP_YEAR, *each)))
    before = [days[-1] - _LEAP_YEAR_LENGTH, *days]
    pauses = sorted(((day - last, day) for last, day in zip(before, days, strict=False)), reverse=True)
    longest, first = pauses[0]
    others = [pause for pause, _day in pauses[1:2]]
    if longest < _PAUSE or any(longest < pause * _TIMES for pause in others):
        return _NEW_YEAR
    return first.month, first.day


# --- Evidence


def _find_nearest(readings: Readings, today: date) -> set[int]:
    """Return the year of the programme that is not past.

    There are two if most of it has passed, or if another has just ended.
    """
    for year, reading in readings.items():
        if max(reading.values()) < today:
            continue
        passed = sum(day < today for day in reading.values())
        if passed * 2 > len(reading):
            return {year, year + 1} & readings.keys()
        before = readings.get(year - 1)
        if before and not passed and today - max(before.values()) <= _RECENT:
            return {year - 1, year}
        return {year}
    return set()


def _list_evidence(
    wanted: Mapping[DateText, MonthDay],
    readings: Readings,
    stated: Sequence[date],
    defaults: ImportDefaults,
    past: set[int],
) -> list[Evidence]:
    """Return what speaks for some years: what few dates say is weak, and so are days that are past."""
    edition = defaults.edition
    named = {each: key for each, key in wanted.items() if each.weekday is not None}

    def count_weekdays(reading: Reading) -> int:
        return sum(reading[key].weekday() == each.weekday for each, key in named.items())

    def count_days(reading: Reading) -> int:
        return sum(reading[key] in defaults.days for key in wanted.values())

    def count_within(reading: Reading) -> int:
        return sum(map(edition.holds, reading.values())) if edition else 0

    fitting = {year for year, reading in readings.items() if count_weekdays(reading) * 2 > len(named)}
    near = set[int]()
    if stated:
        middle = median_low(stated)
        near = _find_best(readings, lambda reading: -abs(median_low(reading.values()) - middle).days)
    within = {year for year in _find_best(readings, count_within) if count_within(readings[year])}
    held = {year for year in _find_best(readings, count_days) if count_days(readings[year])}
    return [
        Evidence(_("the weekdays"), fitting, len(named) * 2 >= len(wanted)),
        Evidence(_("the other dates of the file"), near, len(stated) * 2 >= len(wanted)),
        Evidence(_("the festival’s days"), held, not held <= past),
        Evidence(_("the edition"), within),
    ]


def _find_best(readings: Readings, score: Callable[[Reading], int]) -> set[int]:
    scores = {year: score(reading) for year, reading in readings.items()}
    return {year for year, found in scores.items() if found == max(scores.values())}


def _find_remaining(evidence: Sequence[Evidence], nearest: set[int]) -> set[int]:
    """Return the years that the evidence agrees on, or else all that any is for."""
    strong = [each.years for each in evidence if each.years and each.is_strong]
    weak = [each.years for each in evidence if not each.is_strong]
    if not strong:
        return nearest.union(*weak)
    agreed = set.intersection(*strong)
    for each in weak:
        agreed = agreed & each or agreed
    return agreed or set.union(*strong)


# --- Words


def _ask(texts: Sequence[str], left: Readings, evidence: list[Evidence], answers: Answers) -> Question:
    years = {year: list_years(reading.values()) for year, reading in left.items()}
    examples = truncate_names(list(dict.fromkeys(texts)), _LONGEST_EXAMPLES)
    text = _("Dates have no year (%(examples)s): %(years)s?")
    choices = {
        str(year): f"{years[year]}: {format_span(reading.values())}{_join_reasons(year, evidence)}"
        for year, reading in left.items()
    }
    named = {"examples": examples, "years": _(" or ").join(years.values())}
    return Question.ask(answers, f"{_YEAR}:{'-'.join(choices)}", text % named, choices)


def _join_reasons(year: int, evidence: list[Evidence]) -> str:
    names = [each.name for each in evidence if year in each.years]
    return f" ({', '.join(names)})" if names else ""


def _describe(reading: Reading, reasons: str) -> str:
    text = ngettext(
        "%(count)d date without a year is read as %(years)s",
        "%(count)d dates without a year are read as %(years)s",
        len(reading),
    )
    return text % {"count": len(reading), "years": list_years(reading.values())} + reasons
