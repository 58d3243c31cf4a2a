"""A row of a sheet as named texts, and when and where its occasion is."""

import datetime as dt
import uuid
from collections.abc import Callable, Collection

import msgspec
from django.utils.translation import gettext as _

from feeds.festival_time import FestivalTime
from feeds.names import fold
from programme.exchange.readers.entries import NO_END, WITHOUT_DURATION, identifier
from programme.exchange.readers.sheet.mapping import Mapping
from programme.exchange.readers.sheet.times import (
    Clock,
    instant_of,
    read_clock,
    read_date,
    read_duration,
    read_moment,
    read_range,
    with_year,
)
from programme.exchange.readers.sheet.values import read_flag
from programme.exchange.readers.times import CHECK_THE_YEAR, in_our_time, is_year_of_ours
from programme.exchange.text.fitting import truncate
from programme.exchange.values import ScheduledOccasion
from programme.models.cleaning import clean_line

_LONGEST = dt.timedelta(days=60)
_DATED = {"day", "festival_day", "start", "end_day", "end"}
_TIMES = ("day", "festival_day", "start", "end_day", "end", "duration")


class RefusedRow(Exception):  # noqa: N818 - what it says is that a row is not taken
    """A row cannot be taken: the field whose cell is the reason, and the reason."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field, self.why = field, why


class Record(msgspec.Struct, frozen=True):
    """A row: its number, and the texts of the fields that the sheet has."""

    number: int
    texts: dict[str, str]

    def text(self, field: str) -> str:
        return clean_line(self.texts.get(field, ""))

    @property
    def has_time(self) -> bool:
        return any(self.text(field) for field in _TIMES)


class CellPlace(msgspec.Struct, frozen=True):
    """A place by its names; '' where a cell is empty."""

    location: str = ""
    address: str = ""
    room: str = ""


def record_of(
    number: int, cells: tuple[str, ...], mapping: Mapping, days: Collection[dt.date] = ()
) -> Record:
    """Return a row as named texts; dates without a year have that of the festival's days."""
    texts = {field: source.text(cells) for field, source in mapping.sources.items()}
    for field in _DATED & texts.keys():
        texts[field] = with_year(texts[field], days)
    return Record(number, texts)


def place_of(record: Record, event: CellPlace | None = None, prefix: str = "") -> CellPlace:
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
    return CellPlace(location, address, room)


def occasion_of(
    record: Record, event: CellPlace, time: FestivalTime, complain: Callable[[str, str], None]
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
    if not in_our_time(start, end):
        raise RefusedRow("start", str(CHECK_THE_YEAR))
    own = place_of(record, event, "occasion_")
    place = own if own.location or own.room else place_of(record, event)
    return ScheduledOccasion(
        guid=identifier(record.text("occasion_id")),
        start=start,
        end=end,
        cancelled=bool(read_flag("occasion_cancelled", record.text("occasion_cancelled"), complain)),
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
    record: Record, time: FestivalTime, complain: Callable[[str, str], None]
) -> tuple[dt.datetime, dt.datetime]:
    start_text, end_text = read_range(record.text("start"))
    end_text = record.text("end") or end_text
    day, clock, field = _start(record, start_text)
    if record.text("festival_day") and not record.text("day"):
        day = time.calendar_date(day, clock)
    start = _instant(time, day, clock, field)
    end = _end(record, time, (day, clock, start), end_text, complain)
    if not start < end or (end > start + _LONGEST and not record.text("end_day")):
        raise RefusedRow(
            "end" if end_text else "duration", _("the end must be later than the start, by 60 days at most")
        )
    return start, end


def _start(record: Record, start_text: str) -> tuple[dt.date, Clock, str]:
    """Return the date and the time of the start, and the field that holds the time."""
    stated = record.text("day") or record.text("festival_day")
    field = "day" if record.text("day") else "festival_day"
    if whole := read_moment(start_text):
        return (*whole, "start")
    if not stated:
        raise RefusedRow("day", _("the date is missing"))
    if (whole := read_moment(stated)) and not start_text:
        return (*whole, field)
    day = whole[0] if whole else read_date(stated)
    if day is not None and not is_year_of_ours(day.year):
        raise RefusedRow(field, str(CHECK_THE_YEAR))
    if day is None:
        raise RefusedRow(
            field, _("“%(text)s” is no date: write it like 2026-09-12") % {"text": truncate(stated, 60)}
        )
    if not start_text:
        raise RefusedRow("start", _("the start time is missing"))
    clock = read_clock(start_text)
    if clock is None:
        raise RefusedRow(
            "start", _("“%(text)s” is no time: write it like 19:00") % {"text": truncate(start_text, 60)}
        )
    return day, clock, "start"


def _end(
    record: Record,
    time: FestivalTime,
    begin: tuple[dt.date, Clock, dt.datetime],
    text: str,
    complain: Callable[[str, str], None],
) -> dt.datetime:
    day, clock, start = begin
    end_day = _end_day(record)
    if not text:
        return start + _duration(record, end_day, complain)
    if whole := read_moment(text):
        return _instant(time, *whole, "end")
    end_clock = read_clock(text)
    if end_clock is None:
        raise RefusedRow(
            "end", _("“%(text)s” is no time: write it like 19:00") % {"text": truncate(text, 60)}
        )
    if end_day is None:
        if end_clock == clock and end_clock.offset == clock.offset:
            raise RefusedRow("end", _("it ends at the time at which it starts"))
        end_day = day if end_clock > clock else day + dt.timedelta(days=1)
    return _instant(time, end_day, end_clock, "end")


def _end_day(record: Record) -> dt.date | None:
    text = record.text("end_day")
    if not text:
        return None
    day = read_date(text)
    if day is None:
        raise RefusedRow(
            "end_day", _("“%(text)s” is no date: write it like 2026-09-12") % {"text": truncate(text, 60)}
        )
    return day


def _duration(record: Record, end_day: dt.date | None, complain: Callable[[str, str], None]) -> dt.timedelta:
    text = record.text("duration")
    if end_day and not text:
        raise RefusedRow("end", _("the end time is missing"))
    duration = read_duration(text) if text else None
    if text and duration is None:
        raise RefusedRow(
            "duration", _("“%(text)s” is no duration: write it like 1:30") % {"text": truncate(text, 60)}
        )
    if duration is None:
        complain("end", str(NO_END))
    return duration or WITHOUT_DURATION


def _instant(time: FestivalTime, day: dt.date, clock: Clock, field: str) -> dt.datetime:
    plain = dt.time(clock.hour, clock.minute, clock.second, clock.microsecond)
    if not is_year_of_ours(day.year):
        raise RefusedRow(field, str(CHECK_THE_YEAR))
    if clock.offset is None and not time.exists(day, plain):
        raise RefusedRow(field, _("the clock goes forward then, and never shows this time"))
    return instant_of(day, clock, time.instant(day, plain))
