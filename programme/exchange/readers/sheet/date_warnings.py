"""Warns of dates that look wrong: one sentence for each reason, with its rows."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta

from django.utils.translation import gettext as _

from feeds.festival_time import ONE_DAY, FestivalTime
from programme.exchange.readers.sheet.date_cells import DateText
from programme.exchange.readers.sheet.date_words import (
    format_full_date,
    format_span,
    format_weekday,
    list_years,
)
from programme.exchange.readers.sheet.dates import SheetDates
from programme.exchange.values import ImportDefaults, ScheduledEvent, ScheduledOccasion

# Between two programmes lies so long a pause; what is apart from the rest is a quarter at most.
_PAUSE = timedelta(days=90)
_PART = 4


def warn_of_dates(
    texts: Iterable[DateText],
    dates: SheetDates,
    events: Iterable[ScheduledEvent],
    defaults: ImportDefaults,
    *,
    is_own_export: bool,
) -> Iterator[str]:
    """Yield the warnings about a file's dates; none while questions about them are open.

    What this service has exported says when it is: of its own sheets, rows that were added are checked.
    """
    if dates.are_settled:
        occasions = [each for event in events for each in event.occasions]
        added = [each for each in occasions if not each.guid] if is_own_export else occasions
        yield from _warn_of_weekdays(texts, dates)
        yield from _warn_of_days(added, occasions, defaults, dates)


def _warn_of_weekdays(texts: Iterable[DateText], dates: SheetDates) -> Iterator[str]:
    """Yield a warning if weekdays do not fit their dates, with the first one as an example."""
    stated = ((each, dates.find(each)) for each in texts if each.weekday is not None)
    wrong = [(each, day) for each, day in stated if day and day.weekday() != each.weekday]
    if wrong:
        first, day = wrong[0]
        rows = dates.name_rows(each.row for each, _day in wrong)
        beside = "" if first.cell.weekday is not None else f"{format_weekday(first.weekday or 0)} "
        named = {"rows": rows, "text": f"{beside}{first.text}", "day": format_full_date(day)}
        yield _("the weekday does not fit the date (“%(text)s” is %(day)s): %(rows)s") % named


def _warn_of_days(
    occasions: Sequence[ScheduledOccasion],
    rest: Collection[ScheduledOccasion],
    defaults: ImportDefaults,
    dates: SheetDates,
) -> Iterator[str]:
    """Yield a warning for each reason for which occasions' days look wrong; `rest` is all of the file."""
    time, days, today = defaults.time, defaults.days, defaults.today
    outside = [each for each in occasions if not _is_on(each, days, time)]
    if days and outside:
        span = format_span(days)
        yield _("dates outside the festival’s days (%(days)s): %(rows)s") % {
            "days": span,
            "rows": _rows(outside, dates),
        }
    if today:
        # During a festival, its first days are past: they are right.
        ours = days if any(day >= today for day in days) else ()
        begins = time.day_begins(today)
        if past := [each for each in occasions if each.end <= begins and not _is_on(each, ours, time)]:
            yield _("dates in the past: %(rows)s") % {"rows": _rows(past, dates)}
    starts = {id(each): time.day_of(each.start) for each in rest}
    other = _find_other_years(list(starts.values()))
    if found := [each for each in occasions if starts[id(each)] in other]:
        years = list_years([starts[id(each)] for each in found])
        named = {"years": years, "rows": _rows(found, dates)}
        yield _("dates in another year than the rest (%(years)s): %(rows)s") % named


def _is_on(occasion: ScheduledOccasion, days: Collection[date], time: FestivalTime) -> bool:
    """Return whether an occasion is held on any of the days, if only in part."""
    first = time.day_of(occasion.start)
    if first in days:
        return True
    last = time.day_of(occasion.end - timedelta.resolution)
    return any(first + number * ONE_DAY in days for number in range(1, (last - first).days + 1))


def _find_other_years(days: Sequence[date]) -> set[date]:
    """Return the days in other years than the programme's, which most lie in, close together."""
    seasons: list[list[date]] = []
    for day in sorted(days):
        if seasons and day - seasons[-1][-1] <= _PAUSE:
            seasons[-1].append(day)
        else:
            seasons.append([day])
    programme = max(seasons, key=len, default=[])
    years = {day.year for day in programme}
    others = [day for day in days if day.year not in years]
    return set(others) if len(others) * _PART <= len(days) else set()


def _rows(occasions: Iterable[ScheduledOccasion], dates: SheetDates) -> str:
    return dates.name_rows(each.row for each in occasions)
