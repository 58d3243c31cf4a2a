"""A row of a sheet as named texts, and when and where its occasion is."""

import datetime as dt
import uuid
from collections.abc import Callable, Collection

import msgspec
from django.utils.translation import gettext as _

from feeds.festival_time import FestivalTime
from feeds.names import fold
from programme.exchange.readers.entries import NO_END, WITHOUT_DURATION, clean_identifier
from programme.exchange.readers.sheet.mapping import Mapping
from programme.exchange.readers.sheet.times import (
    Clock,
    add_year,
    parse_clock,
    parse_date,
    parse_date_and_time,
    parse_duration,
    split_range,
    to_instant,
)
from programme.exchange.readers.sheet.values import parse_flag
from programme.exchange.readers.times import CHECK_THE_YEAR, is_storable, is_storable_year
from programme.exchange.text.truncate import truncate
from programme.exchange.values import ScheduledOccasion
from programme.models.cleaning import clean_line

_LONGEST = dt.timedelta(days=60)
_DATED = {"day", "festival_day", "start", "end_day", "end"}
_TIMES = ("day", "festival_day", "start", "end_day", "end", "duration")


class RefusedRowError(Exception):
    """A row cannot be taken: the field whose cell is the reason, and the reason."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field, self.why = field, why


class SheetRow(msgspec.Struct, frozen=True):
    """A row: its number, and the texts of the fields that the sheet has."""

    number: int
    texts: dict[str, str]

    def text(self, field: str) -> str:
        return clean_line(self.texts.get(field, ""))

    @property
    def has_time(self) -> bool:
        return any(self.text(field) for field in _TIMES)


class RowPlace(msgspec.Struct, frozen=True):
    """A place by its names; '' where a cell is empty."""

    location: str = ""
    address: str = ""
    room: str = ""


def build_row(
    number: int, cells: tuple[str, ...], mapping: Mapping, days: Collection[dt.date] = ()
) -> SheetRow:
    """Return a row as named texts; dates without a year have that of the festival's days."""
    texts = {field: source.text(cells) for field, source in mapping.sources.items()}
    for field in _DATED & texts.keys():
        texts[field] = add_year(texts[field], days)
    return SheetRow(number, texts)


def find_place(record: SheetRow, event: RowPlace | None = None, prefix: str = "") -> RowPlace:
    """Return where a row says its event is, or with the prefix `occasion_` its occasion alone.

    What it leaves empty is as at the event's place.
    """
    location, address, room = (record.text(f"{prefix}{name}") for name in ("location", "address", "room"))
    if event and room and not location and event.location:
        location, address = event.location, address or event.address
    if event and not prefix and location and fold(location) == fold(event.location):
        address, room = address or event.address, room or event.room
    if room and not location and f"{prefix}location" in record.texts:
        location, room = room, ""
    return RowPlace(location, address, room)


def build_occasion(
    record: SheetRow, event: RowPlace, time: FestivalTime, complain: Callable[[str, str], None]
) -> ScheduledOccasion | None:
    """Return a row's occasion; None where it has no date and no time at all. Raises `Refused`."""
    if not record.has_time:
        return None
    notes: list[str] = []

    def note(field: str, what: str) -> None:
        notes.append(what)
        # Without a column for it that is told once, of the whole sheet.
        if {"end", "duration"} & record.texts.keys():
            complain(field, what)

    start, end = _span(record, time, note)
    if not is_storable(start, end):
        raise RefusedRowError("start", str(CHECK_THE_YEAR))
    own = find_place(record, event, "occasion_")
    place = own if own.location or own.room else find_place(record, event)
    return ScheduledOccasion(
        guid=clean_identifier(record.text("occasion_id")),
        start=start,
        end=end,
        cancelled=bool(parse_flag("occasion_cancelled", record.text("occasion_cancelled"), complain)),
        room=place.room,
        location=place.location,
        address=place.address,
        row=record.number,
        own_place=bool(own.location or own.room),
        note=" ".join(notes),
    )


def is_identity(text: str) -> bool:
    """Return whether a text is an identity as our own sheets have them."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def _span(
    record: SheetRow, time: FestivalTime, complain: Callable[[str, str], None]
) -> tuple[dt.datetime, dt.datetime]:
    start_text, end_text = split_range(record.text("start"))
    end_text = record.text("end") or end_text
    day, clock, field = _start(record, start_text)
    if record.text("festival_day") and not record.text("day"):
        day = time.calendar_date(day, clock)
    start = _instant(time, day, clock, field)
    end = _end(record, time, (day, clock, start), end_text, complain)
    if not start < end or (end > start + _LONGEST and not record.text("end_day")):
        raise RefusedRowError(
            "end" if end_text else "duration", _("the end must be later than the start, by 60 days at most")
        )
    return start, end


def _start(record: SheetRow, start_text: str) -> tuple[dt.date, Clock, str]:
    """Return the date and the time of the start, and the field that holds the time."""
    stated = record.text("day") or record.text("festival_day")
    field = "day" if record.text("day") else "festival_day"
    if whole := parse_date_and_time(start_text):
        return (*whole, "start")
    if not stated:
        raise RefusedRowError("day", _("the date is missing"))
    if (whole := parse_date_and_time(stated)) and not start_text:
        return (*whole, field)
    day = whole[0] if whole else parse_date(stated)
    if day is not None and not is_storable_year(day.year):
        raise RefusedRowError(field, str(CHECK_THE_YEAR))
    if day is None:
        raise RefusedRowError(
            field, _("“%(text)s” is no date: write it like 2026-09-12") % {"text": truncate(stated, 60)}
        )
    if not start_text:
        raise RefusedRowError("start", _("the start time is missing"))
    clock = parse_clock(start_text)
    if clock is None:
        raise RefusedRowError(
            "start", _("“%(text)s” is no time: write it like 19:00") % {"text": truncate(start_text, 60)}
        )
    return day, clock, "start"


def _end(
    record: SheetRow,
    time: FestivalTime,
    begin: tuple[dt.date, Clock, dt.datetime],
    text: str,
    complain: Callable[[str, str], None],
) -> dt.datetime:
    day, clock, start = begin
    end_day = _end_day(record)
    if not text:
        return start + _duration(record, end_day, complain)
    if whole := parse_date_and_time(text):
        return _instant(time, *whole, "end")
    end_clock = parse_clock(text)
    if end_clock is None:
        raise RefusedRowError(
            "end", _("“%(text)s” is no time: write it like 19:00") % {"text": truncate(text, 60)}
        )
    if end_day is None:
        if end_clock == clock and end_clock.offset == clock.offset:
            raise RefusedRowError("end", _("it ends at the time at which it starts"))
        end_day = day if end_clock > clock else day + dt.timedelta(days=1)
    return _instant(time, end_day, end_clock, "end")


def _end_day(record: SheetRow) -> dt.date | None:
    text = record.text("end_day")
    if not text:
        return None
    day = parse_date(text)
    if day is None:
        raise RefusedRowError(
            "end_day", _("“%(text)s” is no date: write it like 2026-09-12") % {"text": truncate(text, 60)}
        )
    return day


def _duration(
    record: SheetRow, end_day: dt.date | None, complain: Callable[[str, str], None]
) -> dt.timedelta:
    text = record.text("duration")
    if end_day and not text:
        raise RefusedRowError("end", _("the end time is missing"))
    duration = parse_duration(text) if text else None
    if text and duration is None:
        raise RefusedRowError(
            "duration", _("“%(text)s” is no duration: write it like 1:30") % {"text": truncate(text, 60)}
        )
    if duration is None:
        complain("end", str(NO_END))
    return duration or WITHOUT_DURATION


def _instant(time: FestivalTime, day: dt.date, clock: Clock, field: str) -> dt.datetime:
    plain = dt.time(clock.hour, clock.minute, clock.second, clock.microsecond)
    if not is_storable_year(day.year):
        raise RefusedRowError(field, str(CHECK_THE_YEAR))
    if clock.offset is None and not time.exists(day, plain):
        raise RefusedRowError(field, _("the clock goes forward then, and never shows this time"))
    return to_instant(day, clock, time.instant(day, plain))
