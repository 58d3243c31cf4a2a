"""Finds what dates leave open: the year of those without one, and the week of weekdays alone."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from statistics import median_low

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.exchange.questions import Question
from programme.exchange.readers.sheet.date_cells import (
    DateText,
    MonthDay,
    Settled,
    format_span,
    format_weekday,
    list_years,
)
from programme.exchange.text.lines import truncate_names
from programme.exchange.text.when import LEAP_YEAR, build_date
from programme.exchange.values import ImportDefaults

# The dates of a programme, by month and day; and the programme by the year in which it may begin.
Reading = dict[MonthDay, date]
Readings = dict[int, Reading]

# Years around today's in which a programme is looked for: no date has the same weekday in two of them.
_YEARS_BEFORE, _YEARS_AFTER = 1, 3
# A season begins after a pause of so many days, and so many times longer than any other.
_PAUSE, _TIMES = timedelta(days=60), 2
_LEAP_YEAR_LENGTH = timedelta(days=366)
# The keys of the questions. The years follow on the first: an answer holds while these are in doubt.
_YEAR, _WEEK = "year", "week"
_MOST_CHOICES, _LONGEST_EXAMPLES = 3, 60
# Where nothing is known of the festival's days, so many weeks before and after today are offered.
_WEEKS = range(-4, 12)


def settle_years(texts: Sequence[DateText], stated: Sequence[date], defaults: ImportDefaults) -> Settled:
    """Return each date without a year in the festival's days, the edition, or the year of the file's others.

    `stated` are the other dates of the file. Where nothing says the year, or weekdays say another, one
    question asks for it.
    """
    wanted = {each: each.cell.open for each in texts if isinstance(each.cell.open, tuple)}
    edition, today = defaults.edition, defaults.today or date.min
    known = [*stated, *defaults.days, *([edition.first_day, edition.last_day] if edition else [])]
    readings = _list_readings({*wanted.values()}, known, defaults.today) if wanted else {}
    if not readings:
        return Settled()
    years, reason = _find_years(wanted, readings, stated, defaults)
    left = {year: readings[year] for year in sorted(years, key=lambda year: (abs(year - today.year), year))}
    left = dict(sorted([*left.items()][:_MOST_CHOICES]))
    question = _ask_for_year([each.text for each in wanted], left, defaults) if len(left) > 1 else None
    coming = (year for year, reading in left.items() if max(reading.values()) >= today)
    year = int(question.answer) if question and question.answer else next(coming, max(left))
    # What is assumed until it is answered is not told.
    reason = _("as answered") if question and question.answer else "" if question else reason
    return Settled(left[year], question, _describe(left[year], reason) if reason else "")


def _find_years(
    wanted: Mapping[DateText, MonthDay], readings: Readings, stated: Sequence[date], defaults: ImportDefaults
) -> tuple[Collection[int], str]:
    """Return the years that may be meant, and the reason if one is."""
    edition, today = defaults.edition, defaults.today or date.min
    named = {each: key for each, key in wanted.items() if each.weekday is not None}

    def fits(reading: Reading) -> bool:
        return sum(reading[key].weekday() == each.weekday for each, key in named.items()) * 2 > len(named)

    def count(reading: Reading, days: Collection[date]) -> int:
        return sum(reading[key] in days for key in wanted.values())

    fitting = [year for year, reading in readings.items() if fits(reading)] if named else [*readings]
    nearest = sorted(fitting, key=lambda year: abs(year - today.year))[:1] if named else []
    middle = median_low(stated) if stated else date.min
    near = {year: -abs(median_low(each.values()) - middle).days for year, each in readings.items()}
    period = edition.days if edition else []
    for reason, scores in (
        (_("the festival’s days"), {year: count(each, defaults.days) for year, each in readings.items()}),
        (_("the edition"), {year: count(each, period) for year, each in readings.items()}),
        (_("the other dates of the file"), near if stated else {}),
    ):
        best = {year for year, score in scores.items() if score == max(scores.values())}
        if best and (scores is near or max(scores.values())):
            return best & {*fitting} or best | {*nearest}, reason
    if named and nearest:
        return nearest, _("the weekdays")
    coming = next((year for year, each in readings.items() if max(each.values()) >= today), max(readings))
    return {coming - 1, coming, coming + 1} & readings.keys(), _("the only year that has all of them")


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
    if longest < _PAUSE or any(longest < pause * _TIMES for pause, _day in pauses[1:2]):
        return 1, 1
    return first.month, first.day


def _ask_for_year(texts: Sequence[str], left: Readings, defaults: ImportDefaults) -> Question:
    years = {year: list_years(reading.values()) for year, reading in left.items()}
    examples = truncate_names(list(dict.fromkeys(texts)), _LONGEST_EXAMPLES)
    named = {"examples": examples, "years": _(" or ").join(years.values())}
    choices = {str(year): f"{years[year]}: {format_span(reading.values())}" for year, reading in left.items()}
    text = _("Dates have no year (%(examples)s): %(years)s?") % named
    return Question.ask(defaults.answers, f"{_YEAR}:{'-'.join(choices)}", text, choices)


def _describe(reading: Reading, reason: str) -> str:
    text = ngettext(
        "%(count)d date without a year is read as %(years)s",
        "%(count)d dates without a year are read as %(years)s",
        len(reading),
    )
    return text % {"count": len(reading), "years": list_years(reading.values())} + f" ({reason})"


# --- Weekdays


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
        days = {weekday: day for weekday, [day] in found.items()}
        text = _("weekdays without a date are read as %(days)s (the festival’s days)")
        return Settled(days, remark=text % {"days": format_span(days.values())})
    around = [defaults.today + timedelta(weeks=n) for n in _WEEKS] if defaults.today else []
    weeks = sorted({day - timedelta(day.weekday()) for day in known or around})
    left = {monday: {each: monday + timedelta(each) for each in wanted} for monday in weeks}
    if len(left) <= 1:
        return Settled(next(iter(left.values()), {}))
    named = {"days": ", ".join(map(format_weekday, wanted))}
    text = _("Days are weekdays alone (%(days)s). Which week is it?") % named
    choices = {str(monday): format_span(days.values()) for monday, days in left.items()}
    question = Question.ask(defaults.answers, _WEEK, text, choices)
    # Until it is answered the first one that is not past is assumed, so that rows can be reviewed.
    not_past = (each for each, days in left.items() if max(days.values()) >= (defaults.today or date.min))
    monday = date.fromisoformat(question.answer) if question.answer else next(not_past, weeks[-1])
    return Settled(left[monday], question)
