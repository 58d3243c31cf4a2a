"""Reads when and where the occasion of a row takes place, or says why the row is refused."""

import datetime as dt
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.festival_time import ONE_DAY, FestivalTime, follow
from programme.exchange.readers import entries
from programme.exchange.readers.sheet.rows import SheetRow, read_number
from programme.exchange.readers.sheet.values import ReportCell
from programme.exchange.text.lines import truncate
from programme.exchange.text.times import Clock, parse_clock, parse_duration, suggest_time, to_instant
from programme.exchange.text.when import suggest_day
from programme.exchange.values import PlaceNames, ScheduledOccasion

# What ends later the next day has a mistyped time.
_LONGEST_NIGHT = dt.timedelta(hours=12)
_NO_DATE = gettext_lazy("“%(text)s” is no date: write it as %(spelling)s")
_NO_DATE_AT_ALL = gettext_lazy("“%(text)s” is no date: write it in figures, like 2026-09-12")
_NO_TIME = gettext_lazy("“%(text)s” is no time: write it as %(spelling)s")
_NO_TIME_AT_ALL = gettext_lazy("“%(text)s” is no time: write it in figures, like 18.30–20")
_NO_DURATION = gettext_lazy("“%(text)s” is no duration: write it like 1:30")
_WRONG_END = gettext_lazy("the end must be later than the start, by 60 days at most")


class RefusedRowError(Exception):
    """A row is left out because of the cell of a field."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field, self.why = field, why


def build_occasion(
    row: SheetRow, place: PlaceNames, time: FestivalTime, report: ReportCell, *, is_own: bool = False
) -> ScheduledOccasion:
    """Return the occasion of a row, at this place. Raises `RefusedRowError`.

    In `is_own`, a sheet that this service has exported, equal clock times are a day.
    """
    notes: list[str] = []

    def note(field: str, what: str) -> None:
        notes.append(what)
        # Without a column for it, it is reported once for the whole sheet.
        if {"end", "duration"} & row.texts.keys():
            report(field, what)

    try:
        start, end = _span(row, time, note, equal_is_a_day=is_own)
    except OverflowError:
        raise RefusedRowError("start", str(entries.CHECK_THE_YEAR)) from None
    if not entries.is_storable(start, end):
        raise RefusedRowError("start", str(entries.CHECK_THE_YEAR))
    location, address, room = place
    return ScheduledOccasion(
        guid=entries.clean_identifier(row.text("occasion_id")),
        start=start,
        end=end,
        cancelled=None,
        room=room,
        location=location,
        address=address,
        row=row.number,
        cells=row.place,
        note=" ".join(notes),
        row_id=read_number(row.text("occasion_no")) if is_own else 0,
        uid=row.text("occasion_uid") if is_own else "",
    )


def _span(
    row: SheetRow, time: FestivalTime, note: ReportCell, *, equal_is_a_day: bool
) -> tuple[dt.datetime, dt.datetime]:
    end_text = row.text("end")
    day, clock, field = _start(row)
    if clock.ends_day or row.next_day:
        day += ONE_DAY
    elif row.text("festival_day") and not row.text("day"):
        day = time.calendar_date(day, clock)
    start = _instant(time, day, clock, field)
    if end_text:
        stated = _end(row, (day, clock), end_text)
        end = _settle(time, (day, clock), stated, note, equal_is_a_day=equal_is_a_day)
    else:
        end = start + _duration(row, note)
    if not start < end or (end > start + entries.LONGEST and not row.text("end_day")):
        raise RefusedRowError("end" if end_text else "duration", str(_WRONG_END))
    return start, end


def _start(row: SheetRow) -> tuple[dt.date, Clock, str]:
    day, text = _split(row.text("start"))
    if day and text:
        return day, _parse_time("start", text), "start"
    text = "" if day else text
    field = "day" if row.text("day") else "festival_day"
    stated = row.text(field)
    if not stated:
        raise RefusedRowError("day", _("the date is missing"))
    day, beside = _split(stated)
    if day is None or (text and beside and parse_clock(beside) is None):
        spelling = suggest_day(stated) if text else f"{suggest_day(stated)} {suggest_time(stated)}".strip()
        raise _refuse(field, stated, spelling, _NO_DATE, _NO_DATE_AT_ALL)
    if not entries.is_storable_year(day.year):
        raise RefusedRowError(field, str(entries.CHECK_THE_YEAR))
    if not (text or beside):
        raise RefusedRowError("start", _("the start time is missing"))
    field = "start" if text else field
    return day, _parse_time(field, text or beside), field


def read_moment(text: str, time: FestivalTime) -> dt.datetime:
    """Return the instant of a date, with its time or at its beginning. Raises `RefusedRowError`."""
    day, rest = _split(text)
    if day is None or not entries.is_storable_year(day.year):
        raise _refuse("", text, suggest_day(text), _NO_DATE, _NO_DATE_AT_ALL)
    return _instant(time, day, _parse_time("", rest or "0:00"), "")


def _split(text: str) -> tuple[dt.date | None, str]:
    """Return the date of a text, and what follows it."""
    first, _blank, rest = text.partition(" ")
    try:
        return dt.date.fromisoformat(first), rest
    except ValueError:
        return None, text


def _parse_time(field: str, text: str) -> Clock:
    clock = parse_clock(text)
    if clock is None:
        *_start, last = suggested = suggest_time(text).split("–")
        spelling = last if field == "end" else "–".join(suggested)
        raise _refuse(field, text, spelling, _NO_TIME, _NO_TIME_AT_ALL)
    return clock


def _refuse(field: str, text: str, spelling: str, message: Any, otherwise: Any) -> RefusedRowError:
    """Return the error of a text that is not understood, with how it can be written, or what would be."""
    named = {"text": truncate(text, 60), "spelling": spelling}
    return RefusedRowError(field, (message if spelling else otherwise) % named)


def _end(row: SheetRow, start: tuple[dt.date, Clock], text: str) -> tuple[dt.date, Clock]:
    """Return date and time of the end as the row states them: without a date, on that of the start."""
    end_day = _end_day(row)
    own_day, text = _split(text)
    day, clock = own_day or end_day or start[0], _parse_time("end", text)
    # From 24:00 to 24:00 of one date is no time.
    if clock.ends_day and (own_day or end_day or not start[1].ends_day):
        day += ONE_DAY
    return day, clock


def _settle(
    time: FestivalTime,
    start: tuple[dt.date, Clock],
    end: tuple[dt.date, Clock],
    note: ReportCell,
    *,
    equal_is_a_day: bool,
) -> dt.datetime:
    begin = _local(time, *start)
    stated = follow(begin, _local(time, *end))
    settled = entries.settle_end(begin, stated, equal_is_a_day=equal_is_a_day)
    if settled is None:
        raise RefusedRowError("end", str(_WRONG_END))
    if stated == begin and not equal_is_a_day and stated.fold == begin.fold:
        note("end", str(entries.NO_LENGTH))
    elif end[1].offset is None and not stated.fold:
        if stated < begin and settled - begin > _LONGEST_NIGHT:
            note("end", str(entries.NEXT_DAY))
        return _instant(time, settled.date(), end[1], "end")
    return settled.astimezone(dt.UTC)


def _end_day(row: SheetRow) -> dt.date | None:
    text = row.text("end_day")
    day, rest = _split(text)
    if text and (rest or day is None):
        raise _refuse("end_day", text, suggest_day(text), _NO_DATE, _NO_DATE_AT_ALL)
    return day


def _duration(row: SheetRow, note: ReportCell) -> dt.timedelta:
    end_day, text = _end_day(row), row.text("duration")
    duration = parse_duration(text)
    if text and duration is None:
        raise RefusedRowError("duration", _NO_DURATION % {"text": truncate(text, 60)})
    if duration:
        return duration
    if not text and end_day:
        raise RefusedRowError("end", _("the end time is missing"))
    note("duration" if text else "end", str(entries.NO_LENGTH if text else entries.NO_END))
    return entries.DEFAULT_DURATION


def _local(time: FestivalTime, day: dt.date, clock: Clock) -> dt.datetime:
    """Return a date and time in the festival's zone, even one that its clock does not show."""
    local = dt.datetime.combine(day, clock, time.zone)
    return local if clock.offset is None else time.local(to_instant(day, clock, local))


def _instant(time: FestivalTime, day: dt.date, clock: Clock, field: str) -> dt.datetime:
    if clock.offset is None and not time.exists(day, clock):
        raise RefusedRowError(field, _("the clock goes forward then, and never shows this time"))
    return to_instant(day, clock, time.instant(day, clock))
